"""A run is a function of plan and seed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from planner.engine.collection import not_collected, seldom_collected
from planner.engine.loop import EventLoop, never
from planner.errors import RunStopped
from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.result import build_result
from planner.plan.model.plan import Plan
from planner.record.history import ClusterHistory
from planner.record.recorder import Recorder
from planner.record.result import RunResult
from planner.record.series import SeriesStore
from planner.simulation.ending import take_apart
from planner.simulation.options import ORDINARY, RunOptions
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers

_SLICES = 200


@dataclass(frozen=True)
class RunView:
    """What a run has recorded so far; to be read in the run's own thread, between two phases."""

    recorder: Recorder
    loop: EventLoop
    until_us: int
    history: Callable[[], ClusterHistory]
    """Nodes and pods up to now; copies all of them."""


class RunWatch(Protocol):
    """Called in the run's thread; the run goes on when the call returns."""

    def begin(self, view: RunView) -> None:
        """The names of the series are known; the pods of the start are placed next."""

    def before(self, at_us: int, phase: int) -> None:
        """The events of this instant and phase come next."""


def run_plan(
    plan: Plan,
    seed: int | None = None,
    until_us: int | None = None,
    on_progress: Callable[..., None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    watch: RunWatch | None = None,
    options: RunOptions = ORDINARY,
) -> RunResult:
    """Simulate a valid plan from its start and return what happened.

    `on_progress(done_us, until_us)` is called some 200 times. `watch` is called before each phase and may delay
    the run. `cancelled()` is called between events and while the plan is compiled; a cancelled run, or one that reached
    a bound, returns what it has recorded with `stopped` set.
    """
    seed = plan.simulation.seed if seed is None else seed
    until_us = plan.simulation.duration if until_us is None else until_us
    cancelled = cancelled or never
    with seldom_collected():
        try:
            with not_collected():
                sim = Simulation(plan, seed, cancelled=cancelled, options=options)
        except RunStopped as reason:
            return not_begun(plan, seed, reason.with_traceback(None))
        stopped = play(sim, until_us, cancelled, on_progress, watch)
        return result_of(sim, seed, stopped)


def play(
    sim: Simulation,
    until_us: int,
    cancelled: Callable[[], bool],
    on_progress: Callable[..., None] | None,
    watch: RunWatch | None,
) -> RunStopped | None:
    """Everything that happens to a simulation that is made; why it ended early, if it did."""
    loop = EventLoop(sim.events, handlers(sim), sim.settle, sim.options.bounds)
    before = watch.before if watch is not None else None
    stopped = None
    try:
        if watch is not None:
            watch.begin(RunView(sim.recorder, loop, until_us, sim.history))
        sim.start()
        for part in range(1, _SLICES + 1):
            loop.run_until(until_us * part // _SLICES, cancelled, before)
            if on_progress is not None:
                on_progress(sim.events.now_us, until_us)
    except RunStopped as reason:
        stopped = reason.with_traceback(None)  # whose frames would keep the simulation as long as the result
    sim.hpa.finish()
    return stopped


def result_of(sim: Simulation, seed: int, stopped: RunStopped | None) -> RunResult:
    """What a run that is over leaves behind; `stopped` says why it ended early, if it did."""
    try:
        return build_result(_inputs(sim, sim.events.now_us), seed, stopped)
    finally:
        take_apart(sim)


def not_begun(plan: Plan, seed: int | None, stopped: RunStopped) -> RunResult:
    """The result of a run that was stopped before its first moment."""
    seed = plan.simulation.seed if seed is None else seed
    return RunResult(plan.name, seed, 0, np.zeros(0, np.int64), SeriesStore(), (), {}, stopped=stopped)


def _inputs(sim: Simulation, until_us: int) -> FigureInputs:
    recorder = sim.recorder
    sim.load_record.close_instant()
    return FigureInputs(
        cluster=sim.cluster,
        plan=sim.plan,
        until_us=until_us,
        time_us=np.array(recorder.series_time_us, dtype=np.int64),
        series=recorder.series,
        decisions=recorder.log(),
        totals=sim.load_record.totals,
        room=sim.series.room,
        statuses=recorder.statuses,
        end_to_end=sim.load_record.end_to_end.of,
        node_log=sim.node_log,
        jobs=sim.job_log.history(),
    )
