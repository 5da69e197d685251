"""The catalogue of the navigator: one line for each part of the plan, under the headings that group them.

A field of the plan that no line names gets one by itself, so that nothing of a plan is out of reach.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from planner.plan.files.places import model_tag
from planner.plan.model.plan import Plan
from ui.editor.values import summaries as say
from ui.editor.values.shapes import SCALARS, PlanField, Shape, ShapeKind, fields_of
from ui.editor.values.text import plan_text

_MOST_COLUMNS = 7


@dataclass(frozen=True)
class Section:
    """One entry of the navigator: a list of rows, or settings."""

    key: str
    title: str
    fields: tuple[str, ...]
    """Top-level fields of the plan; a list has one."""
    noun: str = ""
    """One row, in words."""
    columns: tuple[str, ...] = ()
    """Dotted paths within a row; none: the plain fields of the row."""
    summary: Callable[[Any, Plan], str] = say.row_summary
    facet: tuple[str, ...] = ()
    """Only these fields of the rows are this section's; adding and deleting set and clear the first of them."""
    group: str = "Plan"
    """The heading above it in the navigator."""
    leading: tuple[str, ...] = ()
    """Fields that the form of a row begins with; the others follow in the order of the file."""

    @property
    def is_list(self) -> bool:
        """Whether it has rows."""
        return self.row_model is not None

    @cached_property
    def row_model(self) -> type[BaseModel] | None:
        """The model of a row; None for settings."""
        shape = _top(self.fields[0]).shape
        is_rows = len(self.fields) == 1 and shape.kind is ShapeKind.LIST and shape.item is not None
        return shape.item.models[0] if is_rows and shape.item is not None and shape.item.models else None

    @property
    def shown_title(self) -> str:
        """The title in the user's language."""
        return QCoreApplication.translate("Sections", self.title)

    @property
    def shown_group(self) -> str:
        """The heading in the user's language."""
        return QCoreApplication.translate("Sections", self.group)

    @property
    def shown_noun(self) -> str:
        """One row, in the user's language."""
        return QCoreApplication.translate("Sections", self.noun) if self.noun else self.shown_title

    @cached_property
    def kinds(self) -> Shape | None:
        """The shape of a row, where rows are of several kinds distinguished by their type."""
        item = _top(self.fields[0]).shape.item if self.is_list else None
        return item if item is not None and item.kind is ShapeKind.VARIANT else None

    def model_of(self, tag: str) -> type[BaseModel]:
        """The model of a row with a type; where all are of one kind, that one."""
        assert self.row_model is not None
        models = self.kinds.models if self.kinds is not None else ()
        return next((model for model in models if model_tag(model) == tag), self.row_model)

    def rows(self, plan: Plan) -> tuple[Any, ...]:
        """The rows of a list, none of settings."""
        return getattr(plan, self.fields[0]) if self.is_list else ()

    def count(self, plan: Plan) -> int:
        """The note that the navigator shows after the title."""
        rows = self.rows(plan)
        return sum(getattr(row, self.facet[0]) is not None for row in rows) if self.facet else len(rows)

    def form_fields(self) -> tuple[PlanField, ...]:
        """Fields of the form, relative to the row, or to the settings; of several settings, relative to the plan."""
        if self.row_model is not None:
            found = fields_of(self.row_model)
            if self.facet:
                return tuple(field for field in found if field.name in self.facet)
            rank = {name: at for at, name in enumerate(self.leading)}
            return tuple(sorted(found, key=lambda field: rank.get(field.name, len(rank))))
        if self.is_single_group:
            return fields_of(_top(self.fields[0]).shape.model)
        return tuple(_top(name) for name in self.fields)

    @property
    def is_single_group(self) -> bool:
        """Settings of one model, whose fields need no group around them."""
        return len(self.fields) == 1 and _top(self.fields[0]).shape.kind is ShapeKind.GROUP


def _top(name: str) -> PlanField:
    return next(field for field in fields_of(Plan) if field.name == name)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _title(text: str) -> str:
    """Marked for translation by the list at the end of this file; translated when it is shown."""
    return text


