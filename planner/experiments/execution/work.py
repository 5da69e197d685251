"""What the processes of an experiment do: run a plan with a seed, and return what is kept of it.

Loads nothing that a run does not need, because every process loads it.
"""

from collections import OrderedDict
from dataclasses import dataclass

from planner import __version__
from planner.experiments.execution.breaks import breaks_of
from planner.experiments.execution.executor import Cancelled
from planner.experiments.execution.outcome import RunOutcome, packed_series
from planner.experiments.variants.runnable_plan import PlanParcel
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.record.text.latency_bounds import LatencyBounds
from planner.simulation.run import run_plan

_MOST_PLANS = 64
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
    return outcome_of(job, plan, run_plan(plan, seed=job.seed, until_us=job.until_us, cancelled=cancelled))


def outcome_of(job: RunJob, plan: Plan, result: RunResult) -> RunOutcome | None:
    """What is kept of a run; None if it was cancelled."""
    if result.stopped is not None and result.stopped.cancelled:
        return None
    bounds = LatencyBounds.of(plan, result.until_us)
    return RunOutcome(
        plan_digest=job.parcel.digest,
        seed=job.seed,
        version=__version__,
        digest=result.digest(),
        until_us=result.until_us,
        figures={name: bounds.bounded(name, figure) for name, figure in result.figures.items()},
        slo_missed=result.slo_missed,
        series=packed_series(result),
        breaks=breaks_of(plan, result),
        problem=result.stopped.message if result.stopped is not None else "",
    )


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
