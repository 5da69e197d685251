"""A decision in two or three words, for tables; the whole sentence is made in explain.py."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.facts import number_text

COMPONENTS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.SCHEDULER: "Scheduler",
        Actor.HPA: "HPA",
        Actor.PROPORTIONAL: "Proportional autoscaler",
        Actor.SCALE_UP: "CA scale-up",
        Actor.SCALE_DOWN: "CA scale-down",
        Actor.CLOUD: "Cloud",
        Actor.CONTROLLER: "Controller",
        Actor.EVICTION: "Eviction API",
        Actor.KUBELET: "Kubelet",
        Actor.NODE_LIFECYCLE: "Node lifecycle",
        Actor.TAINT_EVICTION: "Taint eviction",
        Actor.DRAIN: "Drain",
        Actor.PLAN_EVENT: "Event",
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


def _evicted(decision: Decision) -> str:
    by = decision.details.get("by")
    return f"evicted by {by}" if by else "evicted"


def _refused(decision: Decision) -> str:
    if decision.actor is Actor.KUBELET:
        return f"rejected: {decision.details.get('reason', 'not admitted')}"
    budget = decision.details.get("budget")
    return f"eviction refused by {budget}" if budget else "eviction refused"


def _failed(decision: Decision) -> str:
    return "drain gave up" if decision.actor is Actor.DRAIN else "failed"


def _zone_state(decision: Decision) -> str:
    return f"zone {decision.details.get('state', 'state')}"


def _pressure(decision: Decision) -> str:
    return decision.details.get("condition", "under pressure")


def _pressure_over(decision: Decision) -> str:
    return f"no {decision.details['condition']}" if "condition" in decision.details else "no more pressure"


def _draining(decision: Decision) -> str:
    by = decision.details.get("by")
    return f"draining ({by})" if by else "draining"


def _happened(decision: Decision) -> str:
    return spelled_out(decision.details.get("what", "happened"))


def _ended(decision: Decision) -> str:
    what = decision.details.get("what")
    return f"{spelled_out(what)} finished" if what else "finished"


def spelled_out(name: str) -> str:
    """A camelCase name as words: zoneOutage is a zone outage."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


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
        Verdict.EVICTED: _evicted,
        Verdict.REFUSED: _refused,
        Verdict.FAILED: _failed,
        Verdict.ZONE_STATE: _zone_state,
        Verdict.PRESSURE: _pressure,
        Verdict.PRESSURE_OVER: _pressure_over,
        Verdict.DRAINING: _draining,
        Verdict.HAPPENED: _happened,
        Verdict.ENDED: _ended,
    }
)
