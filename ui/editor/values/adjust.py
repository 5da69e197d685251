"""Values that must change together, so that no form is stuck between two of them."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from planner.plan.files.places import model_tag
from planner.plan.model.autoscalers.hpa_metric import (
    ALLOWED_TARGETS,
    RESOURCE_SOURCES,
    HpaMetric,
    MetricSource,
    TargetType,
)
from planner.plan.model.traffic import ClipLoad, DiurnalLoad, ScaleLoad, SumLoad
from ui.editor.values.seeds import new_model

_TARGET_FIELDS = {
    TargetType.UTILIZATION: ("average_utilization", 80),
    TargetType.AVERAGE_VALUE: ("average_value", 250),
    TargetType.VALUE: ("value", 100_000),
}
"""The field of the target of a type, and its initial value (percent, milli-units)."""


def _target_type(metric: Any, chosen: Any) -> dict[str, Any]:
    changes: dict[str, Any] = {name: None for name, _start in _TARGET_FIELDS.values()}
    name, start = _TARGET_FIELDS[TargetType(chosen)]
    return changes | {name: getattr(metric, name) or start}


def _metric_source(metric: Any, chosen: Any) -> dict[str, Any]:
    source = MetricSource(chosen)
    allowed = ALLOWED_TARGETS[source]
    kind = metric.target_type if metric.target_type in allowed else allowed[0]
    return {
        "container": (metric.container or "main") if source is MetricSource.CONTAINER_RESOURCE else "",
        "metric": "" if source in RESOURCE_SOURCES else metric.metric or "requests",
        "target_type": kind,
    } | _target_type(metric, kind)


def _weekday_factors(_profile: Any, chosen: Any) -> dict[str, Any]:
    """They replace the weekend factor."""
    return {"weekend_factor": 1.0} if chosen else {}


_COMPANIONS: dict[tuple[type[BaseModel], str], Callable[[Any, Any], dict[str, Any]]] = {
    (HpaMetric, "target_type"): _target_type,
    (HpaMetric, "type"): _metric_source,
    (DiurnalLoad, "weekday_factors"): _weekday_factors,
}


def companions(parent: object, name: str, value: Any) -> dict[str, Any]:
    """Other fields of the model that change with this one."""
    if not isinstance(parent, BaseModel):
        return {}
    change = _COMPANIONS.get((type(parent), name))
    return change(parent, value) if change else {}


def as_alternative(old: BaseModel, model: type[BaseModel], known: Mapping[str, Any] | None = None) -> BaseModel:
    """Another kind of the same thing that keeps what both have; a sum, scale or clip keeps the whole as its part.

    `known`: values for fields that the old kind does not have.
    """
    if type(old) is model:
        return old
    if model is SumLoad:
        return new_model(model, profiles=(old,))
    if model in (ScaleLoad, ClipLoad):
        return new_model(model, profile=old)
    if isinstance(old, ScaleLoad | ClipLoad):
        return as_alternative(old.profile, model)
    if isinstance(old, SumLoad):
        return as_alternative(old.profiles[0], model)
    return _with_common(old, model, known or {})


_LIKE = {"rate": ("base", "mean", "from_rate"), "base": ("rate", "mean", "from_rate"), "mean": ("rate", "base"),
         "from_rate": ("rate", "base", "mean"), "peak": ("to_rate",), "to_rate": ("peak",)}  # fmt: skip


_IN_PROPORTION = {"peak": ("base", 4.0), "to_rate": ("from_rate", 2.0), "amplitude": ("mean", 0.5)}
"""What the old kind says nothing about, as a multiple of what it does: a spike begins as one of four times the load."""


def _with_common(old: BaseModel, model: type[BaseModel], known: Mapping[str, Any]) -> BaseModel:
    kept: dict[str, Any] = dict(known)
    for name in model.model_fields:
        source = next((one for one in (name, *_LIKE.get(name, ())) if one in type(old).model_fields), None)
        if source is not None and source != "type":
            kept[name] = getattr(old, source)
    for name, (basis, factor) in _IN_PROPORTION.items():
        if name in model.model_fields and name not in kept and kept.get(basis):
            kept[name] = factor * kept[basis]
    try:
        return new_model(model, **kept)
    except ValidationError:
        return new_model(model, **known)


def chosen_model(models: tuple[type[BaseModel], ...], value: object) -> int:
    """Which of the alternatives a value is."""
    return next((index for index, model in enumerate(models) if isinstance(value, model)), 0)


def tag_of(model: type[BaseModel]) -> str:
    """The word that selects an alternative."""
    return model_tag(model) or model.__name__
