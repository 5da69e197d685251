"""The one place where a decision becomes a sentence, in the words people know from their clusters.

Keys that a sentence has no place for are appended as `key value`, so that nothing recorded is lost.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.facts import Facts, counted, join, number_text


def why(decision: Decision) -> str:
    """Why a controller decided so, as one line of text."""
    facts = Facts(decision)
    sentence = _SENTENCES.get((decision.actor, decision.verdict), _plain)(facts)
    rest = facts.rest()
    text = f"{sentence} ({rest})" if rest else sentence
    times = "time" if decision.repeats == 1 else "times"
    return f"{text} (repeated {decision.repeats} {times})" if decision.repeats else text


def refusals(refused: Mapping[str, int]) -> str:
    """Counts with their reasons, sorted as kube-scheduler sorts them: as text."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in refused.items()))


# -- scheduler --------------------------------------------------------------------------------


def _unschedulable(facts: Facts) -> str:
    refused = facts.decision.refused
    nodes = facts.number("nodes") or str(sum(refused.values()))
    text = f"0/{nodes} nodes are available"
    return f"{text}: {refusals(refused)}." if refused else f"{text}."


def _bound(facts: Facts) -> str:
    text = f"Successfully assigned {facts.decision.subject} to {facts.decision.target}"
    score, feasible = facts.number("score"), facts.number("feasible")
    if score is not None:
        text += f", score {score}"
    if feasible is not None:
        text += f", best of {feasible} feasible nodes" if feasible != "1" else ", the only feasible node"
    return text


def _nominated(facts: Facts) -> str:
    victims, candidates = facts.number("victims"), facts.number("candidates")
    text = f"Nominated to {facts.decision.target}"
    if victims is not None:
        text += f" after preempting {counted(victims, 'pod')} of lower priority"
    return text + (f", best of {counted(candidates, 'node')} where that helps" if candidates is not None else "")


def _preempted(facts: Facts) -> str:
    by = facts.word("preemptor")
    text = f"Preempted by pod {by}" if by else "Preempted by a pod of higher priority"
    return f"{text} on node {facts.decision.target}" if facts.decision.target else text


# -- HPA --------------------------------------------------------------------------------------


def _hpa_figures(facts: Facts) -> str:
    """Use, ratio and raw proposal, as far as known."""
    ratio, proposal = facts.number("ratio"), facts.number("proposal")
    ratio = ratio and f"ratio {ratio}{_counted_in(facts.decision.figures)}"
    return ", ".join(part for part in (_use(facts), ratio, proposal and f"raw proposal {proposal}") if part)


def _use(facts: Facts) -> str:
    """What the pods used against the target; CPU in milli-CPU a pod."""
    utilization, target = facts.number("utilization_pct"), facts.number("target_pct")
    average, average_target = facts.number("average_milli"), facts.number("target_milli")
    average = average and f"{average}m a pod"
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


def _hpa_limits(facts: Facts) -> str | None:
    held, limited = facts.word("held"), facts.word("limited")
    return join(held and f"held by {_limit(held)}", limited and f"limited by {_limit(limited)}") or None


def _limit(code: str) -> str:
    return HPA_LIMITS.get(code, code)


_ROUNDING = 1e-6
HPA_LIMITS: Mapping[str, str] = MappingProxyType(
    {
        "ScaleUpStabilized": "the scale-up stabilization window",
        "ScaleDownStabilized": "the scale-down stabilization window",
        "ScaleUpLimit": "the rate of scaling up",
        "ScaleDownLimit": "the rate of scaling down",
        "TooManyReplicas": "the maximum of replicas",
        "TooFewReplicas": "the minimum of replicas",
    }
)
"""What held or limited a proposal, in plain words by the condition's reason."""


