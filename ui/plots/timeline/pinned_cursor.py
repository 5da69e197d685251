"""The time cursor under a pointer: it follows, and goes back to where it was pinned when the pointer leaves."""

import math

from ui.runs.time_cursor import TimeCursor

_NOT_HOVERED = math.nan
"""Unlike any time."""


class PinnedCursor:
    """Moves the cursor for the plots; wherever others put it, it is pinned."""

    def __init__(self, cursor: TimeCursor) -> None:
        self._cursor = cursor
        self._pinned_s = cursor.time_s
        self._hovered_s: float | None = _NOT_HOVERED
        cursor.moved.connect(self._follow)

    def hover(self, time_s: float | None) -> None:
        """The pointer is at this time, or has left (None)."""
        self._hovered_s = time_s if time_s is not None else self._pinned_s
        self._cursor.move(self._hovered_s)

    def pin(self, time_s: float) -> None:
        """The cursor stays here."""
        self._pinned_s = time_s
        self._cursor.move(time_s)

    def _follow(self) -> None:
        if self._cursor.time_s != self._hovered_s:
            self._pinned_s, self._hovered_s = self._cursor.time_s, _NOT_HOVERED
