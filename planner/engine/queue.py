"""Future events in one total order."""

import heapq
from collections.abc import Iterable
from typing import Any

from planner.engine.phases import Phase
from planner.units import US_PER_MS

_PHASE_BITS = 5
_SERIAL_BITS = 40
_PHASES = tuple(Phase)


class EventQueue:
    """Future events ordered by time, then phase, then insertion; also the simulation clock.

    The three parts of the order are packed into one integer, because comparing integers is what a
    heap spends its time on.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, Any]] = []
        self._serial = 0
        self.now_us = 0
        """The simulated time: the time of the event last popped."""

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def moment_us(self) -> int:
        """The whole millisecond of `now_us`: what delays count from, so that they end on the moments of the run.

        An event that must come after all others of a moment is scheduled less than a millisecond later.
        """
        return self.now_us - self.now_us % US_PER_MS

    def push(self, at_us: int, phase: Phase, event: object) -> None:
        """Add an event. Raises ValueError if it is due before now."""
        if at_us < self.now_us:
            raise ValueError(f"{event} is due at {at_us}, before now ({self.now_us})")
        key = (((at_us << _PHASE_BITS) | phase) << _SERIAL_BITS) | self._serial
        self._serial += 1
        heapq.heappush(self._heap, (key, event))

    def push_all(self, entries: Iterable[tuple[int, Phase, object]]) -> None:
        """Add events one after the other: when each is due, its phase, and itself; none is due before now."""
        first = self._serial
        made = [
            ((((at_us << _PHASE_BITS) | phase) << _SERIAL_BITS) | serial, event)
            for serial, (at_us, phase, event) in enumerate(entries, first)
        ]
        self._serial += len(made)
        if len(made) > len(self._heap):
            self._heap += made
            heapq.heapify(self._heap)
        else:
            for entry in made:
                heapq.heappush(self._heap, entry)

    @property
    def serial(self) -> int:
        """The place in the order of insertion that the next event will have."""
        return self._serial

    def replace(self, kind: type, events: Iterable[tuple[int, Phase, int, object]]) -> None:
        """Take all events of a kind out, and put these in: (due, phase, place in the order of insertion, event)."""
        self._heap = [entry for entry in self._heap if type(entry[1]) is not kind]
        self._heap += [
            ((((at_us << _PHASE_BITS) | phase) << _SERIAL_BITS) | serial, event)
            for at_us, phase, serial, event in events
        ]
        heapq.heapify(self._heap)

    def peek(self) -> tuple[int, Phase] | None:
        """Time and phase of the next event, or None when nothing is left."""
        if not self._heap:
            return None
        step = self._heap[0][0] >> _SERIAL_BITS
        return step >> _PHASE_BITS, _PHASES[step & ((1 << _PHASE_BITS) - 1)]

    def pop_of(self, at_us: int, phase: Phase) -> Any:
        """The next event if it belongs to this instant and phase, else None; the clock moves with it."""
        heap = self._heap
        if not heap or heap[0][0] >> _SERIAL_BITS != (at_us << _PHASE_BITS) | phase:
            return None
        return self.pop()

    def pop(self) -> Any:
        """The next event; the clock moves to its time."""
        key, event = heapq.heappop(self._heap)
        self.now_us = key >> (_SERIAL_BITS + _PHASE_BITS)
        return event

    def advance(self, to_us: int) -> None:
        """Move the clock to the end of the run without an event. Raises ValueError if time would go back."""
        if to_us < self.now_us:
            raise ValueError(f"the clock cannot go back from {self.now_us} to {to_us}")
        self.now_us = to_us
