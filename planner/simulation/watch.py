"""Whoever looks on while a run goes. Looking never changes what happens."""

from dataclasses import dataclass
from typing import Protocol

from planner.engine.loop import EventLoop
from planner.record.recorder import Recorder


@dataclass(frozen=True)
class RunView:
    """What a run has told so far; to be read in the run's own thread, between two phases."""

    recorder: Recorder
    loop: EventLoop
    until_us: int


class RunWatch(Protocol):
    """Called in the run's thread; the run goes on when the call returns."""

    def begin(self, view: RunView) -> None:
        """The names of the series are known; the pods of the start are placed next."""

    def before(self, at_us: int, phase: int) -> None:
        """The events of this instant and phase come next."""
