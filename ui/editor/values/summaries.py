"""A few words about a value, for rows of the navigator and for folded groups."""

from itertools import islice
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QCoreApplication

from planner.plan.files.places import model_tag
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.traffic import LoadProfile
from planner.plan.model.workloads import ONE_PER_NODE, Namespace, Overprovisioning, ResourceQuota, Workload
from planner.record.text.wording import event_name
from planner.units import format_bytes, format_cpu, format_duration
from ui.editor.values.shapes import SCALARS, Shape, ShapeKind, fields_of
from ui.editor.values.text import plan_text, text_of

translate = QCoreApplication.translate  # by this name the translators' tools find the texts

_MAX_PAIRS = 8
_MAX_PARTS = 3
_DOT = " · "
_SPEAKING = frozenset({"name", "key", "operator", "effect", "type", "value"})
"""Fields whose values need no title."""
_NAMING = ("name", "container_name", "key", "metric", "resource", "topology_key", "workload", "port", "type")
"""Fields that tell the items of a list apart, the first that has a value."""


def summary_of(shape: Shape, value: Any) -> str:
    """What a folded group holds."""
    if value is None:
        return translate("Summary", "none")
    if shape.kind is ShapeKind.LIST:
        return str(len(value))
    if shape.kind is ShapeKind.MAP:
        parts = [f"{key}={text_of(shape.item or shape, one)}" for key, one in islice(value.items(), _MAX_PAIRS)]
        more = [f"… ({len(value)})"] if len(value) > _MAX_PAIRS else []
        return ", ".join(parts + more) or translate("Summary", "none")
    return model_summary(value)


def item_title(value: BaseModel) -> str:
    """What tells an item of a list from the others; empty where it has no such field."""
    given = (getattr(value, name, "") for name in _NAMING if name != "type" or model_tag(type(value)) is None)
    return next((str(text) for text in given if text), "")


def model_summary(value: BaseModel) -> str:
    """The values that were set, the first few; of an alternative its type first."""
    tag = model_tag(type(value)) if type(value).model_fields.get("type") else None
    parts = [tag] if tag and type(value).model_fields["type"].is_required() else []
    for field in fields_of(type(value)):
        if field.name not in value.model_fields_set or len(parts) == _MAX_PARTS:
            continue
        part = _part(field.shape, getattr(value, field.name))
        if part:
            parts.append(part)
    return _DOT.join(parts)


def _part(shape: Shape, value: Any) -> str:
    """Title and value of a field; names speak for themselves."""
    if shape.kind is ShapeKind.SWITCH:
        return plan_text(shape.title) if value else ""
    if shape.kind in (ShapeKind.GROUP, ShapeKind.VARIANT):
        return model_summary(value) if value is not None else ""
    if shape.name == "values" and value and isinstance(value[0], str):
        more = [f"… ({len(value)})"] if len(value) > _MAX_PAIRS else []
        return ", ".join([*value[:_MAX_PAIRS], *more])
    if shape.kind not in SCALARS and shape.kind is not ShapeKind.CHOICE:
        return summary_of(shape, value) if value and shape.kind is ShapeKind.MAP else ""
    text = text_of(shape, value)
    if not text or shape.name in _SPEAKING:
        return text
    return translate("Summary", "{0} {1}").format(plan_text(shape.title), text)


def pool_summary(row: NodeGroup, _plan: Plan) -> str:
    """Machine and bounds: 4 cores 16Gi, 2-20."""
    machine = translate("Summary", "{0} cores {1}").format(f"{row.cpu / 1000:g}", format_bytes(row.memory))
    return _DOT.join((machine, f"{row.min_size}–{row.max_size}"))


def workload_summary(row: Workload, plan: Plan) -> str:
    """HPA bounds, DaemonSet or replicas, and a priority class."""
    if row.kind in ONE_PER_NODE:
        parts = [row.kind.value]
    else:
        autoscaler = _BOUNDS.of(row, plan)
        parts = [translate("Summary", "HPA {0}–{1}").format(*autoscaler) if autoscaler else _pods(row.replicas)]
    return _DOT.join((*parts, row.pod.priority_class)) if row.pod.priority_class else parts[0]


def _pods(count: int) -> str:
    many = translate("Summary", "{0} pods").format(count)
    return translate("Summary", "1 pod") if count == 1 else many


class _Bounds:
    """Bounds of the autoscalers by their target; made once per list of autoscalers, not once per row."""

    def __init__(self) -> None:
        self._of: tuple[HorizontalPodAutoscaler, ...] = ()
        self._by_target: dict[tuple[str, str], tuple[int, int]] = {}

    def of(self, row: Workload, plan: Plan) -> tuple[int, int] | None:
        if self._of is not plan.horizontal_pod_autoscalers:
            self._of = plan.horizontal_pod_autoscalers
            self._by_target = {
                (one.namespace, one.scale_target): (one.min_replicas, one.max_replicas) for one in self._of
            }
        return self._by_target.get((row.namespace, row.name))


_BOUNDS = _Bounds()


def load_summary(row: Workload, _plan: Plan) -> str:
    """Type and rates of the load."""
    return profile_summary(row.traffic.profile) if row.traffic is not None else translate("Summary", "no load")


