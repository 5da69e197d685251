"""The one place where a decision becomes a sentence, in the words people know from their clusters.

Keys that a sentence has no place for are appended as `key value`, so that nothing recorded is lost.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record import explain_autoscaler
from planner.record.decisions import PREEMPTION, Actor, Decision, Verdict
from planner.record.explain_hpa import HPA_SENTENCES
from planner.record.explain_nodes import NODE_SENTENCES
from planner.record.facts import Facts, counted, join, refusals
from planner.record.score_table import OTHERS, scored_nodes


def why(decision: Decision) -> str:
    """Why a controller decided so, as one line of text."""
    facts = Facts(decision)
    sentence = _SENTENCES.get((decision.actor, decision.verdict), _plain)(facts)
    rest = facts.rest()
    text = f"{sentence} ({rest})" if rest else sentence
    times = "time" if decision.repeats == 1 else "times"
    return f"{text} (repeated {decision.repeats} {times})" if decision.repeats else text


# -- scheduler --------------------------------------------------------------------------------


def _unschedulable(facts: Facts) -> str:
    refused = facts.decision.refused
    nodes = facts.number("nodes") or str(sum(refused.values()))
    text = f"0/{nodes} nodes are available"
    text = f"{text}: {refusals(refused)}." if refused else f"{text}."
    return f"{text} {_preemption(facts, nodes)}".strip()


def _preemption(facts: Facts, nodes: str) -> str:
    """What preemption would have led to, where it was looked into in vain."""
    why_not = facts.word(PREEMPTION)
    if why_not is not None:
        return f"preemption: {why_not}"
    keys = [key for key in facts.decision.figures if key.startswith(f"{PREEMPTION} ")]
    counts = {key.removeprefix(f"{PREEMPTION} "): int(facts.number(key) or 0) for key in keys}
    return f"preemption: 0/{nodes} nodes are available: {refusals(counts)}." if counts else ""


def _bound(facts: Facts) -> str:
    text = f"Successfully assigned {facts.decision.subject} to {facts.decision.target}"
    score, feasible = facts.number("score"), facts.number("feasible")
    if score is not None:
        text += f", score {score}"
    if feasible is not None:
        text += f", best of {feasible} feasible nodes" if feasible != "1" else ", the only feasible node"
    tied, _ = facts.number("tied"), facts.word(OTHERS)
    if tied is not None:
        text += f", {tied} of them equally good"
    others = scored_nodes(facts.decision)[1:]
    if others and tied is None:
        text += f", next {others[0].node} with {others[0].total}"
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
        **NODE_SENTENCES,
        **HPA_SENTENCES,
        **explain_autoscaler.SENTENCES,
        (Actor.SCHEDULER, Verdict.UNSCHEDULABLE): _unschedulable,
        (Actor.SCHEDULER, Verdict.BOUND): _bound,
        (Actor.SCHEDULER, Verdict.NOMINATED): _nominated,
        (Actor.SCHEDULER, Verdict.PREEMPTED): _preempted,
    }
)
