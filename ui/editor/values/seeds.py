"""What a new item starts with: every model of the plan gets values for its required fields."""

import itertools
from typing import Any

import annotated_types as bounds
from pydantic import BaseModel

from planner.matching.taints import TaintEffect
from planner.plan.files.places import model_tag
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.autoscalers.metric_series import MetricSeries, WorkloadValue
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler, LinearMode
from planner.plan.model.autoscalers.scaled_object import (
    CronTrigger,
    KedaFallback,
    ScaledJob,
    ScaledObject,
    ScalingModifiers,
    SeriesTrigger,
    UseTrigger,
)
from planner.plan.model.autoscalers.vertical_pod_autoscaler import LimitRange, VerticalPodAutoscaler
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.events.on_nodes import NodeClassChange, TaintNodes, ZoneOutage
from planner.plan.model.events.on_pools import ResizePool
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.karpenter.node_pools import PoolRequirement
from planner.plan.model.node_groups import NodeGroup, Taint
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import LabelSelector, TopologySpreadConstraint
from planner.plan.model.pods.pod_classes import RuntimeClass
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, LoadPoint, PointsLoad, Slo, SpikeLoad, Traffic
from planner.plan.model.use import UseOverTime
from planner.plan.model.workloads import SCALABLE, CronSettings, Namespace, Overprovisioning, Service, Workload
from planner.units import MIB, US_PER_MIN
from ui.editor.values.shapes import Shape, ShapeKind, fields_of

_A_RANGE = ("load = 0.5..1.5:0.25",)
_CALENDAR = CronTrigger(type="cron", start="0 8 * * 1-5", end="0 18 * * 1-5", desired_replicas=2)
_QUEUE = SeriesTrigger(type="series", series="queue", target=5_000)
_SMALL_POD = PodTemplate(containers=(Container(requests=Resources(cpu=250, memory=256 * MIB)),))

_PLAIN: dict[ShapeKind, Any] = {
    ShapeKind.TEXT: "",
    ShapeKind.SWITCH: False,
    ShapeKind.LIST: (),
    ShapeKind.MAP: {},
    ShapeKind.PORTION: 1,
}
_BETTER: dict[type[BaseModel], dict[str, Any]] = {
    PoolRequirement: {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ("on-demand",)},
    NodeGroup: {"name": "pool", "cpu": "4", "memory": "16Gi"},
    Workload: {"name": "workload", "pod": _SMALL_POD},
    Overprovisioning: {"name": "reserve", "replicas": 1, "pod": _SMALL_POD},
    HorizontalPodAutoscaler: {"name": "autoscaler", "max_replicas": 10},
    HpaMetric: {"average_utilization": 80},
    Traffic: {"profile": ConstantLoad(type="constant", rate=100)},
    ConstantLoad: {"rate": 100},
    DiurnalLoad: {"mean": 100, "amplitude": 50},
    SpikeLoad: {"base": 100, "peak": 400, "start": "10m", "rise": "1m", "hold": "10m", "decay": "1m"},
    PointsLoad: {"points": (LoadPoint(at=0, rate=100), LoadPoint(at=30 * US_PER_MIN, rate=300))},
    Slo: {"target": "500ms"},
    TopologySpreadConstraint: {"topology_key": "topology.kubernetes.io/zone"},
    LinearMode: {"nodes_per_replica": 4},
    ClusterProportionalAutoscaler: {
        "name": "proportional",
        "targets": ("workload",),
        "mode": LinearMode(type="linear", nodes_per_replica=4),
    },
    VerticalPodAutoscaler: {"name": "vertical"},
    LimitRange: {"name": "limits"},
    CronSettings: {"schedule": "0 * * * *"},
    ScaledObject: {"name": "events", "scale_target": "workload", "triggers": (_CALENDAR,)},
    ScaledJob: {"name": "jobs", "job_target": "job", "triggers": (_QUEUE,)},
    SeriesTrigger: {"series": "queue", "target": 5_000},
    UseTrigger: {"type": "cpu", "average_utilization": 60},
    CronTrigger: {"start": "0 8 * * 1-5", "end": "0 18 * * 1-5", "desired_replicas": 2},
    KedaFallback: {"failure_threshold": 3, "replicas": 2},
    ScalingModifiers: {"formula": "1", "target": 1_000},
    PodDisruptionBudget: {"name": "budget", "max_unavailable": 1},
    ZoneOutage: {"zone": "zone-a"},
    TaintNodes: {"taint": Taint(key="maintenance", effect=TaintEffect.NO_EXECUTE)},
    ResizePool: {"min_size": 0, "max_size": 10},
    MetricSeries: {"name": "requests"},
    WorkloadValue: {"workload": "workload"},
    Namespace: {"name": "namespace"},
    Service: {"name": "service"},
    Vary: {"name": "vary", "over": _A_RANGE},
    Search: {"name": "search", "over": _A_RANGE},
    RuntimeClass: {"name": "runtime"},
}
"""Better than the smallest value the field accepts."""


