"""The openb snapshot (cluster-trace-gpu-v2023): nodes with GPUs, and pods that share them.

GPUs may be shared in thousandths. The plan counts thousandths per node as an extended resource: the total of a
node is right, but a share is not assigned to a particular GPU, so two free halves of different GPUs look like
one free GPU.
"""

from collections.abc import Sequence

from planner.errors import ImportProblem
from planner.kube.draft.checked import Origin, checked_plan
from planner.kube.draft.draft import Part
from planner.kube.draft.left_out import Losses
from planner.kube.draft.names import UniqueNames, valid_name
from planner.kube.traces.tables import Record, TraceTable
from planner.language.translation import marked, tr
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.units import format_bytes, format_cpu

GPU_THOUSANDTHS = "alibabacloud.com/gpu-milli"
MODEL_LABEL = "alibabacloud.com/gpu-card-model"
EXPECTED = marked(
    "For openb give both tables: nodes (sn, cpu_milli, memory_mib, gpu, model) and pods (name, cpu_milli, ...)."
)
_NODE_COLUMNS = ("sn", "cpu_milli", "memory_mib", "gpu", "model")
_POD_COLUMNS = ("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec")
_MIB = 1 << 20
_TRACE = "openb"
_Shape = tuple[int, int, int, str]
_Template = tuple[int, int, int, int, str]


def is_openb(tables: Sequence[TraceTable]) -> bool:
    """Whether a table of nodes or pods is of this trace."""
    return any(table.has(*_NODE_COLUMNS) or table.has(*_POD_COLUMNS) for table in tables)


def read_openb(tables: Sequence[TraceTable], title: str) -> tuple[Plan, Losses]:
    """All nodes and all pods at once, equal ones together. Raises ImportProblem."""
    nodes = [table for table in tables if table.has(*_NODE_COLUMNS)]
    pods = [table for table in tables if table.has(*_POD_COLUMNS)]
    if len(nodes) != 1 or len(pods) != 1:
        found = tr("There are {nodes} tables of nodes and {pods} of pods.", nodes=len(nodes), pods=len(pods))
        raise ImportProblem(", ".join(table.path for table in tables)[:200], found, tr(EXPECTED))
    losses = Losses()
    for table in tables:
        if table not in (nodes[0], pods[0]):
            losses.add(_TRACE, table.path, tr("the table is not part of the trace"))
    data: Part = {
        "schemaVersion": SCHEMA_VERSION,
        "name": title,
        "nodeGroups": _node_groups(nodes[0]),
        "workloads": _workloads(pods[0]),
        "clusterAutoscaler": {"enabled": False},
    }
    _tell(pods[0], losses)
    sources = {f"nodeGroups[{i}]": Origin(None, nodes[0].path) for i in range(len(data["nodeGroups"]))}
    sources |= {f"workloads[{i}]": Origin(None, pods[0].path) for i in range(len(data["workloads"]))}
    return checked_plan(data, sources, losses), losses


def _node_groups(table: TraceTable) -> list[Part]:
    counts: dict[_Shape, int] = {}
    for record in table.records():
        key = (record.whole("cpu_milli"), record.whole("memory_mib"), record.whole("gpu"), record.text("model"))
        counts[key] = counts.get(key, 0) + 1
    names = UniqueNames()
    return [_node_group(names, shape, count) for shape, count in counts.items()]


def _node_group(names: UniqueNames, shape: _Shape, count: int) -> Part:
    cpu, memory, gpus, model = shape
    kind = f"{model}-{gpus}gpu" if gpus else "cpu"
    group: Part = {
        "name": names.take(f"{kind}-{cpu // 1000}c-{memory // 1024}g"),
        "minSize": count,
        "maxSize": count,
        "initialSize": count,
        "cpu": format_cpu(cpu),
        "memory": format_bytes(memory * _MIB),
    }
    if gpus:
        group["extended"] = {GPU_THOUSANDTHS: 1000 * gpus}
        group["labels"] = {MODEL_LABEL: model}
    return group


def _workloads(table: TraceTable) -> list[Part]:
    counts: dict[_Template, int] = {}
    for record in table.records():
        key = _template(record)
        counts[key] = counts.get(key, 0) + 1
    names = UniqueNames()
    return [_workload(names, template, count) for template, count in counts.items()]


def _template(record: Record) -> _Template:
    """Pods of equal templates are one workload."""
    gpus, share = record.whole("num_gpu"), record.whole("gpu_milli")
    models = "|".join(sorted(filter(None, record.text("gpu_spec").split("|"))))
    return record.whole("cpu_milli"), record.whole("memory_mib"), gpus, share if gpus else 0, models


def _workload(names: UniqueNames, template: _Template, count: int) -> Part:
    cpu, memory, gpus, share, models = template
    requests: Part = {"cpu": format_cpu(cpu), "memory": format_bytes(memory * _MIB)}
    name = f"pod-{cpu}m-{memory}mi"
    if gpus:
        requests["extended"] = {GPU_THOUSANDTHS: gpus * share}
        name += f"-{gpus}x{share}gpu"
    pod: Part = {"containers": [{"name": "main", "requests": requests}]}
    if models:
        wanted = {"key": MODEL_LABEL, "operator": "In", "values": models.split("|")}
        pod["requiredNodeAffinity"] = [{"matchExpressions": [wanted]}]
        name += f"-{valid_name(models)}"
    return {"name": names.take(name), "replicas": count, "pod": pod}


def _tell(table: TraceTable, losses: Losses) -> None:
    shared = sum(0 < record.whole("gpu_milli") < 1000 and record.whole("num_gpu") > 0 for record in table.records())
    if shared:
        reason = tr(
            "shares are counted per node; their placement on the GPUs of a node is not modelled, which is optimistic"
        )
        losses.add(_TRACE, tr("gpu_milli below 1000"), reason, shared)
    rows = len(table.rows)
    for column, reason in (
        ("creation_time", tr("all pods of the 149 days are assumed to exist at once")),
        ("deletion_time", tr("pods stay")),
        ("scheduled_time", tr("a run places all pods again")),
        ("pod_phase", tr("pods that had failed or ended are placed too")),
        ("qos", tr("the trace contains no priorities; all pods have the same")),
    ):
        if column in table.columns:
            losses.add(_TRACE, column, reason, rows)
    losses.remark(tr("nodes: the trace does not say how many pods a node can run; 110 is assumed"))
    losses.remark(tr("the Cluster Autoscaler is off: the trace is a cluster of fixed size"))