_POOL = _words("name initial_size min_size max_size cpu memory price_per_hour zone provisioning_delay pods")
_WORK = _words(
    "name kind replicas pod.containers.0.requests.cpu pod.containers.0.requests.memory pod.containers.0.limits.cpu"
    " pod.priority_class namespace"
)
_LOAD = _words("name traffic.profile.type demand.cpu_seconds_per_request demand.latency_floor demand.timeout")
_LOAD_FACET = ("traffic", "demand")
_SLO = _words("name slo.percentile slo.target slo.end_to_end_target slo.max_error_ratio")
_WORK_FIRST = _words("name kind replicas traffic demand slo pod")
"""What a plan of capacity is about; of the pod, its requests come first."""
_HPA = _words("name scale_target min_replicas max_replicas metrics.0.average_utilization namespace")
_HOLD = _words("name replicas priority pod.containers.0.requests.cpu pod.containers.0.requests.memory")
_RANK = _words("name value global_default preemption_policy")
_BUDGET = _words("name min_available max_unavailable namespace unhealthy_pod_eviction_policy")
_EVENT = _words("type at node_group zone workload count duration per_hour")
_KUBELET = _words(
    "name kubelet.preset kubelet.kube_reserved_cpu kubelet.kube_reserved_memory kubelet.system_reserved_memory"
    " kubelet.eviction_pressure_transition_period"
)
_PROPORTIONAL = _words("name mode.type poll_period")
_HPA_FIRST = _words("name scale_target min_replicas max_replicas metrics behavior")
_VPA_FIRST = _words("name target update_mode")
_KEDA_FIRST = _words("name scale_target min_replicas max_replicas triggers")
_KEDA_JOBS_FIRST = _words("name job_target min_replicas max_replicas triggers")
_KEDA = _words("name scale_target min_replicas max_replicas idle_replicas polling_interval cooldown_period")
_KEDA_JOBS = _words("name job_target min_replicas max_replicas strategy polling_interval")
_VPA = _words("name target update_mode min_replicas namespace")
_SERIES = _words("name source.type interval delay")
_SPACE = _words(
    "name resource_quotas.0.name resource_quotas.0.pods resource_quotas.0.requests.cpu"
    " resource_quotas.0.requests.memory resource_quotas.0.limits.cpu resource_quotas.0.limits.memory"
)
_RUN = _words("kubernetes_version feature_gates simulation schema_version")

_CLUSTER, _WORK_GROUP, _SCALING = _title("Cluster"), _title("Workloads"), _title("Autoscaling")
_LOAD_GROUP, _GOALS, _CONTROL = _title("Load"), _title("Goals"), _title("Control plane")

