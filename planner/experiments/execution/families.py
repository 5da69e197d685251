"""Runs of one seed whose plans differ only in later events: their common start is made once.

The outcomes are those of runs of their own.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from planner.errors import RunStopped
from planner.experiments.execution.executor import Cancelled
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.execution.work import RunJob, outcome_of, plan_of, run_job
from planner.simulation.plan_events.moments import alike_until_us, moments_of_plan
from planner.simulation.shared_start import SharedStart

_LEAST_SHARED = 0.05
"""Of a run: less is not worth a copy."""


@dataclass(frozen=True)
class Family:
    """Runs to make, of one seed and time."""

    jobs: tuple[RunJob, ...]


@dataclass(frozen=True)
class FamilyOutcomes:
    """One outcome per job, None where the runs were cancelled before; and what sharing has saved."""

    outcomes: tuple[RunOutcome | None, ...]
    saved_us: int = 0
    """Simulated time that did not have to be simulated again."""


def families(jobs: Sequence[RunJob], kin: Sequence[Hashable], lanes: int) -> list[list[int]]:
    """Positions of jobs that may share their start, together: those with equal `kin`.

    A family is split where some of so many processes would be left without work.
    """
    by_kin: dict[Hashable, list[int]] = {}
    for position, each in enumerate(kin):
        by_kin.setdefault(each, []).append(position)
    most = max(1, -(-len(jobs) // max(1, lanes)))
    return [members[at : at + most] for members in by_kin.values() for at in range(0, len(members), most)]


def run_family(family: Family, cancelled: Cancelled) -> FamilyOutcomes | None:
    """Make the runs; None if `cancelled()` turned true before the first one was finished."""
    found = _shared(family, cancelled) if len(family.jobs) > 1 else FamilyOutcomes(())
    outcomes = list(found.outcomes) or [None] * len(family.jobs)
    for at, job in enumerate(family.jobs):
        if outcomes[at] is None and not cancelled():
            outcomes[at] = run_job(job, cancelled)
    return replace(found, outcomes=tuple(outcomes)) if any(one is not None for one in outcomes) else None


def _shared(family: Family, cancelled: Cancelled) -> FamilyOutcomes:
    """The runs that share enough with the first one; None for the others."""
    jobs = family.jobs
    seed, until_us = jobs[0].seed, jobs[0].until_us
    plans = [plan_of(job.parcel) for job in jobs]
    first = max(range(len(jobs)), key=lambda at: len(moments_of_plan(plans[at], seed)))
    end_us = plans[first].simulation.duration if until_us is None else until_us
    alike_us = [min(end_us, alike_until_us(plans[first], plan, seed)) for plan in plans]
    others = [at for at in range(len(jobs)) if at != first and alike_us[at] >= _LEAST_SHARED * end_us]
    outcomes: list[RunOutcome | None] = [None] * len(jobs)
    saved_us = 0
    if not others:
        return FamilyOutcomes(tuple(outcomes))
    try:
        with SharedStart.of(plans[first], seed, until_us, cancelled) as start:
            for at in sorted(others, key=lambda at: alike_us[at]):
                start.go_to(alike_us[at])
                other = start.copy()
                other.follow(plans[at])
                outcomes[at] = outcome_of(jobs[at], plans[at], other.finish())
                saved_us += alike_us[at] if outcomes[at] is not None else 0
            outcomes[first] = outcome_of(jobs[first], plans[first], start.finish())
    except RunStopped:  # before the plans part; each run says so for itself
        pass
    return FamilyOutcomes(tuple(outcomes), saved_us)
