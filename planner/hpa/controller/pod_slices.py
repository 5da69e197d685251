"""The rows of the pods of many autoscalers, one slice each of a single column, so that sums over all are one pass."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class PodSlices:
    """Slices keep some room to grow, and move to the end of the column when they outgrow it."""

    def __init__(self, count: int) -> None:
        self.count: Ints = np.zeros(count, np.int64)
        self._start, self._room = np.zeros((2, count), np.int64)
        self._rows: Ints = np.zeros(64, np.int64)
        self._end = 0

    def put(self, at: int, rows: Ints) -> None:
        """The pods of one autoscaler are these from now on."""
        if len(rows) > self._room[at]:
            self._move(at, len(rows) + len(rows) // 4 + 4)
        start = self._start.item(at)
        self._rows[start : start + len(rows)] = rows
        self.count[at] = len(rows)

    def sums(self, values: Ints, at: Ints) -> Ints:
        """Sums of a column by pod row over the pods of each of these autoscalers, all of which have some."""
        order = np.argsort(self._start[at])
        start = self._start[at][order]
        bounds = np.stack([start, start + self.count[at][order]], axis=1).ravel()
        found = np.empty(len(at), np.int64)
        found[order] = np.add.reduceat(values[self._rows], bounds)[::2]
        return found

    @property
    def columns(self) -> tuple[Ints, Ints, Ints]:
        """Pod rows, and by position of the autoscaler where its slice begins and how many pods it has."""
        return self._rows, self._start, self.count

    def _move(self, at: int, room: int) -> None:
        self.count[at] = self._room[at] = 0
        if self._end + room >= len(self._rows):  # one entry stays behind the last slice
            self._pack(room)
        self._start[at], self._room[at] = self._end, room
        self._end += room

    def _pack(self, room: int) -> None:
        """Slices follow each other again, with as much room behind them as they take."""
        needed = int(self._room.sum())
        rows, self._end = np.zeros(2 * (needed + room) + 64, np.int64), 0
        for at in np.flatnonzero(self._room).tolist():
            start, count = self._start.item(at), self.count.item(at)
            rows[self._end : self._end + count] = self._rows[start : start + count]
            self._start[at] = self._end
            self._end += self._room.item(at)
        self._rows = rows
