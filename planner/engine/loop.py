"""Runs events in order up to a given time, with limits that stop a run that would never end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.errors import RunStopped
from planner.language.phrases import phrase

Handler = Callable[[Any], None]
CHECK_EVERY = 256
"""Events of one phase that are handled between two checks for cancellation: well below 0.1 s."""


def cancelled_at(time_us: int) -> RunStopped:
    """The end of a run that somebody did not want to wait for."""
    return RunStopped(
        where=phrase("at {time:g} s", time=time_us / 1e6),
        problem=phrase("The run was cancelled."),
        remedy=phrase("What was simulated so far is kept."),
        cancelled=True,
    )


def endless_at(time_us: int, problem: str) -> RunStopped:
    """The end of a run in which time does not go on."""
    return RunStopped(
        where=phrase("at {time:g} s", time=time_us / 1e6),
        problem=problem,
        remedy=phrase("Look for delays of 0 s that feed each other, or make the plan smaller."),
    )


def never() -> bool:
    """The run is never cancelled."""
    return False


def stop_check(cancelled: Callable[[], bool], queue: EventQueue) -> Callable[[], None]:
    """What raises RunStopped if the run has been cancelled, for work that takes long within one step."""

    def check_stop() -> None:
        if cancelled():
            raise cancelled_at(queue.now_us)

    return check_stop


@dataclass(frozen=True)
class Bounds:
    """How many events a run may take before it is ended with a message; so many scheduling cycles, too, an instant."""

    per_run: int = 200_000_000
    per_instant: int = 2_000_000


class EventLoop:
    """Pops events, calls their handlers, and settles after each phase of an instant."""

    def __init__(
        self,
        queue: EventQueue,
        handlers: Mapping[type, Handler],
        settle: Callable[[], None],
        bounds: Bounds | None = None,
    ) -> None:
        self._queue = queue
        self._handlers = dict(handlers)
        self._settle = settle
        self._bounds = bounds or Bounds()
        self.event_count = 0

    def run_until(
        self,
        until_us: int,
        cancelled: Callable[[], bool] = never,
        before: Callable[[int, int], None] | None = None,
    ) -> None:
        """Handle every event due up to and including `until_us`.

        `before(at_us, phase)` is called ahead of each phase of an instant; it may take its time.
        Raises RunStopped when a bound is passed or `cancelled()` turns true.
        """
        queue, settle, most = self._queue, self._settle, self._bounds.per_instant
        instant_us, in_instant = -1, 0
        while (step := queue.peek()) is not None and step[0] <= until_us:
            at_us, phase = step
            if before is not None:
                before(at_us, phase)
                if cancelled():
                    raise cancelled_at(queue.now_us)
            if at_us != instant_us:
                instant_us, in_instant = at_us, 0
            in_instant += self._run_phase(at_us, phase, cancelled)
            if in_instant > most or self.event_count > self._bounds.per_run:
                raise self._beyond_bounds(instant_us, in_instant)
            settle()
            if cancelled():
                raise cancelled_at(instant_us)
        queue.advance(max(until_us, queue.now_us))

    def _run_phase(self, at_us: int, phase: Phase, cancelled: Callable[[], bool]) -> int:
        """All events of one instant and phase, also those pushed meanwhile; how many there were."""
        pop_of, handlers, count = self._queue.pop_of, self._handlers, 0
        while (event := pop_of(at_us, phase)) is not None:
            handlers[type(event)](event)
            count += 1
            if count > self._bounds.per_instant:
                break
            if count % CHECK_EVERY == 0 and cancelled():
                self.event_count += count
                raise cancelled_at(at_us)
        self.event_count += count
        return count

    def _beyond_bounds(self, instant_us: int, in_instant: int) -> RunStopped:
        if in_instant > self._bounds.per_instant:
            return endless_at(
                instant_us, phrase("More than {count:,} events in one instant.", count=self._bounds.per_instant)
            )
        return RunStopped(
            where=phrase("at {time:g} s", time=instant_us / 1e6),
            problem=phrase("More than {count:,} events in one run.", count=self._bounds.per_run),
            remedy=phrase("Shorten the run or lengthen its steps."),
        )
