"""Verdicts that a reader of decisions looks for first."""

from planner.record.decisions import Verdict

WARNINGS = frozenset(
    (
        Verdict.UNSCHEDULABLE,
        Verdict.NOT_TRIGGERED,
        Verdict.FAILED,
        Verdict.NO_METRICS,
        Verdict.PREEMPTED,
        Verdict.EVICTED,
        Verdict.DEFERRED,
        Verdict.INFEASIBLE,
        Verdict.REFUSED,
        Verdict.UNREACHABLE,
        Verdict.TAINTED,
        Verdict.OOM_KILLED,
        Verdict.PRESSURE,
    )
)
"""Something went wrong, or was not possible."""
IMPORTANT = WARNINGS | {Verdict.SCALED, Verdict.TRIGGERED, Verdict.REMOVING, Verdict.HAPPENED}
"""Something went wrong or changed the cluster."""
