"""Placeholder series for autoscaler metrics: manifests contain no values, so the user has to fill them in."""

import re

from planner.kube.draft.draft import Draft, Part, SeriesPart
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.units import parse_cpu_milli

_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_.:/-]")
_MAX_NAME = 200
_FILL_IN = marked(
    "metric series {name}: manifests do not contain its values. A constant is used instead, so that {scaler} {effect}; "
    "give the series the load of a workload or a profile"
)
_HOLDS, _FOLLOWS, _RESTS = marked("keeps its size"), marked("follows its other metrics alone"), marked("makes no jobs")


def series_name(name: str, scaler: str, taken: dict[str, None]) -> str:
    """A unique name for the series: two autoscalers may name one metric and mean different values."""
    plain = _NOT_ALLOWED.sub("_", name)[:_MAX_NAME]
    found, number = plain, 1
    while found in taken:
        ending = f"-{scaler}" if number == 1 else f"-{scaler}-{number}"
        found = plain[: _MAX_NAME - len(ending)] + ending
        number += 1
    taken[found] = None
    return found


def stand_in(part: SeriesPart, name: str, scaler: str, replicas: int, alone: bool, draft: Draft) -> Part:
    """A series of a constant: 0 leaves the decision to other metrics; `alone`, at the target, it moves nothing."""
    target = parse_cpu_milli(part.target) / 1000
    is_shared = part.target_type is TargetType.AVERAGE_VALUE and part.source is not MetricSource.PODS
    value = target * replicas if is_shared else target
    effect = tr(_HOLDS) if alone else tr(_FOLLOWS)
    draft.losses.remark(tr(_FILL_IN, name=name, scaler=tr("the autoscaler {scaler}", scaler=scaler), effect=effect))
    series = _constant(name, value if alone else 0.0)
    return series | ({"perPod": True} if part.source is MetricSource.PODS else {})


def empty_queue(name: str, scaler: str, draft: Draft) -> Part:
    """A series of 0, for which a ScaledJob makes no jobs."""
    draft.losses.remark(tr(_FILL_IN, name=name, scaler=tr("the scaled job {scaler}", scaler=scaler), effect=tr(_RESTS)))
    return _constant(name, 0.0)


def _constant(name: str, value: float) -> Part:
    return {"name": name, "source": {"type": "profile", "profile": {"type": "constant", "rate": value}}}
