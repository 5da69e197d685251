"""Exports a plan as manifests: one YAML file per kind in a folder, and a list of what manifests cannot express."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from planner.disk.atomic import write_through
from planner.disk.cures import cure_of, reason_of
from planner.disk.file_set import replacing_files
from planner.disk.ownership import usual_mode
from planner.errors import ResultFileError
from planner.kube.draft.draft import Part
from planner.kube.draft.left_out import Losses
from planner.kube.kinds.registry import writers
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.scaled_object import SeriesTrigger
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan

_NO_PLACE = marked("manifests cannot express it")
_SECTIONS = {
    "simulation": _NO_PLACE,
    "overprovisioning": marked("pause pods are not exported; in a cluster they are separate Deployments"),
    "events": _NO_PLACE,
    "cluster_autoscaler": marked("flags of its Deployment, which depends on the cloud"),
    "hpa_controller": marked("flags of kube-controller-manager"),
    "metrics_pipeline": marked("settings of metrics-server"),
    "admission": marked("plugins of kube-apiserver"),
    "costs": marked("manifests do not contain costs"),
}
_TRIGGERS = marked(
    "triggers on metric series are written as queries of Prometheus that carry the name of the series: "
    "fill in its address and the query, or the trigger of your queue"
)
_EXPORTED = (
    "schema_version", "name", "notes", "node_groups", "priority_classes", "runtime_classes", "namespaces", "services",
    "workloads",
    "pod_disruption_budgets", "horizontal_pod_autoscalers", "vertical_pod_autoscalers", "scaled_objects",
    "scaled_jobs", "scheduler",
)  # fmt: skip
NOT_IN_WORKLOADS = (
    "traffic", "calls", "demand", "cpu_use", "use", "memory_use", "disk_use", "slo", "startup_cpu",
    "startup_cpu_time",
)  # fmt: skip
_TARGETS = ("scale_target", "job_target", "target")
"""Fields that name the workload of an autoscaler."""
_OF_JOBS = ("start", "run_time", "work", "work_cores", "failure_ratio")
NOT_IN_PODS = ("startup_delay", "readiness_delay", "termination_time", "volumes")
_OF_GROUPS = (
    "provisioning_delay", "provisioning_spread", "deletion_delay", "ready_delay", "driver_delay", "quota", "zones",
    "zone_mode", "price_per_hour", "pricing", "kubelet",
)  # fmt: skip


def export_manifests(plan: Plan) -> Iterator[tuple[str, list[Part]]]:
    """Kind and manifests, kinds without any left out."""
    for kind, write in writers():
        manifests = list(write(plan))
        if manifests:
            yield kind, manifests


def manifest_text(plan: Plan, field: str, position: int) -> str:
    """One row of a list as YAML, as kubectl takes it; empty where manifests cannot express it.

    Of a node pool it is one Node. What other rows say of it (a priority class, a namespace) is kept by name only, but
    for the workload that an autoscaler scales: its kind, or the Jobs that a ScaledJob makes, are part of the manifest.
    """
    row = getattr(plan, field)[position]
    if (scaled := next((getattr(row, name) for name in _TARGETS if hasattr(row, name)), None)) is not None:
        place = (row.namespace, scaled)
        plan = plan.model_copy(
            update={"workloads": tuple(one for one in plan.workloads if (one.namespace, one.name) == place)}
        )
    row = row.model_copy(update={"initial_size": 1}) if isinstance(row, NodeGroup) else row
    kept = (field, "workloads") if scaled is not None else (field,)
    own = {name: () for name in _EXPORTED if isinstance(getattr(plan, name), tuple) and name not in kept}
    alone = plan.model_copy(update={**own, field: (row,)})
    kinds = {kind for kind, _parts in export_manifests(plan.model_copy(update={**own, field: ()}))}
    parts = [part for kind, found in export_manifests(alone) if kind not in kinds for part in found]
    return yaml_text(parts) if parts else ""


def export_plan(plan: Plan, folder: Path) -> tuple[list[Path], Losses]:
    """Writes `<kind>.yaml` files, which replace those of an earlier export together. Raises ResultFileError."""
    place, written = folder, []
    try:
        with replacing_files(folder, ()) as part:
            for kind, manifests in export_manifests(plan):
                place = folder / f"{_file_name(kind)}.yaml"
                write_through(part / place.name, (yaml_text(manifests).encode(),))
                (part / place.name).chmod(usual_mode())
                written.append(place)
    except OSError as error:
        problem = tr("The file cannot be written ({reason}).", reason=reason_of(error))
        raise ResultFileError(str(place), problem, cure_of(error)) from error
    losses = not_exported(plan)
    for kind, _write in writers():
        path = folder / f"{_file_name(kind)}.yaml"
        if path not in written and path.exists():
            losses.remark(
                tr(
                    "{path} does not belong to this plan; remove it if it is left over from an earlier export",
                    path=path,
                )
            )
    return written, losses


def yaml_text(manifests: list[Part]) -> str:
    """Manifests as documents of a file."""
    return yaml.dump_all(manifests, Dumper=_Dumper, sort_keys=False, explicit_start=True, allow_unicode=True, width=120)


def not_exported(plan: Plan) -> Losses:
    """What the plan sets and manifests cannot express."""
    losses = Losses()
    for name in sorted(plan.model_fields_set):
        if name not in _EXPORTED:
            losses.add("plan", _alias(plan, name), tr(_SECTIONS.get(name, _NO_PLACE)))
    for group in plan.node_groups:
        _tell(losses, "nodeGroups[]", group, _OF_GROUPS, tr(_NO_PLACE))
        if group.initial_size == 0:
            losses.add(
                "nodeGroups[]", "", tr("{name} starts without nodes, so there is nothing to write", name=group.name)
            )
    if any(isinstance(one, SeriesTrigger) for one in plan.triggers()):
        losses.remark(tr(_TRIGGERS))
    for workload in plan.workloads:
        _tell(losses, "workloads[]", workload, NOT_IN_WORKLOADS, tr(_NO_PLACE))
        _tell(losses, "workloads[].job", workload.job, _OF_JOBS, tr(_NO_PLACE))
        _tell(losses, "workloads[].pod", workload.pod, NOT_IN_PODS, tr(_NO_PLACE))
    return losses


def _tell(losses: Losses, place: str, part: Any, names: tuple[str, ...], reason: str) -> None:
    for name in names:
        if name in part.model_fields_set:
            losses.add(place, _alias(part, name), reason)


def _alias(part: Any, name: str) -> str:
    return str(type(part).model_fields[name].alias)


def _file_name(kind: str) -> str:
    """PodDisruptionBudget is pod-disruption-budgets."""
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind).strip("-")
    return f"{words}es" if words.endswith("s") else f"{words}s"


class _Dumper(yaml.CSafeDumper):
    """Every value in full: an alias would hide that two manifests share a part."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
