"""Checks before any metric is read: the target's kind, its selector, and who else selects its pods."""

from collections.abc import Collection, Mapping, Sequence

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.multi_metric import MetricsResult
from planner.hpa.rules.observations import ObservedPod
from planner.hpa.rules.selector import parse_selector, selects

SELECTOR_REQUIRED = "SelectorRequired"


def is_known_target(api_version: str, kind: str, known: Collection[tuple[str, str]]) -> bool:
    """Whether a scaleTargetRef names a kind of the cluster. `known` holds pairs of API group and kind.

    The version is not compared: the controller maps group and kind. "a/b/c" is no API version at all.
    """
    parts = api_version.split("/")
    if len(parts) > 2:
        return False
    group = parts[0] if len(parts) == 2 else ""
    return (group, kind) in known


def check_selector(
    selector: str, others: Mapping[str, str], pods: Sequence[ObservedPod]
) -> tuple[MetricsResult | None, tuple[ObservedPod, ...]]:
    """The pods a scale's selector matches, or the result that stops the evaluation (spec/hpa.md section 3).

    `others`: selectors of the other autoscalers of the namespace, by name.
    """
    if not selector:
        return _stop(ConditionReason.INVALID_SELECTOR, SELECTOR_REQUIRED), ()
    try:
        own = parse_selector(selector)
    except ValueError:
        return _stop(ConditionReason.INVALID_SELECTOR, ConditionReason.INVALID_SELECTOR), ()
    matched = tuple(pod for pod in pods if selects(own, pod.labels))
    rivals = sorted(name for name, text in others.items() if _selects_any(text, matched))
    if rivals:
        return _stop(ConditionReason.AMBIGUOUS_SELECTOR, ConditionReason.AMBIGUOUS_SELECTOR, ",".join(rivals)), matched
    return None, matched


def _selects_any(text: str, pods: Sequence[ObservedPod]) -> bool:
    try:
        requirements = parse_selector(text)
    except ValueError:
        return False
    return any(selects(requirements, pod.labels) for pod in pods)


def _stop(reason: ConditionReason, event: str, detail: str = "") -> MetricsResult:
    return MetricsResult(
        replicas=None, reason=reason, detail=f"{event} {detail}".strip(), events=(str(event),), has_error=True
    )
