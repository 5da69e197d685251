"""How much more load a plan can take before an SLO is missed: samples of a load factor, then bisection of every edge.

Every run uses the same seed and so the same draws: noise is the same, the n-th node of a pool takes equally long to
come up, and runs differ only where the load itself makes them differ. With an autoscaler the outcome may jump back and
forth as the load rises. So loads on a grid come first, and every place where the outcome changes from one to the next
is narrowed down; edges between two loads of the grid that agree stay unseen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from planner.errors import PlanProblem, RunStopped
from planner.experiments.execution.breaks import SloBreak
from planner.experiments.kinds.stress.tried_load import TriedLoad, tried_load
from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ScaleLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.record.result import RunResult

MAX_FACTOR = 64.0
"""Loads beyond this are not tried."""
_PRECISION = 0.02

Progress = Callable[[int, float, float], None]
"""Called with the number of the run, the factor it tries and the share of the run that is done."""

OnTried = Callable[[TriedLoad], None]
"""Called with the outcome of each completed run."""


@dataclass(frozen=True)
class LoadEdge:
    """Two loads next to each other, one of which meets every SLO."""

    below: float
    above: float
    breaks: bool
    """Whether an SLO is missed above; otherwise below, and all are met again above."""


@dataclass(frozen=True)
class LoadHeadroom:
    """The load that a plan can take, as multiples of its own load."""

    factor: float
    """Up to this every factor tried met every SLO; 0 if even a small part of the load misses one."""
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
    def edges(self) -> tuple[LoadEdge, ...]:
        """Where the outcome changes with the load, by rising load; the first is from `factor` to `broken_at`."""
        ordered = sorted(self.tried, key=lambda one: one.factor)
        return tuple(
            LoadEdge(one.factor, other.factor, breaks=one.kept)
            for one, other in pairwise(ordered)
            if one.kept is not other.kept
        )

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
        problem = tr("No workload has both traffic and an SLO, so there is no limit to search for.")
        raise PlanProblem("workloads", problem, tr("Give an SLO to a workload with traffic."))
    search = _LoadSearch(plan, seed, until_us, on_progress, cancelled, on_tried)
    search.sample()
    search.narrow(precision)
    tried = tuple(search.tried)
    broken = min((one.factor for one in tried if not one.kept), default=None)
    kept = max((one.factor for one in tried if one.kept and (broken is None or one.factor < broken)), default=0.0)
    missed = next((one.missed for one in tried if one.factor == broken), ())
    return LoadHeadroom(kept, broken, missed, search.runs, search.stopped, tried)


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

    def sample(self) -> None:
        """Loads on a grid: doubled until an SLO is missed and once more, with values in between."""
        factor = 1.0
        while self.keeps(factor) and factor < MAX_FACTOR:
            factor *= 2.0
        if not self.tried or self.tried[-1].kept:
            return
        others = (0.25, 0.5, 0.75, 1.5, 2.0) if factor == 1.0 else (0.625 * factor, 0.75 * factor, 0.875 * factor,
            1.5 * factor, 2.0 * factor)  # fmt: skip
        for other in others:
            if self.stopped is None and other <= MAX_FACTOR:
                self.keeps(other)

    def narrow(self, precision: float) -> None:
        """Bisect every edge to `precision` of its value, the lowest one first; the lowest may be near zero load."""
        lowest = min((one.factor for one in self.tried), default=0.0)
        if self.stopped is None and any(one.factor == lowest and not one.kept for one in self.tried):
            self._bisect(0.0, lowest, precision, below_kept=True)
        ordered = sorted(self.tried, key=lambda one: one.factor)
        for one, other in pairwise(ordered):
            if one.kept is not other.kept:
                self._bisect(one.factor, other.factor, precision, below_kept=one.kept)

    def _bisect(self, below: float, above: float, precision: float, *, below_kept: bool) -> None:
        while self.stopped is None and above - below > precision * above:
            middle = 0.5 * (below + above)
            if middle < precision:
                return
            if self.keeps(middle) is below_kept:
                below = middle
            else:
                above = middle

    def keeps(self, factor: float) -> bool:
        """Whether every SLO is kept at that factor; false when the run was stopped."""
        self.runs += 1
        from planner.simulation.run import run_plan  # who only shows what was found needs nothing that simulates

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
