"""What the processes of an experiment do: run a plan with a seed, and return what is kept of it.

Loads nothing that a run does not need, because every process loads it.
"""

import gc
from collections import OrderedDict
from dataclasses import dataclass

from planner import __version__
from planner.experiments.execution.breaks import breaks_of
from planner.experiments.execution.executor import Cancelled
from planner.experiments.execution.outcome import RunOutcome, packed_series
from planner.experiments.variants.runnable_plan import PlanParcel
from planner.plan.model.plan import Plan
from planner.simulation.run import run_plan

_MOST_PLANS = 64
_LEAST_SIZE, _MOST_REMAINS = 500, 25_000
"""Of runs, in pods and decisions."""
_plans: OrderedDict[str, Plan] = OrderedDict()
"""Plans that this process has seen lately, by digest."""


@dataclass(frozen=True)
class RunJob:
    """One run to make."""

    parcel: PlanParcel
    seed: int
    until_us: int | None = None
    """Simulated time; None for the plan's own."""


def run_job(job: RunJob, cancelled: Cancelled) -> RunOutcome | None:
    """Run the plan; None if `cancelled()` turned true."""
    plan = plan_of(job.parcel)
    result = run_plan(plan, seed=job.seed, until_us=job.until_us, cancelled=cancelled)
    _remains.of_run(len(result.pods) + len(result.decisions))
    if result.stopped is not None and result.stopped.cancelled:
        return None
    return RunOutcome(
        plan_digest=job.parcel.digest,
        seed=job.seed,
        version=__version__,
        digest=result.digest(),
        until_us=result.until_us,
        figures=dict(result.figures),
        slo_missed=result.slo_missed,
        series=packed_series(result),
        breaks=breaks_of(plan, result),
        problem=str(result.stopped) if result.stopped is not None else "",
    )


class _Remains:
    """What is left of runs that are over: parts of a run know each other, so that only the collector takes them away.

    By itself it would search for them far too seldom, as a run keeps it from searching; and after every small run the
    search would take longer than the run.
    """

    def __init__(self) -> None:
        self._size = 0

    def of_run(self, size: int) -> None:
        """A run with so many pods and decisions is over."""
        self._size += _LEAST_SIZE + size
        if self._size >= _MOST_REMAINS:
            self._size = 0
            gc.collect()


_remains = _Remains()


def plan_of(parcel: PlanParcel) -> Plan:
    """The plan, read once by each process."""
    plan = _plans.get(parcel.digest)
    if plan is None:
        plan = _plans[parcel.digest] = parcel.plan()
        if len(_plans) > _MOST_PLANS:
            _plans.popitem(last=False)
    else:
        _plans.move_to_end(parcel.digest)
    return plan
