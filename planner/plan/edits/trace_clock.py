"""A recorded load keeps its clock: the run starts at the date of what it plays first, so that calendars go by it."""

from collections.abc import Iterator

from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ClipLoad, LoadProfile, ScaleLoad, SumLoad, TraceLoad


def has_other_traces(plan: Plan, workload: str) -> bool:
    """Whether another workload plays a trace, whose clock the plan may have."""
    return any(
        isinstance(part, TraceLoad)
        for item in plan.workloads
        if item.name != workload and item.traffic is not None
        for part in _parts(item.traffic.profile)
    )


def with_clock(plan: Plan, trace: TraceLoad, begins_at_us: int) -> Plan:
    """The plan at the date of what it plays first of a trace whose first value is of that moment (since 1970)."""
    starts_at_us = max(0, begins_at_us + trace.skip - trace.shift)
    return replace_at(plan, ("simulation", "starts_at"), starts_at_us)


def _parts(profile: LoadProfile) -> Iterator[LoadProfile]:
    yield profile
    if isinstance(profile, SumLoad):
        for part in profile.profiles:
            yield from _parts(part)
    elif isinstance(profile, ScaleLoad | ClipLoad):
        yield from _parts(profile.profile)