def _scaled(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    _same_names(facts)  # the reason names the metric
    reason = facts.word("reason") or _direction(facts.decision.figures)
    text = f"New size: {desired}" if desired is not None else "Rescaled"
    text += f" (was {current})" if current is not None else ""
    figures = _hpa_figures(facts)
    cause = f"reason: {reason}" + (f": {figures}" if figures else "") if reason else figures
    return join(text, cause, _hpa_limits(facts))


def _direction(figures: Mapping[str, float]) -> str:
    utilization, target = figures.get("utilization_pct"), figures.get("target_pct")
    if utilization is None or target is None or utilization == target:
        return ""
    if utilization > target:
        return "cpu resource utilization (percentage of request) above target"
    return "All metrics below target"


def _kept(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    size = current or desired
    text = f"Size kept at {size}" if size is not None else "Size kept"
    metric = _same_names(facts)
    figures = ": ".join(part for part in (metric, _hpa_figures(facts)) if part)
    return join(text, figures, facts.word("reason"), _hpa_limits(facts))


def _no_metrics(facts: Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    reason = facts.word("reason") or "no metrics returned from resource metrics API"
    _same_names(facts)
    size = desired or current
    return join(f"failed to get cpu utilization: {reason}", size and f"size stays {size}")


def _same_names(facts: Facts) -> str | None:
    """The metric. The autoscaler's name is told only where it differs from its workload's."""
    if facts.decision.details.get("hpa") == facts.decision.subject:
        facts.word("hpa")
    return facts.word("metric")


# -- cluster autoscaler -----------------------------------------------------------------------


def _triggered(facts: Facts) -> str:
    pods, expander, options = facts.number("pods"), facts.word("expander"), facts.word("options")
    return join(
        f"pod triggered scale-up: {facts.decision.subject}{_grown(facts)}",
        pods and f"for {counted(pods, 'pod')}",
        expander and f"expander {expander}{_expander_figure(facts, expander)}",
        options and f"options: {options}",
    )


def _grown(facts: Facts) -> str:
    """Size before and after, as the events of the autoscaler write it."""
    delta, target = facts.decision.figures.get("delta"), facts.decision.figures.get("new_target")
    if delta is None or target is None:
        return ""
    facts.used += ["delta", "new_target"]
    return f" {number_text(target - delta)}->{number_text(target)}"


def _expander_figure(facts: Facts, expander: str) -> str:
    figure = facts.number(expander)
    return f" ({figure})" if figure is not None else ""


def _not_triggered(facts: Facts) -> str:
    return ": ".join(filter(None, ("pod didn't trigger scale-up", refusals(facts.decision.refused), _reason(facts))))


def _scale_up_failed(facts: Facts) -> str:
    count = facts.number("delta")
    by = f" by {counted(count, 'node')}" if count is not None else ""
    return f"Failed to scale up {facts.decision.subject}{by}{_after_colon(_reason(facts))}"


def _unneeded(facts: Facts) -> str:
    return f"node is unneeded: its pods fit elsewhere{_utilization(facts)}"


def _needed_again(facts: Facts) -> str:
    return f"node is needed again{_after_colon(_reason(facts))}{_utilization(facts)}"


def _unremovable(facts: Facts) -> str:
    return f"node cannot be removed{_after_colon(_reason(facts))}{_utilization(facts)}"


def _utilization(facts: Facts) -> str:
    used = facts.number("utilization")
    return f", utilization {used}" if used is not None else ""


def _removing(facts: Facts) -> str:
    how, since = facts.word("how"), facts.number("unneeded_s")
    kind = "empty node" if how == "empty" else "node"
    pods = ", its pods are evicted first" if how == "drain" else ""
    unneeded = f", unneeded for {since} s" if since is not None else ""
    return f"Scale-down: removing {kind} {facts.decision.subject}{pods}{unneeded}"


def _removed(facts: Facts) -> str:
    text = {"empty": "empty node removed", "drain": "node removed after its pods were evicted"}
    return f"Scale-down: {text.get(facts.word('how') or '', 'node removed')}{_after_colon(_reason(facts))}"


# -- all others -------------------------------------------------------------------------------


def _reason(facts: Facts) -> str | None:
    return facts.word("reason")


def _after_colon(text: str | None) -> str:
    return f": {text}" if text else ""


def _plain(facts: Facts) -> str:
    decision = facts.decision
    text = str(decision.verdict).capitalize()
    text += f" {decision.target}" if decision.target else ""
    return text + _after_colon(join(_reason(facts), refusals(decision.refused)))


_SENTENCES: Mapping[tuple[Actor, Verdict], Callable[[Facts], str]] = MappingProxyType(
    {
        (Actor.SCHEDULER, Verdict.UNSCHEDULABLE): _unschedulable,
        (Actor.SCHEDULER, Verdict.BOUND): _bound,
        (Actor.SCHEDULER, Verdict.NOMINATED): _nominated,
        (Actor.SCHEDULER, Verdict.PREEMPTED): _preempted,
        (Actor.HPA, Verdict.SCALED): _scaled,
        (Actor.HPA, Verdict.KEPT): _kept,
        (Actor.HPA, Verdict.NO_METRICS): _no_metrics,
        (Actor.SCALE_UP, Verdict.TRIGGERED): _triggered,
        (Actor.SCALE_UP, Verdict.NOT_TRIGGERED): _not_triggered,
        (Actor.SCALE_UP, Verdict.FAILED): _scale_up_failed,
        (Actor.SCALE_DOWN, Verdict.UNNEEDED): _unneeded,
        (Actor.SCALE_DOWN, Verdict.NEEDED_AGAIN): _needed_again,
        (Actor.SCALE_DOWN, Verdict.UNREMOVABLE): _unremovable,
        (Actor.SCALE_DOWN, Verdict.REMOVING): _removing,
        (Actor.SCALE_DOWN, Verdict.REMOVED): _removed,
    }
)
