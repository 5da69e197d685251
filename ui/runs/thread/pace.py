"""The clock between wall time and simulated time: speed, pause, step, stop.

`Pace` is what the run's thread calls and waits in; the window's thread turns its knobs. It never changes
what happens in a run, only when.
"""

import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from planner.engine.phases import Phase
from planner.record.decisions import Actor
from planner.units import US_PER_S
from ui.runs.messages import Message, RunPaused
from ui.runs.thread.feed import Feed

if TYPE_CHECKING:
    from planner.api import RunView

PUBLISH_S = 0.05
"""Data is handed on at most this often."""
_HISTORY_S = 0.5
"""So is a copy of all nodes and pods, as long as someone looks at them."""
_MAX_LAG_S = 0.25
"""A run that falls behind its speed by more than this does not hurry to catch up."""
_LOOPS = (Phase.HPA, Phase.AUTOSCALER)


class Pace:
    """Watches one run. Messages go out by `send`; `is_wanted` says whether the last ones were read already."""

    def __init__(self, send: Callable[[Message], None], is_wanted: Callable[[], bool], speed: float | None) -> None:
        self._send, self._is_wanted = send, is_wanted
        self._knobs = threading.Condition()
        self._speed = speed
        self._is_paused = self._is_stepping = self._is_stopped = False
        self._anchor_us, self._anchor_s = 0.0, monotonic()
        self._feed: Feed | None = None
        self._view: RunView | None = None
        self._instant_us = 0
        self._seen_decisions = 0
        self._saw_loop = False
        self._published_s = self._copied_s = 0.0
        self._copies_history = False

    # -- knobs, for the window's thread -----------------------------------------------------------

    def set_speed(self, factor: float | None) -> None:
        """Simulated seconds per wall second; None is as fast as it goes."""
        with self._knobs:
            self._anchor()
            self._speed = factor
            self._knobs.notify_all()

    def pause(self) -> None:
        """Hold before the next instant."""
        with self._knobs:
            self._anchor()
            self._is_paused, self._is_stepping = True, False
            self._knobs.notify_all()

    def resume(self) -> None:
        """Resume."""
        with self._knobs:
            self._is_paused = self._is_stepping = False
            self._anchor_s = monotonic()
            self._knobs.notify_all()

    def step(self) -> None:
        """Go on, at full speed, to the end of the next instant with a control loop or a scheduling decision."""
        with self._knobs:
            self._is_paused, self._is_stepping = True, True
            self._knobs.notify_all()

    def copy_history(self, on: bool) -> None:
        """Whether nodes and pods are handed on too."""
        self._copies_history = on
        self._copied_s = 0.0

    def stop(self) -> None:
        """End the run as soon as may be."""
        with self._knobs:
            self._is_stopped = True
            self._knobs.notify_all()

    # -- for the run's thread ---------------------------------------------------------------------

    def is_stopped(self) -> bool:
        """Called by the run between all its steps, also while it places the pods of the start, which can take long."""
        if self._instant_us == 0 and monotonic() - self._published_s >= PUBLISH_S:
            self._publish(0)
        return self._is_stopped

    def begin(self, view: "RunView") -> None:
        """The run is about to start."""
        self._view, self._feed = view, Feed(view)
        self._send(self._feed.started())

    def before(self, at_us: int, phase: int) -> None:
        """Hand on what is new, and wait until the run may go on to this instant."""
        if at_us != self._instant_us:
            if self._instant_us == 0:
                self._leave_start()
            self._arrive(at_us)
            self._instant_us = at_us
        if phase in _LOOPS:
            self._saw_loop = True

    def last_words(self) -> None:
        """Hand on the rest when the run is over."""
        if self._feed is not None:
            self._send(self._feed.chunk(self._instant_us))

    def _leave_start(self) -> None:
        """Time begins to go by now: placing the first pods does not count."""
        with self._knobs:
            self._anchor_us, self._anchor_s = 0.0, monotonic()
            self._seen_decisions = len(self._view.recorder.decisions) if self._view is not None else 0

    def _arrive(self, at_us: int) -> None:
        now_s = monotonic()
        if now_s - self._published_s >= PUBLISH_S:
            self._publish(self._instant_us)
        if self._speed is None and not self._is_paused:
            return
        with self._knobs:
            self._end_step()
            has_published = False
            while not self._is_stopped and (rest_s := self._rest_s(at_us)) > 0.0:
                if not has_published or not self._is_paused:
                    self._publish(min(max(self._instant_us, int(self._clock_us())), at_us), must=not has_published)
                has_published = True
                self._knobs.wait(min(rest_s, PUBLISH_S))

    def _rest_s(self, at_us: int) -> float:
        """Wall seconds until the run may handle this instant."""
        if self._is_paused:
            return 0.0 if self._is_stepping else 1.0
        if self._speed is None:
            return 0.0
        rest_s = (at_us - self._clock_us()) / US_PER_S / self._speed
        if rest_s < -_MAX_LAG_S:
            self._anchor_us, self._anchor_s = float(at_us), monotonic()
        return rest_s

    def _end_step(self) -> None:
        """A step ends when the instants gone by held a control loop or a decision of the scheduler."""
        if self._is_stepping and (self._saw_loop or self._has_scheduled()):
            self._is_stepping = False
            self._anchor_us = float(self._instant_us)
            self._publish(self._instant_us, must=True)
            self._send(RunPaused())
        if not self._is_stepping:
            self._saw_loop = False
            self._seen_decisions = len(self._view.recorder.decisions) if self._view is not None else 0

    def _has_scheduled(self) -> bool:
        if self._view is None:
            return False
        recorder = self._view.recorder
        fresh = recorder.decisions[self._seen_decisions :]
        return any(decision.actor is Actor.SCHEDULER for decision in fresh)

    def _clock_us(self) -> float:
        """Where simulated time should be now at the chosen speed."""
        if self._is_paused or self._speed is None:
            return self._anchor_us
        return self._anchor_us + (monotonic() - self._anchor_s) * self._speed * US_PER_S

    def _anchor(self) -> None:
        """Count from here: the speed is about to change."""
        self._anchor_us = float(self._instant_us) if self._speed is None else max(self._clock_us(), self._instant_us)
        self._anchor_s = monotonic()

    def _publish(self, done_us: int, must: bool = False) -> None:
        if self._feed is not None and (must or self._is_wanted()):
            self._published_s = now_s = monotonic()
            copies = self._copies_history and (must or now_s - self._copied_s >= _HISTORY_S)
            self._copied_s = now_s if copies else self._copied_s
            self._send(self._feed.chunk(done_us, copies))
