"""Hypothesis strategies made from the plan's models, so that a new field is covered by itself."""

import re
import types
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types as bounds
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, ScalingPolicy
from planner.plan.model.autoscalers.hpa_metric import (
    ALLOWED_TARGETS,
    RESOURCE_SOURCES,
    HpaMetric,
    MetricSource,
    TargetType,
)
from planner.plan.model.autoscalers.proportional_autoscaler import LadderMode, LinearMode
from planner.plan.model.autoscalers.scaled_object import CronTrigger, ScaledObject, SeriesTrigger, UseTrigger
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.events.times import Timed
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.karpenter.node_pools import PoolBudget, PoolRequirement
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.plan.model.traffic import MAX_VALUE, ClipLoad, PointsLoad, TraceLoad
from planner.plan.model.workloads import CronSettings
from planner.units import US_PER_S

_MAX_PROFILE_DEPTH = 3
_LETTERS = st.characters(exclude_categories=("Cs",))


def plans() -> st.SearchStrategy[Plan]:
    """Any plan the models accept, with most fields left at their defaults."""
    return _model(Plan, 0).filter(lambda plan: plan.schema_version == SCHEMA_VERSION)


@st.composite
def _model(draw: Any, model: type[BaseModel], depth: int) -> Any:
    fields = {}
    for name, info in model.model_fields.items():
        if name == "schema_version" or not (info.is_required() or draw(st.booleans())):
            continue
        fields[name] = draw(_values_of(model, name, depth + 1))
    repair = _REPAIRS.get(model, _repair_timed if issubclass(model, Timed) else lambda _fields: None)
    repair(fields)
    try:
        return model(**fields)
    except ValidationError:
        required = {name: value for name, value in fields.items() if model.model_fields[name].is_required()}
        repair(required)
        return model(**required)


@cache
def _values_of(model: type[BaseModel], field: str, depth: int) -> st.SearchStrategy[Any]:
    """Kept: what Hypothesis finds out about a strategy costs more than a value."""
    info = model.model_fields[field]
    return _values(info.annotation, tuple(info.metadata), depth)


def _values(annotation: Any, metadata: tuple[Any, ...], depth: int) -> st.SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = [own for mark in annotation.__metadata__ for own in (getattr(mark, "metadata", None) or [mark])]
        return _values(arguments[0], metadata + tuple(inner), depth)
    if origin in (Union, types.UnionType):
        return st.one_of([_values(part, metadata, depth) for part in arguments if _is_shallow(part, depth)])
    if annotation is type(None):
        return st.none()
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple:
        least, most = _lengths(metadata)
        return st.lists(_values(arguments[0], (), depth), min_size=least, max_size=max(least, min(most, 2))).map(tuple)
    if origin is dict:
        return st.dictionaries(_values(arguments[0], (), depth), _values(arguments[1], (), depth), max_size=2)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return st.deferred(lambda: _model(annotation, depth))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(list(annotation))
    return _plain(annotation, metadata)


def _is_shallow(part: Any, depth: int) -> bool:
    """Profiles hold profiles; the nesting must end."""
    nested = isinstance(part, type) and issubclass(part, BaseModel) and {"profile", "profiles"} & set(part.model_fields)
    return not nested or part.__name__ == "Traffic" or depth < 3 + _MAX_PROFILE_DEPTH


