"""The one place where a decision becomes a sentence, in the words people know from their clusters.

Keys that a sentence has no place for are appended as `key value`, so that nothing recorded is lost.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict


class _Facts:
    """Figures and details of a decision; remembers which ones the sentence used."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.used: list[str] = []

    def number(self, *keys: str) -> str | None:
        """The first of these figures that is known, as text."""
        key = next((key for key in keys if key in self.decision.figures), None)
        if key is None:
            return None
        self.used.append(key)
        return _number(self.decision.figures[key])

    def word(self, *keys: str) -> str | None:
        """The first of these details that is known."""
        key = next((key for key in keys if key in self.decision.details), None)
        if key is None:
            return None
        self.used.append(key)
        return self.decision.details[key]

    def rest(self) -> str:
        """What the sentence did not mention."""
        figures = [f"{_spaced(k)} {_number(v)}" for k, v in self.decision.figures.items() if k not in self.used]
        details = [f"{_spaced(k)} {v}" for k, v in self.decision.details.items() if k not in self.used]
        return ", ".join(figures + details)


def why(decision: Decision) -> str:
    """Why a controller decided so, as one line of text."""
    facts = _Facts(decision)
    sentence = _SENTENCES.get((decision.actor, decision.verdict), _plain)(facts)
    rest = facts.rest()
    text = f"{sentence} ({rest})" if rest else sentence
    times = "time" if decision.repeats == 1 else "times"
    return f"{text} (repeated {decision.repeats} {times})" if decision.repeats else text


def refusals(refused: Mapping[str, int]) -> str:
    """Counts with their reasons, sorted as kube-scheduler sorts them: as text."""
    return ", ".join(sorted(f"{count} {reason}" for reason, count in refused.items()))


