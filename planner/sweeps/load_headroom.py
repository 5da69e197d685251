"""How much more load a plan can take before an SLO is missed: bisection on a load factor.

Every run uses the same seed and so the same draws: noise is the same, the n-th node of a pool takes equally long to
come up, and runs differ only where the load itself makes them differ. With an autoscaler the outcome may jump back and
forth as the load rises, so the result is one boundary between a factor that meets every SLO and one that does not;
there may be others.
"""

from collections.abc import Callable
from dataclasses import dataclass

from planner.errors import PlanProblem, RunStopped
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ScaleLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.record.result import RunResult
from planner.simulation.run import run_plan
from planner.sweeps.tried_load import SloBreak, TriedLoad, tried_load

MAX_FACTOR = 64.0
"""Loads beyond this are not tried."""
_PRECISION = 0.02

Progress = Callable[[int, float, float], None]
"""Called with the number of the run, the factor it tries and the share of the run that is done."""

OnTried = Callable[[TriedLoad], None]
"""Called with the outcome of each completed run."""


@dataclass(frozen=True)
class LoadHeadroom:
    """The load that a plan can take, as multiples of its own load."""

    factor: float
    """Highest factor tried that met every SLO; 0 if even a small part of the load misses one."""
    broken_at: float | None
    """Lowest factor tried that missed one; None if none up to MAX_FACTOR did."""
    missed: tuple[str, ...]
    """Workloads whose SLO was missed there."""
    runs: int
    stopped: RunStopped | None = None
    """Why the search ended early, if it did; the factors are what was known by then."""
    tried: tuple[TriedLoad, ...] = ()
    """All completed runs, in the order in which they were made; the first has the plan's own load."""

    @property
    def first_break(self) -> SloBreak | None:
        """Which SLO was missed first, and when, at the lowest factor that missed one."""
        found = [one.first_break for one in self.tried if one.factor == self.broken_at]
        return found[0] if found else None


def load_headroom(
    plan: Plan,
    seed: int | None = None,
    until_us: int | None = None,
    on_progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    precision: float = _PRECISION,
    on_tried: OnTried | None = None,
) -> LoadHeadroom:
    """Search for the load factor at which the first SLO is missed, to `precision` of its value.

    `plan` is valid. Raises PlanProblem if it has no load with an SLO.
    """
    if not any(item.slo is not None and item.traffic is not None for item in plan.workloads):
        problem = "No workload has both traffic and an SLO, so there is no limit to search for."
        raise PlanProblem("workloads", problem, "Give an SLO to a workload with traffic.")
    search = _LoadSearch(plan, seed, until_us, on_progress, cancelled, on_tried)
    kept, broken = (1.0, None) if search.keeps(1.0) else (0.0, 1.0)
    while search.stopped is None and broken is None and kept < MAX_FACTOR:
        if search.keeps(2.0 * kept):
            kept *= 2.0
        else:
            broken = 2.0 * kept
    while search.stopped is None and broken is not None and broken - kept > precision * broken:
        middle = 0.5 * (kept + broken)
        if middle < precision:
            break
        if search.keeps(middle):
            kept = middle
        else:
            broken = middle
    if search.stopped is not None:
        broken = min((one.factor for one in search.tried if not one.kept), default=None)
        kept = max((one.factor for one in search.tried if one.kept), default=0.0)
    missed = next((one.missed for one in search.tried if one.factor == broken), ())
    return LoadHeadroom(kept, broken, missed, search.runs, search.stopped, tuple(search.tried))


def scaled_load(plan: Plan, factor: float) -> Plan:
    """The plan with all traffic multiplied; calls follow by themselves."""
    workloads = tuple(_scaled(item, factor) for item in plan.workloads)
    return plan.model_copy(update={"workloads": workloads})


def _scaled(workload: Workload, factor: float) -> Workload:
    if workload.traffic is None or factor == 1.0:
        return workload
    profile = ScaleLoad(type="scale", profile=workload.traffic.profile, factor=factor)
    # Not validated again: a profile may be nested as deep as is allowed already.
    traffic: Traffic = workload.traffic.model_copy(update={"profile": profile})
    return workload.model_copy(update={"traffic": traffic})


class _LoadSearch:
    """Runs the plan at one factor after the other and remembers the outcomes."""

    def __init__(
        self,
        plan: Plan,
        seed: int | None,
        until_us: int | None,
        on_progress: Progress | None,
        cancelled: Callable[[], bool] | None,
        on_tried: OnTried | None,
    ) -> None:
        self._plan, self._seed, self._until_us = plan, seed, until_us
        self._on_progress, self._cancelled, self._on_tried = on_progress, cancelled, on_tried
        self.runs = 0
        self.tried: list[TriedLoad] = []
        self.stopped: RunStopped | None = None

    def keeps(self, factor: float) -> bool:
        """Whether every SLO is kept at that factor; false when the run was stopped."""
        self.runs += 1
        result: RunResult = run_plan(
            scaled_load(self._plan, factor),
            seed=self._seed,
            until_us=self._until_us,
            on_progress=lambda now_us, until_us: self._tell(factor, now_us / max(until_us, 1)),
            cancelled=self._cancelled,
        )
        if result.stopped is not None:
            self.stopped = result.stopped
            return False
        outcome = tried_load(self._plan, factor, result)
        self.tried.append(outcome)
        if self._on_tried is not None:
            self._on_tried(outcome)
        return outcome.kept

    def _tell(self, factor: float, done: float) -> None:
        if self._on_progress is not None:
            self._on_progress(self.runs, factor, done)