CATALOGUE = (
    Section("node_groups", _title("Node pools"), ("node_groups",), _title("Node pool"), _POOL, say.pool_summary,
            group=_CLUSTER),
    Section("overprovisioning", _title("Overprovisioning"), ("overprovisioning",),
            _title("Reserve"), _HOLD, say.reserve_summary, group=_CLUSTER),
    Section("kubelet", _title("Kubelet and eviction"), ("node_groups",),
            _title("Kubelet"), _KUBELET, say.kubelet_summary, ("kubelet",), _CLUSTER),
    Section("node_lifecycle", _title("Node lifecycle"), ("node_lifecycle",), group=_CLUSTER),
    Section("workloads", _title("Workloads"), ("workloads",), _title("Workload"), _WORK, say.workload_summary,
            group=_WORK_GROUP, leading=_WORK_FIRST),
    Section("priority_classes", _title("Priority classes"), ("priority_classes",),
            _title("Priority class"), _RANK, say.class_summary, group=_WORK_GROUP),
    Section("pod_disruption_budgets", _title("Disruption budgets"), ("pod_disruption_budgets",),
            _title("Disruption budget"), _BUDGET, say.budget_summary, group=_WORK_GROUP),
    Section("services", _title("Services"), ("services",), _title("Service"), group=_WORK_GROUP),
    Section("namespaces", _title("Namespaces"), ("namespaces",), _title("Namespace"), _SPACE, say.namespace_summary,
            group=_WORK_GROUP),
    Section("limit_ranges", _title("Limit ranges"), ("limit_ranges",), _title("Limit range"), group=_WORK_GROUP),
    Section("runtime_classes", _title("Runtime classes"), ("runtime_classes",), _title("Runtime class"),
            group=_WORK_GROUP),
    Section("horizontal_pod_autoscalers", _title("Autoscaling (HPA)"), ("horizontal_pod_autoscalers",),
            _title("Autoscaler"), _HPA, say.autoscaler_summary, group=_SCALING,
            leading=_HPA_FIRST),
    Section("vertical_pod_autoscalers", _title("Vertical pod autoscalers"), ("vertical_pod_autoscalers",),
            _title("Vertical autoscaler"), _VPA, say.vertical_summary, group=_SCALING,
            leading=_VPA_FIRST),
    Section("scaled_objects", _title("Scaling by events (KEDA)"), ("scaled_objects",), _title("Scaled object"), _KEDA,
            say.scaled_object_summary, group=_SCALING, leading=_KEDA_FIRST),
    Section("scaled_jobs", _title("Jobs for queues (KEDA)"), ("scaled_jobs",), _title("Scaled job"), _KEDA_JOBS,
            say.scaled_job_summary, group=_SCALING, leading=_KEDA_JOBS_FIRST),
    Section("proportional_autoscalers", _title("Proportional autoscalers"), ("proportional_autoscalers",),
            _title("Proportional autoscaler"), _PROPORTIONAL, say.proportional_summary, group=_SCALING),
    Section("node_autoscaler", _title("Node autoscaler"), ("node_autoscaler",), group=_SCALING),
    Section("cluster_autoscaler", _title("Cluster Autoscaler"), ("cluster_autoscaler",), group=_SCALING),
    Section("karpenter", _title("Karpenter"), ("karpenter",), group=_SCALING),
    Section("load_profiles", _title("Load profiles"), ("workloads",),
            _title("Load"), _LOAD, say.load_summary, _LOAD_FACET, _LOAD_GROUP),
    Section("metric_series", _title("Metric series"), ("metric_series",),
            _title("Series"), _SERIES, say.series_summary, group=_LOAD_GROUP),
    Section("events", _title("Events and faults"), ("events",), _title("Event"), _EVENT, say.event_summary,
            group=_LOAD_GROUP),
    Section("slos", _title("Objectives (SLO)"), ("workloads",), _title("Objective"), _SLO, say.slo_summary, ("slo",),
            _GOALS),
    Section("costs", _title("Costs and budget"), ("costs",), group=_GOALS),
    Section("scheduler", _title("Scheduler"), ("scheduler",), group=_CONTROL),
    Section("hpa_controller", _title("HPA controller and metrics"), ("hpa_controller", "metrics_pipeline"),
            group=_CONTROL),
    Section("vpa_settings", _title("VPA recommender and updater"), ("vpa_recommender", "vpa_updater"),
            group=_CONTROL),
    Section("admission", _title("Admission"), ("admission",), group=_CONTROL),
    Section("about", _title("Name and notes"), ("name", "notes")),
    Section("simulation", _title("Simulation"), _RUN),
)  # fmt: skip
"""In the order of the navigator, group by group: what the cluster is first, what a whole run is about last."""


def sections() -> tuple[Section, ...]:
    """The catalogue, and a section for each field of the plan that it does not name."""
    named = {name for section in CATALOGUE for name in section.fields}
    others = (field for field in fields_of(Plan) if field.name not in named)
    return (*CATALOGUE, *(Section(field.name, plan_text(field.shape.title), (field.name,)) for field in others))


def plain_columns(model: type[BaseModel]) -> tuple[str, ...]:
    """Columns of rows that name none: their plain fields."""
    plain = [field.name for field in fields_of(model) if _fits_a_cell(field.shape)]
    return tuple(plain[:_MOST_COLUMNS])


def _fits_a_cell(shape: Shape) -> bool:
    return shape.kind in SCALARS or shape.kind in (ShapeKind.CHOICE, ShapeKind.SWITCH)