def _number(value: float) -> str:
    """Up to four digits after the point, none for whole numbers."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:.4f}".rstrip("0")


def _spaced(key: str) -> str:
    return key.replace("_", " ")


def _join(*parts: str | None) -> str:
    return "; ".join(part for part in parts if part)


# -- scheduler --------------------------------------------------------------------------------


def _unschedulable(facts: _Facts) -> str:
    refused = facts.decision.refused
    nodes = facts.number("nodes", "node_count") or str(sum(refused.values()))
    text = f"0/{nodes} nodes are available"
    text += f": {refusals(refused)}." if refused else "."
    preemption = facts.word("preemption")
    return f"{text} preemption: {preemption}" if preemption else text


def _bound(facts: _Facts) -> str:
    text = f"Successfully assigned {facts.decision.subject} to {facts.decision.target}"
    score, feasible, nodes = facts.number("score"), facts.number("feasible"), facts.number("nodes", "node_count")
    if score is not None:
        text += f", score {score}"
    if feasible is not None:
        text += f", best of {feasible} feasible nodes" if feasible != "1" else ", the only feasible node"
    if nodes is not None:
        text += f" out of {nodes}"
    return _join(text, refusals(facts.decision.refused) and f"refused: {refusals(facts.decision.refused)}")


def _nominated(facts: _Facts) -> str:
    victims = facts.number("victims")
    text = f"Nominated to {facts.decision.target}"
    if victims is not None:
        text += f" after preempting {victims} {'pod' if victims == '1' else 'pods'} of lower priority"
    refused = refusals(facts.decision.refused)
    return f"{text}: {refused}" if refused else text


def _preempted(facts: _Facts) -> str:
    by = facts.word("by", "preemptor")
    text = f"Preempted by pod {by}" if by else "Preempted by a pod of higher priority"
    return f"{text} on node {facts.decision.target}" if facts.decision.target else text


# -- HPA --------------------------------------------------------------------------------------


def _hpa_figures(facts: _Facts) -> str:
    """Utilisation, ratio and raw proposal, as far as known."""
    utilization, target = facts.number("utilization_pct", "utilization"), facts.number("target_pct", "target")
    ratio, proposal = facts.number("ratio"), facts.number("proposal", "raw_proposal")
    usage = None
    if utilization is not None and target is not None:
        usage = f"{utilization} % against {target} %"
    elif target is not None:
        usage = f"target {target} %"
    parts = (usage, ratio and f"ratio {ratio}", proposal and f"raw proposal {proposal}")
    return ", ".join(part for part in parts if part)


def _hpa_limits(facts: _Facts) -> str | None:
    held, limited = facts.word("held", "held_by", "able_to_scale"), facts.word("limited", "limited_by", "limit")
    return _join(held and f"held by {_limit(held)}", limited and f"limited by {_limit(limited)}") or None


def _limit(code: str) -> str:
    return _LIMITS.get(code, code)


_LIMITS = MappingProxyType(
    {
        "ScaleUpStabilized": "the scale-up stabilization window",
        "ScaleDownStabilized": "the scale-down stabilization window",
        "ScaleUpLimit": "the rate of scaling up",
        "ScaleDownLimit": "the rate of scaling down",
        "TooManyReplicas": "the maximum of replicas",
        "TooFewReplicas": "the minimum of replicas",
    }
)


def _scaled(facts: _Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    reason = facts.word("reason") or _direction(facts.decision.figures)
    text = f"New size: {desired}" if desired is not None else "Rescaled"
    text += f" (was {current})" if current is not None else ""
    figures = _hpa_figures(facts)
    cause = f"reason: {reason}" + (f": {figures}" if figures else "") if reason else figures
    return _join(text, cause, _hpa_limits(facts))


def _direction(figures: Mapping[str, float]) -> str:
    utilization, target = figures.get("utilization_pct"), figures.get("target_pct")
    if utilization is None or target is None or utilization == target:
        return ""
    if utilization > target:
        return "cpu resource utilization (percentage of request) above target"
    return "All metrics below target"


def _kept(facts: _Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    size = current or desired
    text = f"Size kept at {size}" if size is not None else "Size kept"
    return _join(text, _hpa_figures(facts), facts.word("reason"), _hpa_limits(facts))


def _no_metrics(facts: _Facts) -> str:
    current, desired = facts.number("current"), facts.number("desired")
    reason = facts.word("reason", "error") or "no metrics returned from resource metrics API"
    text = f"failed to get cpu utilization: {reason}"
    size = desired or current
    return _join(text, size and f"size stays {size}")


# -- cluster autoscaler -----------------------------------------------------------------------


def _triggered(facts: _Facts) -> str:
    group = facts.decision.target or facts.word("group") or facts.decision.subject
    before, after = facts.number("from", "current", "current_size"), facts.number("to", "desired", "new_size")
    most = facts.number("max", "max_size")
    text = f"pod triggered scale-up: {group}"
    if before is not None and after is not None:
        text += f" {before}->{after}"
    elif after is not None:
        text += f" to {after}"
    text += f" (max {most})" if most is not None else ""
    pods, expander = facts.number("pods", "pod_count"), facts.word("expander")
    refused = refusals(facts.decision.refused)
    return _join(
        text,
        pods and f"for {pods} {'pod' if pods == '1' else 'pods'}",
        expander and f"expander {expander}",
        refused and f"other node groups: {refused}",
    )


def _not_triggered(facts: _Facts) -> str:
    return ": ".join(filter(None, ("pod didn't trigger scale-up", refusals(facts.decision.refused), _reason(facts))))


def _scale_up_failed(facts: _Facts) -> str:
    return f"Failed to scale up {facts.decision.target or facts.decision.subject}{_after_colon(_reason(facts))}"


def _unneeded(facts: _Facts) -> str:
    used, limit = facts.number("utilization"), facts.number("threshold")
    since = facts.number("unneeded_s", "since_s")
    text = "node is unneeded: its pods fit elsewhere"
    if used is not None:
        text += f", utilization {used}" + (f" is not above {limit}" if limit is not None else "")
    return _join(text, since and f"for {since} s")


def _unremovable(facts: _Facts) -> str:
    reason, pod = _reason(facts), facts.word("pod", "blocking_pod")
    return f"node cannot be removed{_after_colon(reason)}" + (f", pod {pod}" if pod else "")


def _removing(facts: _Facts) -> str:
    pods = facts.number("pods", "pods_to_move")
    if pods in (None, "0"):
        return f"Scale-down: removing empty node {facts.decision.subject}"
    return f"Scale-down: removing node {facts.decision.subject}, {pods} {'pod' if pods == '1' else 'pods'} to evict"


def _evicted(facts: _Facts) -> str:
    node = f" from {facts.decision.target}" if facts.decision.target else ""
    return f"Evicted{node} by the autoscaler's scale-down{_after_colon(_reason(facts))}"


# -- all others -------------------------------------------------------------------------------


def _reason(facts: _Facts) -> str | None:
    return facts.word("reason", "error")


def _after_colon(text: str | None) -> str:
    return f": {text}" if text else ""


def _fixed(text: str) -> Callable[[_Facts], str]:
    return lambda facts: text + _after_colon(_reason(facts))


def _plain(facts: _Facts) -> str:
    decision = facts.decision
    text = str(decision.verdict).capitalize()
    text += f" {decision.target}" if decision.target else ""
    return text + _after_colon(_join(_reason(facts), refusals(decision.refused)))


_SENTENCES: Mapping[tuple[Actor, Verdict], Callable[[_Facts], str]] = MappingProxyType(
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
        (Actor.SCALE_DOWN, Verdict.NEEDED_AGAIN): _fixed("node is needed again"),
        (Actor.SCALE_DOWN, Verdict.UNREMOVABLE): _unremovable,
        (Actor.SCALE_DOWN, Verdict.REMOVING): _removing,
        (Actor.SCALE_DOWN, Verdict.REMOVED): _fixed("Scale-down: node removed"),
        (Actor.SCALE_DOWN, Verdict.EVICTED): _evicted,
        (Actor.CLOUD, Verdict.NODE_READY): _fixed("Node registered and is Ready"),
        (Actor.CLOUD, Verdict.REMOVED): _fixed("Instance deleted by the cloud"),
    }
)
