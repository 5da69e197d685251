"""Nodes: read one by one here, joined to pools in node_pools.py."""

from collections.abc import Iterator

from planner.kube.draft.ages import created_at
from planner.kube.draft.draft import Draft, NodePart, Part, given
from planner.kube.files.field import Field
from planner.kube.manifest import DOMAIN, framed, name_of
from planner.kube.pods.start_nodes import nodes_at_start
from planner.language.translation import tr
from planner.matching.taints import TaintEffect
from planner.plan.derived.pod_requests import is_extended_resource
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.units import format_bytes, format_cpu, parse_count, parse_cpu_milli

KIND, GROUPS = "Node", ("",)
ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
POOL_LABELS = (
    f"{DOMAIN}/node-group",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name",
    "kubernetes.azure.com/agentpool",
    "agentpool",
    "karpenter.sh/nodepool",
    "doks.digitalocean.com/node-pool",
    "lke.linode.com/pool-id",
    "k8s.scaleway.com/pool-name",
    "nodepool",
    "node-pool",
)
"""Labels by which managed services and tools name the pool of a node, best first."""
SCALE_DOWN_DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
PASSING_TAINTS = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
"""Beginnings of taints that controllers set and remove by the state of the node."""
SCALING_TAINTS = ("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler")
_NOT_COUNTED = ("cpu", "memory", "pods", "ephemeral-storage")


def read(manifest: Field, draft: Draft) -> None:
    """Capacity, allocatable, labels, taints and images of one node."""
    metadata, spec, status = manifest.at("metadata"), manifest.at("spec"), manifest.at("status")
    labels = metadata.at("labels").labels()
    zone = next((labels[key] for key in ZONE_LABELS if labels.get(key)), "")
    pool = next((labels[key] for key in POOL_LABELS if labels.get(key)), "")
    disabled = metadata.at("annotations").labels().get(SCALE_DOWN_DISABLED) == "true"
    fields = machine_amounts(manifest, draft) | given(zone=zone or None, taints=_taints(spec.at("taints"), draft))
    if disabled:
        fields["scaling"] = {"scaleDownDisabled": True}
    for name in ("providerID", "podCIDR", "podCIDRs", "externalID"):
        spec.at(name).raw()
    version = status.at("nodeInfo", "kubeletVersion").text() or ""
    draft.kubelet_versions[version] = draft.kubelet_versions.get(version, 0) + 1
    draft.nodes.append(
        NodePart(
            name=name_of(manifest),
            source=manifest.source,
            pool=pool,
            fields=fields,
            labels={key: value for key, value in labels.items() if key != POOL_LABELS[0]},
            images=_images(status.at("images")),
            unschedulable=spec.at("unschedulable").flag() or False,
            created=created_at(manifest.value),
            sizes=_sizes(metadata.at("annotations")),
        )
    )


def machine_amounts(manifest: Field, draft: Draft) -> Part:
    """What is not allocatable is kept for the system; a missing figure equals the other."""
    status = manifest.at("status")
    capacity, allocatable = status.at("capacity"), status.at("allocatable")
    found: Part = {}
    for name, key, reserve, parse, text in (
        ("cpu", "cpu", "reservedCpu", parse_cpu_milli, format_cpu),
        ("memory", "memory", "reservedMemory", parse_count, format_bytes),
    ):
        read = Field.cpu if name == "cpu" else Field.memory
        free, all_of_it = read(allocatable.at(name)), read(capacity.at(name))
        whole = all_of_it or free
        if whole is None:
            raise status.at("capacity", name).problem(tr("The field is missing."), tr("Dump nodes with their status."))
        found[key] = whole
        reserved = 0 if free in (None, whole) else parse(whole) - parse(free or whole)
        if reserved > 0:
            found[reserve] = text(reserved)
        elif reserved < 0:
            found[key] = free
    counted = allocatable if allocatable.map() else capacity
    storage = counted.at("ephemeral-storage").memory()
    pods = counted.at("pods").count()
    extended = {}
    for name in counted.map():
        if is_extended_resource(name):
            amount = counted.at(name).count()
            if amount:
                extended[name] = amount
        elif name not in _NOT_COUNTED and counted.at(name).count():
            draft.losses.add(KIND, f"status.allocatable.{name}", tr("nothing in the plan uses it"))
    return found | given(
        pods=None if pods in (None, 110) else pods,
        ephemeral_storage=storage if storage not in (None, "0") else None,
        extended=extended,
    )


def _taints(field: Field, draft: Draft) -> list[Part]:
    found = []
    for part in field.items():
        key = part.at("key").required_text()
        effect = part.at("effect").choice(TaintEffect)
        if effect is None:
            raise part.at("effect").problem(
                tr("The field is missing."), tr("Use {words}.", words=", ".join(TaintEffect))
            )
        value = part.at("value").text()
        part.at("timeAdded").raw()
        if key.startswith(PASSING_TAINTS) or key in SCALING_TAINTS:
            draft.losses.add(KIND, f"spec.taints {key}", tr("it reflects the node's current state"))
            continue
        found.append(given(key=key, value=value or None, effect=effect))
    return found


def _images(field: Field) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in field.items():
        size = part.at("sizeBytes").count() or 0
        for name in part.at("names").texts():
            found.setdefault(name, size)  # of two entries the scheduler takes the size of the first
    return found


def _sizes(annotations: Field) -> Part:
    """What an export of Headroom noted of the pool."""
    found: Part = {}
    for key in ("minSize", "maxSize"):
        text = annotations.at(f"{DOMAIN}/{key}").text()
        if text is not None:
            if not (text.isascii() and text.isdigit() and len(text) < 10):
                raise annotations.at(f"{DOMAIN}/{key}").problem(
                    tr("This is not a number of nodes."), tr("Write digits.")
                )
            found[key] = int(text)
    return found


def write(plan: Plan) -> Iterator[Part]:
    """The nodes at the start of a run; pools that start empty leave none."""
    for group in plan.node_groups:
        labels = {POOL_LABELS[0]: group.name} | group.node_labels
        notes = {f"{DOMAIN}/minSize": str(group.min_size), f"{DOMAIN}/maxSize": str(group.max_size)}
        if group.scaling.scale_down_disabled:
            notes[SCALE_DOWN_DISABLED] = "true"
        taints = [given(key=t.key, value=t.value or None, effect=t.effect.value) for t in group.taints]
        status = _status(group)
        for name in nodes_at_start(plan, (group.name,)):
            manifest = framed("v1", KIND, name, spec=given(taints=taints), status=status)
            manifest["metadata"] |= {"labels": {"kubernetes.io/hostname": name} | labels, "annotations": notes}
            yield manifest


def _status(group: NodeGroup) -> Part:
    extended = {name: str(amount) for name, amount in group.extended.items()}
    storage = {"ephemeral-storage": format_bytes(group.ephemeral_storage)} if group.ephemeral_storage else {}
    rest = {"pods": str(group.pods), **storage, **extended}
    free = {
        "cpu": format_cpu(group.cpu - group.reserved_cpu),
        "memory": format_bytes(group.memory - group.reserved_memory),
    }
    whole = {"cpu": format_cpu(group.cpu), "memory": format_bytes(group.memory)}
    images = [{"names": [name], "sizeBytes": size} for name, size in group.images.items()]
    return {"capacity": {**whole, **rest}, "allocatable": {**free, **rest}} | given(images=images)