_IN_FIELDS: dict[tuple[type[BaseModel], str], Any] = {
    (UseOverTime, "cpu"): ConstantLoad(type="constant", rate=0.1),
    (UseOverTime, "memory"): ConstantLoad(type="constant", rate=256 * MIB),
}
"""Where a field means something else by its model than others do: cores and bytes instead of requests."""


def seed_of(shape: Shape) -> Any:
    """A first value of a field or item that must have one."""
    if shape.owner is not None and (shape.owner, shape.name) in _IN_FIELDS:
        return _IN_FIELDS[shape.owner, shape.name]
    if shape.kind is ShapeKind.GROUP:
        return new_model(shape.model)
    if shape.kind is ShapeKind.VARIANT:
        return new_model(shape.models[0])
    if shape.kind is ShapeKind.CHOICE:
        return shape.choices[0]
    if shape.kind is ShapeKind.AMOUNT:
        assert shape.spelling is not None
        return shape.spelling.parse(shape.spelling.example)
    if shape.kind in (ShapeKind.WHOLE, ShapeKind.NUMBER):
        return max(shape.limit(bounds.Ge, "ge") or 0, min(1, shape.limit(bounds.Le, "le") or 1))
    if shape.kind is ShapeKind.TEXT and shape.limit(bounds.MinLen, "min_length"):
        return "name"
    if shape.kind is ShapeKind.LIST and shape.limit(bounds.MinLen, "min_length"):
        assert shape.item is not None
        return (seed_of(shape.item),)
    return _PLAIN[shape.kind]


def new_model(model: type[BaseModel], **given: Any) -> BaseModel:
    """A model with `given`, what suits it, and a seed for what is still required."""
    values = _BETTER.get(model, {}) | given
    tag = model_tag(model)
    if tag is not None and "type" not in values:
        values = {"type": tag} | values
    for field in fields_of(model):
        if field.shape.required and field.name not in values:
            values[field.name] = seed_of(field.shape)
    return model.model_validate(values)


def new_point(points: tuple[LoadPoint, ...]) -> LoadPoint:
    """A corner behind the last one: points are in order of time."""
    if not points:
        return LoadPoint(at=0, rate=100)
    gap = points[-1].at - points[-2].at if len(points) > 1 else 10 * US_PER_MIN
    return LoadPoint(at=points[-1].at + gap, rate=points[-1].rate)


def new_row(section: str, plan: Plan, names: frozenset[str], tag: str = "") -> BaseModel:
    """A row for a list of the plan, with a name that is not taken; of several kinds the one with the tag."""
    item = next(field.shape.item for field in fields_of(Plan) if field.name == section)
    assert item is not None
    model = next((one for one in item.models if model_tag(one) == tag), item.model)
    given = named_in(model, plan)
    row = new_model(model, **given)
    if "name" not in model.model_fields:
        return row
    return new_model(model, **given | {"name": free_name(str(getattr(row, "name", "")), names)})


