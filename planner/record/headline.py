"""A decision in two or three words, for tables; the whole sentence is made in explain.py."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.facts import number_text

COMPONENTS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.SCHEDULER: "Scheduler",
        Actor.HPA: "HPA",
        Actor.SCALE_UP: "CA scale-up",
        Actor.SCALE_DOWN: "CA scale-down",
        Actor.CLOUD: "Cloud",
        Actor.CONTROLLER: "Controller",
    }
)
"""Names of the components that decide, for people."""


def headline(decision: Decision) -> str:
    """For example "rescale 12 → 24", "bound to blue-0003", "unschedulable"."""
    return _WORDS.get(decision.verdict, _verdict)(decision)


def _verdict(decision: Decision) -> str:
    return f"{decision.verdict} {decision.target}".strip()


def _bound(decision: Decision) -> str:
    return f"bound to {decision.target}"


def _nominated(decision: Decision) -> str:
    return f"preempts on {decision.target}"


def _preempted(decision: Decision) -> str:
    by = decision.details.get("preemptor")
    return f"preempted by {by}" if by else "preempted"


def _scaled(decision: Decision) -> str:
    current, desired = decision.figures.get("current"), decision.figures.get("desired")
    if current is None or desired is None:
        return "rescale"
    return f"rescale {number_text(current)} → {number_text(desired)}"


def _kept(decision: Decision) -> str:
    size = decision.figures.get("desired", decision.figures.get("current"))
    return "kept" if size is None else f"kept at {number_text(size)}"


def _triggered(decision: Decision) -> str:
    delta, target = decision.figures.get("delta"), decision.figures.get("new_target")
    if delta is None or target is None:
        return "scale-up"
    return f"scale-up {number_text(target - delta)} → {number_text(target)}"


def _not_triggered(_: Decision) -> str:
    return "no pool can grow"


def _removing(decision: Decision) -> str:
    return "draining, to be removed" if decision.details.get("how") == "drain" else "removing empty node"


_WORDS: Mapping[Verdict, Callable[[Decision], str]] = MappingProxyType(
    {
        Verdict.BOUND: _bound,
        Verdict.NOMINATED: _nominated,
        Verdict.PREEMPTED: _preempted,
        Verdict.SCALED: _scaled,
        Verdict.KEPT: _kept,
        Verdict.TRIGGERED: _triggered,
        Verdict.NOT_TRIGGERED: _not_triggered,
        Verdict.REMOVING: _removing,
    }
)
