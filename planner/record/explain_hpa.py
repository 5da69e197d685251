"""Decisions of horizontal and proportional pod autoscalers as sentences, and their computation step by step."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.facts import Facts, counted, join, number_text

_ROUNDING = 1e-6
HPA_LIMITS = MappingProxyType(
    {
        "ScaleUpStabilized": "the scale-up stabilization window",
        "ScaleDownStabilized": "the scale-down stabilization window",
        "ScaleUpLimit": "the rate of scaling up",
        "ScaleDownLimit": "the rate of scaling down",
        "TooManyReplicas": "the maximum of replicas",
        "TooFewReplicas": "the minimum of replicas",
    }
)
_FAILURES = MappingProxyType(
    {
        "MetricsAPIError": "the metrics API does not answer",
        "NoMetricsReturned": "no metrics returned from resource metrics API",
        "ContainerNotInMetrics": "a pod has no such container",
        "NoPods": "no pods match",
        "NoUsableMetrics": "no pod has a sample that counts",
        "MissingRequest": "missing request of a container",
        "MissingPodLevelRequest": "missing request of the pod",
        "ContainerNotInPod": "a pod has no such container",
        "ZeroRequests": "the requests add up to 0",
    }
)
_DETAILS_OF_STEPS = ("conditions", "events", "others")
_FIGURES_OF_STEPS = ("tolerance", "ready", "unready", "missing", "first_ratio", "stabilized")


def hpa_steps(decision: Decision) -> tuple[str, ...]:
    """The computation of one evaluation, one line a step: samples, use, ratio, tolerance, windows, limits, size."""
    return tuple(step for step in _steps(decision.figures, decision.details) if step)


def _steps(figures: Mapping[str, float], details: Mapping[str, str]) -> Iterator[str]:
    def number(key: str) -> str:
        return number_text(figures[key])

    if "others" in details:
        yield f"Metrics: {details['others']}; the largest proposal counts."
    if "metric" in details:
        yield f"Metric: {details['metric']}."
    if "ready" in figures:
        left_out = [f"{number(key)} {text}" for key, text in _GROUPS if figures.get(key)]
        rest = f"; set aside: {', '.join(left_out)}" if left_out else ""
        yield f"Samples: {counted(number('ready'), 'pod')} counted{rest}."
    if "utilization_pct" in figures:
        yield f"Use: {number('utilization_pct')} % of the requests against {number('target_pct')} %."
    elif "target_milli" in figures:
        value = figures.get("average_milli", figures.get("value_milli", 0.0))
        yield f"Use: {number_text(value / 1000)} against {number_text(figures['target_milli'] / 1000)}."
    if "first_ratio" in figures:
        yield f"Ratio {number('first_ratio')}; with the pods set aside put in carefully: {number('ratio')}."
    elif "ratio" in figures:
        yield f"Ratio {number('ratio')}."
    yield from _tolerance_step(figures)
    if "proposal" in figures:
        yield f"Raw proposal: {counted(number('proposal'), 'replica')}."
    if "stabilized" in figures:
        yield f"Window: {number('stabilized')} by {_limit(details.get('held', ''))}."
    if "limited" in details:
        yield f"Limit: {number('desired')} by {_limit(details['limited'])}."
    if "reason" in details:
        yield f"Reason: {_FAILURES.get(details['reason'], details['reason'])}."
    yield f"Size: {number('current')} to {number('desired')}."
    for condition in details.get("conditions", "").split():
        kind, _, state = condition.partition("=")
        status, _, reason = state.partition(":")
        yield f"Condition {kind} {status}: {reason}."


_GROUPS = (("unready", "not ready or still starting"), ("missing", "without sample"))


def _tolerance_step(figures: Mapping[str, float]) -> Iterator[str]:
    ratio, tolerance = figures.get("ratio"), figures.get("tolerance")
    if ratio is None or tolerance is None:
        return
    # The rule compares with 1 + tolerance and 1 - tolerance; so does this.
    inside = 1.0 - tolerance <= ratio <= 1.0 + tolerance
    yield f"Tolerance {number_text(tolerance)}: {'inside, nothing to change' if inside else 'exceeded'}."


# -- sentences --------------------------------------------------------------------------------


def _figures(facts: Facts) -> str:
    """Use, ratio and raw proposal, as far as known."""
    ratio, proposal = facts.number("ratio"), facts.number("proposal")
    ratio = ratio and f"ratio {ratio}{_counted_in(facts.decision.figures)}{_range(facts, 'ratio')}"
    proposal = proposal and f"raw proposal {proposal}{_range(facts, 'proposal')}"
    return ", ".join(part for part in (_use(facts), ratio, proposal) if part)


def _range(facts: Facts, key: str) -> str:
    """Lowest and highest value of a figure over the repeats, where it moved."""
    low, high = facts.number(f"{key}_low"), facts.number(f"{key}_high")
    return f" ({low} to {high} over the repeats)" if low is not None and high is not None else ""


def _use(facts: Facts) -> str:
    """What was measured against the target; CPU in milli-CPU a pod, other amounts in milli-units."""
    utilization, target = facts.number("utilization_pct"), facts.number("target_pct")
    average, average_target = facts.number("average_milli"), facts.number("target_milli")
    value = facts.number("value_milli")
    average = (average and f"{average}m a pod") or (value and f"{value}m")
    if utilization is not None:
        text = f"{utilization} %" + (f" ({average})" if average else "")
    else:
        text = average or ""
    limit = (target and f"{target} %") or (average_target and f"{average_target}m")
    return f"{text} against {limit}" if text and limit else text or (f"target {limit}" if limit else "")


def _counted_in(figures: Mapping[str, float]) -> str:
    """Says why a ratio is not simply use by target."""
    use, target = figures.get("utilization_pct"), figures.get("target_pct")
    ratio = figures.get("ratio", float("nan"))
    if use is None or not target or ratio == 1.0 or not abs(use / target - ratio) > _ROUNDING:
        return ""
    return " with the pods that are not ready or not measured"


def _limits(facts: Facts) -> str | None:
    held, limited = facts.word("held"), facts.word("limited")
    return join(held and f"held by {_limit(held)}", limited and f"limited by {_limit(limited)}") or None


def _limit(code: str) -> str:
    return HPA_LIMITS.get(code, code)


def _scaled(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    _leave_to_steps(facts)
    _same_names(facts)  # the reason names the metric
    reason = facts.word("reason") or _direction(facts.decision.figures)
    text = f"New size: {desired}" if desired is not None else "Rescaled"
    text += f" (was {current})" if current is not None else ""
    figures = _figures(facts)
    cause = f"reason: {reason}" + (f": {figures}" if figures else "") if reason else figures
    return join(text, cause, _limits(facts))


def _direction(figures: Mapping[str, float]) -> str:
    utilization, target = figures.get("utilization_pct"), figures.get("target_pct")
    if utilization is None or target is None or utilization == target:
        return ""
    if utilization > target:
        return "cpu resource utilization (percentage of request) above target"
    return "All metrics below target"


def _kept(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    _leave_to_steps(facts)
    size = current or desired
    text = f"Size kept at {size}" if size is not None else "Size kept"
    if "ScalingActive=False:ScalingDisabled" in facts.decision.details.get("conditions", ""):
        text += " (ScalingDisabled: at 0 replicas the autoscaler is switched off)"
    metric = _same_names(facts)
    figures = ": ".join(part for part in (metric, _figures(facts)) if part)
    return join(text, figures, facts.word("reason"), _limits(facts))


def _no_metrics(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    _leave_to_steps(facts)
    reason = facts.word("reason") or "NoMetricsReturned"
    metric = _same_names(facts)
    what = f"failed to get {metric or 'cpu utilization'}: {_FAILURES.get(reason, reason)}"
    size = desired or current
    return join(what, size and f"size stays {size}")


def _leave_to_steps(facts: Facts) -> None:
    """What only the computation step by step tells."""
    for key in _DETAILS_OF_STEPS:
        facts.word(key)
    for key in _FIGURES_OF_STEPS:
        facts.number(key)


def _same_names(facts: Facts) -> str | None:
    """The metric. The autoscaler's name is told only where it differs from its workload's."""
    if facts.decision.details.get("hpa") == facts.decision.subject:
        facts.word("hpa")
    return facts.word("metric")


def _proportional(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    nodes, cores = facts.number("nodes"), facts.number("cores")
    mode, by = facts.word("mode"), facts.word("autoscaler")
    return f"New size: {desired} (was {current}); {by} counts {nodes} nodes with {cores} cores, {mode} mode"


HPA_SENTENCES: Mapping[tuple[Actor, Verdict], Callable[[Facts], str]] = MappingProxyType(
    {
        (Actor.HPA, Verdict.SCALED): _scaled,
        (Actor.HPA, Verdict.KEPT): _kept,
        (Actor.HPA, Verdict.NO_METRICS): _no_metrics,
        (Actor.PROPORTIONAL, Verdict.SCALED): _proportional,
    }
)