_FOR_TRANSLATORS = (
    QT_TRANSLATE_NOOP("Sections", "Cluster"),
    QT_TRANSLATE_NOOP("Sections", "Autoscaling"),
    QT_TRANSLATE_NOOP("Sections", "Goals"),
    QT_TRANSLATE_NOOP("Sections", "Control plane"),
    QT_TRANSLATE_NOOP("Sections", "Plan"),
    QT_TRANSLATE_NOOP("Sections", "Node autoscaler"),
    QT_TRANSLATE_NOOP("Sections", "Karpenter"),
    QT_TRANSLATE_NOOP("Sections", "Node pools"),
    QT_TRANSLATE_NOOP("Sections", "Node pool"),
    QT_TRANSLATE_NOOP("Sections", "Workloads"),
    QT_TRANSLATE_NOOP("Sections", "Workload"),
    QT_TRANSLATE_NOOP("Sections", "Autoscaling (HPA)"),
    QT_TRANSLATE_NOOP("Sections", "Autoscaler"),
    QT_TRANSLATE_NOOP("Sections", "Overprovisioning"),
    QT_TRANSLATE_NOOP("Sections", "Reserve"),
    QT_TRANSLATE_NOOP("Sections", "Priority classes"),
    QT_TRANSLATE_NOOP("Sections", "Priority class"),
    QT_TRANSLATE_NOOP("Sections", "Load profiles"),
    QT_TRANSLATE_NOOP("Sections", "Load"),
    QT_TRANSLATE_NOOP("Sections", "Disruption budgets"),
    QT_TRANSLATE_NOOP("Sections", "Disruption budget"),
    QT_TRANSLATE_NOOP("Sections", "Events and faults"),
    QT_TRANSLATE_NOOP("Sections", "Event"),
    QT_TRANSLATE_NOOP("Sections", "Kubelet and eviction"),
    QT_TRANSLATE_NOOP("Sections", "Kubelet"),
    QT_TRANSLATE_NOOP("Sections", "Node lifecycle"),
    QT_TRANSLATE_NOOP("Sections", "Metric series"),
    QT_TRANSLATE_NOOP("Sections", "Series"),
    QT_TRANSLATE_NOOP("Sections", "Scaling by events (KEDA)"),
    QT_TRANSLATE_NOOP("Sections", "Scaled object"),
    QT_TRANSLATE_NOOP("Sections", "Jobs for queues (KEDA)"),
    QT_TRANSLATE_NOOP("Sections", "Scaled job"),
    QT_TRANSLATE_NOOP("Sections", "Vertical pod autoscalers"),
    QT_TRANSLATE_NOOP("Sections", "Vertical autoscaler"),
    QT_TRANSLATE_NOOP("Sections", "VPA recommender and updater"),
    QT_TRANSLATE_NOOP("Sections", "Limit ranges"),
    QT_TRANSLATE_NOOP("Sections", "Limit range"),
    QT_TRANSLATE_NOOP("Sections", "Proportional autoscalers"),
    QT_TRANSLATE_NOOP("Sections", "Proportional autoscaler"),
    QT_TRANSLATE_NOOP("Sections", "Services"),
    QT_TRANSLATE_NOOP("Sections", "Service"),
    QT_TRANSLATE_NOOP("Sections", "Namespaces"),
    QT_TRANSLATE_NOOP("Sections", "Namespace"),
    QT_TRANSLATE_NOOP("Sections", "Runtime classes"),
    QT_TRANSLATE_NOOP("Sections", "Runtime class"),
    QT_TRANSLATE_NOOP("Sections", "Admission"),
    QT_TRANSLATE_NOOP("Sections", "Cluster Autoscaler"),
    QT_TRANSLATE_NOOP("Sections", "Scheduler"),
    QT_TRANSLATE_NOOP("Sections", "HPA controller and metrics"),
    QT_TRANSLATE_NOOP("Sections", "Objectives (SLO)"),
    QT_TRANSLATE_NOOP("Sections", "Objective"),
    QT_TRANSLATE_NOOP("Sections", "Costs and budget"),
    QT_TRANSLATE_NOOP("Sections", "Name and notes"),
    QT_TRANSLATE_NOOP("Sections", "Simulation"),
)