def _plain(annotation: Any, metadata: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        low, high = _range(metadata, -(2**40), 2**40)
        return st.integers(int(low), int(high))
    if annotation is float:
        low, high = _range(metadata, -1e12, 1e12)
        open_low = any(isinstance(mark, bounds.Gt) for mark in metadata)
        return st.floats(low, high, exclude_min=open_low, allow_nan=False)
    if annotation is str:
        least, most = _lengths(metadata)
        if any(getattr(mark, "pattern", None) for mark in metadata):
            return st.from_regex(r"\A[a-z0-9]([-a-z0-9.]{0,8}[a-z0-9])?\Z")
        return st.text(_LETTERS, min_size=least, max_size=min(most, 12))
    raise NotImplementedError(f"teach the strategy {annotation}")


def _range(metadata: tuple[Any, ...], low: float, high: float) -> tuple[float, float]:
    for mark in metadata:
        if (least := getattr(mark, "ge", None)) is not None:
            low = max(low, least)
        if (below := getattr(mark, "gt", None)) is not None:
            low = max(low, below + (0 if isinstance(low, float) else 1))
        if (most := getattr(mark, "le", None)) is not None:
            high = min(high, most)
        if (above := getattr(mark, "lt", None)) is not None:
            high = min(high, above - 1)
    return low, high


def _lengths(metadata: tuple[Any, ...]) -> tuple[int, int]:
    least = max((mark.min_length for mark in metadata if isinstance(mark, bounds.MinLen)), default=0)
    most = min((mark.max_length for mark in metadata if isinstance(mark, bounds.MaxLen)), default=1_000)
    return least, most


def _repair_points(fields: dict[str, Any]) -> None:
    by_time = {point.at: point for point in fields["points"]}
    fields["points"] = tuple(by_time[at] for at in sorted(by_time))


def _repair_clip(fields: dict[str, Any]) -> None:
    low, high = fields.get("min", 0.0), fields.get("max", MAX_VALUE)
    fields["min"], fields["max"] = min(low, high), max(low, high)


def _repair_metric(fields: dict[str, Any]) -> None:
    source = fields.get("type", MetricSource.RESOURCE)
    allowed = ALLOWED_TARGETS[source]
    if fields.get("target_type", TargetType.UTILIZATION) not in allowed:
        fields["target_type"] = allowed[0]
    target = fields.get("target_type", TargetType.UTILIZATION)
    fields["container"] = "main" if source is MetricSource.CONTAINER_RESOURCE else ""
    fields["metric"] = "" if source in RESOURCE_SOURCES else "queue"
    for kind, name, example in (
        (TargetType.UTILIZATION, "average_utilization", 60),
        (TargetType.AVERAGE_VALUE, "average_value", 250),
        (TargetType.VALUE, "value", 250),
    ):
        fields[name] = (fields.get(name) or example) if kind is target else None


def _repair_linear(fields: dict[str, Any]) -> None:
    fields["max"] = max(fields.get("max", 0), fields.get("min", 1), 1)
    if not fields.get("nodes_per_replica"):
        fields["cores_per_replica"] = fields.get("cores_per_replica") or 4.0


def _repair_ladder(fields: dict[str, Any]) -> None:
    for name in ("cores_to_replicas", "nodes_to_replicas"):
        fields[name] = tuple({step.threshold: step for step in fields.get(name, ())}.values())


def _repair_policy(fields: dict[str, Any]) -> None:
    fields["period"] = max(fields["period"] // US_PER_S, 1) * US_PER_S


def _repair_autoscaler(fields: dict[str, Any]) -> None:
    fields["max_replicas"] = max(fields["max_replicas"], fields.get("min_replicas", 1))


def _repair_expanders(fields: dict[str, Any]) -> None:
    names = fields.get("expander", ())
    chain = [name for name in dict.fromkeys(names) if name is not ExpanderName.RANDOM]
    fields["expander"] = tuple(chain) or (ExpanderName.RANDOM,)


def _repair_tier(fields: dict[str, Any]) -> None:
    fields["groups"] = tuple(re.escape(pattern) for pattern in fields.get("groups", ()))


def _repair_variant(fields: dict[str, Any]) -> None:
    fields["changes"] = tuple(f"load = {index + 1}" for index, _ in enumerate(fields.get("changes", ())))


def _repair_space(fields: dict[str, Any]) -> None:
    fields["over"] = tuple(f"load = 0.5..{index + 1}:0.25" for index, _ in enumerate(fields["over"]))


def _repair_plan(fields: dict[str, Any]) -> None:
    inputs = enumerate(fields.get("uncertain_inputs", ()))
    fields["uncertain_inputs"] = tuple(f"load ~ uniform(0.5, {index + 1})" for index, _ in inputs)


def _repair_requirement(fields: dict[str, Any]) -> None:
    operator = fields["operator"]
    if operator in ("Gt", "Lt", "Gte", "Lte"):
        fields["values"] = ("3",)
    elif operator in ("Exists", "DoesNotExist"):
        fields.pop("values", None)
    elif not fields.get("values"):
        fields["values"] = ("x",)


def _repair_budget(fields: dict[str, Any]) -> None:
    fields.pop("duration", None)
    fields.pop("schedule", None)


def _repair_use_trigger(fields: dict[str, Any]) -> None:
    fields.pop("average_value", None)
    fields.setdefault("average_utilization", 60)


def _repair_series_trigger(fields: dict[str, Any]) -> None:
    fields["target"] = max(fields["target"], 1)


def _repair_cron_trigger(fields: dict[str, Any]) -> None:
    fields.pop("timezone", None)
    fields["start"], fields["end"] = "0 8 * * *", "0 18 * * 1-5"


def _repair_scaled_object(fields: dict[str, Any]) -> None:
    for name in ("idle_replicas", "scaling_modifiers"):
        fields.pop(name, None)
    if fields.get("min_replicas") is not None:
        fields["max_replicas"] = max(fields.get("max_replicas", 100), fields["min_replicas"])


def _repair_timed(fields: dict[str, Any]) -> None:
    for name in ("schedule", "time_zone"):
        fields.pop(name, None)


def _repair_change(fields: dict[str, Any]) -> None:
    _repair_timed(fields)
    fields["changes"] = ("workloads[web].replicas = 3",)


def _repair_cron_settings(fields: dict[str, Any]) -> None:
    fields.pop("time_zone", None)
    fields["schedule"] = "0 8 * * *"


_REPAIRS = {
    PlanChangeEvent: _repair_change,
    CronSettings: _repair_cron_settings,
    UseTrigger: _repair_use_trigger,
    SeriesTrigger: _repair_series_trigger,
    CronTrigger: _repair_cron_trigger,
    ScaledObject: _repair_scaled_object,
    PoolRequirement: _repair_requirement,
    PoolBudget: _repair_budget,
    Plan: _repair_plan,
    Variant: _repair_variant,
    Vary: _repair_space,
    Search: _repair_space,
    PointsLoad: _repair_points,
    TraceLoad: _repair_points,
    ClipLoad: _repair_clip,
    HpaMetric: _repair_metric,
    LinearMode: _repair_linear,
    LadderMode: _repair_ladder,
    ScalingPolicy: _repair_policy,
    HorizontalPodAutoscaler: _repair_autoscaler,
    ClusterAutoscalerSettings: _repair_expanders,
    PriorityTier: _repair_tier,
}
"""What the models demand between fields, so that drawn values are rarely refused."""