def slo_summary(row: Workload, _plan: Plan) -> str:
    """Percentile and target."""
    if row.slo is None:
        return translate("Summary", "no objective")
    return f"p{row.slo.percentile} ≤ {format_duration(row.slo.target)}"


def profile_summary(profile: LoadProfile) -> str:
    """Type and the rates that matter: spike 250 to 1000/s."""
    rates = [
        f"{getattr(profile, name):g}"
        for name in ("rate", "from_rate", "base", "mean", "peak", "to_rate")
        if name in type(profile).model_fields
    ]
    return " ".join((profile.type, "→".join(rates) + "/s")) if rates else profile.type


def autoscaler_summary(row: HorizontalPodAutoscaler, _plan: Plan) -> str:
    """What it scales and within which bounds."""
    return f"{row.scale_target}{_DOT}{row.min_replicas}–{row.max_replicas}"


def vertical_summary(row: VerticalPodAutoscaler, _plan: Plan) -> str:
    """Whose pods it sizes, and how."""
    return f"{row.target}{_DOT}{row.update_mode}"


def scaled_object_summary(row: ScaledObject, _plan: Plan) -> str:
    """What it scales and within which bounds."""
    return f"{row.scale_target}{_DOT}{row.min_replicas or 0}–{row.max_replicas}"


def scaled_job_summary(row: ScaledJob, _plan: Plan) -> str:
    """Whose pods are the jobs, and how many there may be."""
    return f"{row.job_target}{_DOT}{row.min_replicas}–{row.most_jobs}"


def reserve_summary(row: Overprovisioning, _plan: Plan) -> str:
    """Pause pods, their size and priority."""
    cpu = sum(container.requests.cpu or 0 for container in row.pod.containers)
    return translate("Summary", "{0} × {1} · priority {2}").format(row.replicas, format_cpu(cpu), row.priority)


def class_summary(row: PriorityClass, _plan: Plan) -> str:
    """Its value, and whether it is the default."""
    return _DOT.join((str(row.value), translate("Summary", "default"))) if row.global_default else str(row.value)


def budget_summary(row: PodDisruptionBudget, _plan: Plan) -> str:
    """How many pods must stay or may go."""
    if row.min_available is not None:
        return translate("Summary", "at least {0} available").format(row.min_available)
    if row.max_unavailable is not None:
        return translate("Summary", "at most {0} unavailable").format(row.max_unavailable)
    return translate("Summary", "no limit")


def event_summary(row: Any, _plan: Plan) -> str:
    """When it happens, and for how long."""
    parts = [translate("Summary", "at {0}").format(format_duration(row.at))]
    if row.schedule:
        parts = [f"{row.schedule} {row.time_zone}"]
    if row.per_hour:
        parts.append(translate("Summary", "{0} per hour").format(f"{row.per_hour:g}"))
    if getattr(row, "duration", 0):
        parts.append(translate("Summary", "for {0}").format(format_duration(row.duration)))
    return _DOT.join(parts)


def kubelet_summary(row: NodeGroup, _plan: Plan) -> str:
    """Whose reservations it has."""
    return row.kubelet.preset.value if row.kubelet is not None else translate("Summary", "default reservations")


def namespace_summary(row: Namespace, plan: Plan) -> str:
    """Its quotas, else what else was set."""
    quotas = row.resource_quotas
    if not quotas:
        return row_summary(row, plan)
    names = ", ".join(quota.name for quota in quotas[:_MAX_PARTS])
    return translate("Summary", "{0} quotas: {1}").format(len(quotas), names) if len(quotas) > 1 else _quota(quotas[0])


def _quota(quota: ResourceQuota) -> str:
    """Its name and the bounds that it sets."""
    parts = [quota.name] if quota.pods is None else [quota.name, _pods(quota.pods)]
    for title, amounts in (
        (translate("Summary", "requests"), quota.requests),
        (translate("Summary", "limits"), quota.limits),
    ):
        if text := model_summary(amounts):
            parts.append(f"{title} {text}")
    return _DOT.join(parts)


def series_summary(row: MetricSeries, _plan: Plan) -> str:
    """Where the values come from."""
    return model_summary(row.source)


def proportional_summary(row: ClusterProportionalAutoscaler, _plan: Plan) -> str:
    """Mode and targets."""
    return _DOT.join((row.mode.type, ", ".join(row.targets)))


def name_of(row: BaseModel) -> str:
    """What a row is called; an event by what it is and what it hits; empty if it has no name."""
    if hasattr(row, "name"):
        return str(row.name)
    if not hasattr(row, "per_hour"):
        return ""
    hit = next((str(getattr(row, name)) for name in _HIT if getattr(row, name, "")), "")
    kind = event_name(model_tag(type(row)) or "")
    return _DOT.join((kind, hit)) if hit else kind


_HIT = ("node_group", "zone", "workload", "controller", "api")
"""Fields that say what an event is about."""


def row_summary(row: BaseModel, _plan: Plan) -> str:
    """For lists without a summary of their own: what was set besides the name."""
    name = str(getattr(row, "name", ""))
    return model_summary(row).removeprefix(name).removeprefix(_DOT)
