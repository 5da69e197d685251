"""Runs whose plans differ only in events that are still to come have their start in common."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from planner.engine.collection import not_collected, seldom_collected
from planner.engine.loop import EventLoop, never
from planner.errors import RunStopped
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.simulation.checkpoint import RunCheckpoint
from planner.simulation.run import result_of
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers


class SharedStart:
    """A run that can still become that of another plan: it begins with one, and may follow others later."""

    def __init__(self, plan: Plan, seed: int, until_us: int | None, cancelled: Callable[[], bool] = never) -> None:
        """Raises RunStopped if `cancelled()` turns true."""
        self._seed, self._cancelled = seed, cancelled
        self._until_us = plan.simulation.duration if until_us is None else until_us
        with not_collected():
            self._sim = Simulation(plan, seed, cancelled=cancelled)
        self._loop = EventLoop(self._sim.events, handlers(self._sim), self._sim.settle, self._sim.options.bounds)
        self._sim.start()

    @classmethod
    @contextmanager
    def of(
        cls, plan: Plan, seed: int, until_us: int | None, cancelled: Callable[[], bool] = never
    ) -> Iterator["SharedStart"]:
        """The start of a run, with garbage looked for as seldom as in any run."""
        with seldom_collected():
            yield cls(plan, seed, until_us, cancelled)

    def copy(self) -> "SharedStart":
        """The same run as it is now; each of both goes on by itself."""
        with not_collected():
            copied: SharedStart = RunCheckpoint(self, outside=(self._cancelled,)).copy()
        return copied

    def go_to(self, at_us: int) -> None:
        """Everything before this moment happens. Raises RunStopped."""
        if at_us > 0:
            self._loop.run_until(min(at_us - 1, self._until_us), self._cancelled)

    def follow(self, plan: Plan) -> None:
        """From now on the events of another plan happen, which have been the same so far (`alike_until_us`)."""
        self._sim.plan_events.follow(plan.events)

    def finish(self) -> RunResult:
        """The rest of the run."""
        stopped = None
        try:
            self._loop.run_until(self._until_us, self._cancelled)
        except RunStopped as reason:
            stopped = reason
        self._sim.hpa.finish()
        return result_of(self._sim, self._seed, stopped)