def named_in(model: type[BaseModel], plan: Plan) -> dict[str, Any]:
    """What a new item names: the first pool, zone or workload of the plan; an autoscaler a workload that has none."""
    if model is HorizontalPodAutoscaler:
        return _unscaled_workload(plan)
    if model is ClusterProportionalAutoscaler:
        return {"targets": (_first_scalable(plan),)}
    if model is ScaledObject:
        return {key: value for key, value in _unscaled_workload(plan).items() if key != "name"}
    if model is ScaledJob:
        return _job_and_queue(plan)
    if model is VerticalPodAutoscaler:
        return _unsized_workload(plan)
    if model is PodDisruptionBudget and any(one.kind in SCALABLE for one in plan.workloads):
        workload = next(one for one in plan.workloads if one.kind in SCALABLE)
        selector = LabelSelector(match_labels={"app": workload.name})
        return {"name": workload.name, "namespace": workload.namespace, "selector": selector}
    if model is MetricSeries:
        serving = next((one.name for one in plan.workloads if one.traffic is not None), "workload")
        return {"source": WorkloadValue(type="workload", workload=serving)}
    if model is NodeClassChange and plan.karpenter.node_pools:
        return {"node_group": plan.karpenter.node_pools[0].name}
    if model is PlanChangeEvent:
        return {"changes": (f"workloads[{_first_scalable(plan)}].replicas = 3",)}
    zone = next((group.zone for group in plan.node_groups if group.zone), "")
    first = {
        "node_group": plan.node_groups[0].name if plan.node_groups else "",
        "workload": plan.workloads[0].name if plan.workloads else "",
        "zone": zone,
    }
    wanted = {name for name, info in model.model_fields.items() if info.is_required()}
    return {name: value for name, value in first.items() if value and name in wanted}


def _unscaled_workload(plan: Plan) -> dict[str, Any]:
    scaled = {(known.namespace, known.scale_target) for known in plan.horizontal_pod_autoscalers}
    scaled |= {(known.namespace, known.scale_target) for known in plan.scaled_objects}
    free = (one for one in plan.workloads if one.kind == "Deployment" and (one.namespace, one.name) not in scaled)
    target = next(free, None)
    if target is None:
        return {"scale_target": plan.workloads[0].name if plan.workloads else "workload"}
    return {"name": target.name, "namespace": target.namespace, "scale_target": target.name}


def _job_and_queue(plan: Plan) -> dict[str, Any]:
    """The first Job, which works off the first metric series."""
    job = next((one for one in plan.workloads if one.kind == "Job"), None)
    given: dict[str, Any] = {} if job is None else {"job_target": job.name, "namespace": job.namespace}
    if plan.metric_series:
        given["triggers"] = (_QUEUE.model_copy(update={"series": plan.metric_series[0].name}),)
    return given


def _unsized_workload(plan: Plan) -> dict[str, Any]:
    """A workload whose pods no vertical autoscaler sizes already."""
    sized = {(known.namespace, known.target) for known in plan.vertical_pod_autoscalers}
    free = (one for one in plan.workloads if one.kind in SCALABLE and (one.namespace, one.name) not in sized)
    target = next(free, None)
    if target is None:
        return {"target": plan.workloads[0].name if plan.workloads else "workload"}
    return {"name": target.name, "namespace": target.namespace, "target": target.name}


def _first_scalable(plan: Plan) -> str:
    """A workload that no horizontal autoscaler scales already."""
    scaled = {known.scale_target for known in plan.horizontal_pod_autoscalers}
    free = (one.name for one in plan.workloads if one.kind in SCALABLE and one.name not in scaled)
    return next(free, "workload")


def free_name(wanted: str, taken: frozenset[str]) -> str:
    """The wanted name, or the first of wanted-2, wanted-3 ... that is free; of web-007 it is web-002, web-003 ..."""
    if wanted not in taken:
        return wanted
    stem, _, number = wanted.rpartition("-")
    stem = (stem if stem and number.isdigit() else wanted)[:55].rstrip("-.")
    digits = len(number) if number.isdigit() and number.startswith("0") else 0
    names = (f"{stem}-{count:0{digits}}" for count in itertools.count(2))
    return next(name for name in names if name not in taken)
