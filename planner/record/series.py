"""The time series of a run: many named columns that grow by rows, packed as they grow, and on disk beyond a given size.

Rows are collected in a block. A full block is packed: a series that is constant in it is stored as one value, the
others as they are. Packed blocks beyond a memory budget go into a temporary file that is deleted at exit.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BUDGET_BYTES = 128 << 20
"""Packed blocks that are held in memory."""
_BLOCK_VALUES = 1 << 20
_MOST_ROWS, _LEAST_ROWS = 512, 16
_AT_ONCE = 256
"""Series that are packed together."""


class SeriesStore(Mapping[str, Floats]):
    """Series by name; each an array with one value per row so far. Rows are only ever added."""

    def __init__(self, names: Sequence[str] = (), budget_bytes: int = BUDGET_BYTES) -> None:
        self._columns = {name: column for column, name in enumerate(names)}
        self._block_rows = max(_LEAST_ROWS, min(_MOST_ROWS, _BLOCK_VALUES // max(1, len(self._columns))))
        self._packed: list[_Packed] = []
        self._open = np.empty((self._block_rows, len(self._columns)))
        self._filled = 0
        self._spill = _Spill(budget_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies to other processes carry the values, wherever this one keeps them."""
        return _restored, (tuple(self._columns), tuple(self.blocks(self._block_rows)))

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[float]]) -> "SeriesStore":
        """A store with these series, all of the same length."""
        store = cls(tuple(columns))
        for row in zip(*columns.values(), strict=True):
            store.append(row)
        return store

    def copy(self) -> "SeriesStore":
        """A store that goes on by itself; full blocks are common to both, as they never change."""
        other = SeriesStore(tuple(self._columns))
        other._packed, other._filled, other._spill = list(self._packed), self._filled, self._spill
        other._open[: self._filled] = self._open[: self._filled]
        return other

    @property
    def rows(self) -> int:
        """How many values each series has."""
        return len(self._packed) * self._block_rows + self._filled

    @property
    def memory_bytes(self) -> int:
        """About how much memory it holds; what is on disk left out."""
        return self._open.nbytes + self._spill.held_bytes + 12 * len(self._columns) * len(self._packed)

    def append(self, values: Floats | Sequence[float]) -> None:
        """One value for every series, in the order of the names. Raises ValueError if the number differs."""
        self._open[self._filled] = values
        self._fill(1)

    def extend(self, values: Floats) -> None:
        """Many rows: one row of `values` per series, one column per new row."""
        at, count = 0, values.shape[1]
        while at < count:
            taken = min(count - at, self._block_rows - self._filled)
            self._open[self._filled : self._filled + taken] = values[:, at : at + taken].T
            self._fill(taken)
            at += taken

    def _fill(self, rows: int) -> None:
        """So many rows were added to the open block."""
        self._filled += rows
        if self._filled == self._block_rows:
            self._packed.append(_pack(self._open, self._spill.keep))
            self._filled = 0

    def since(self, first: int) -> Floats:
        """The rows from number `first` on: one row per series, one column per row of the store."""
        block, skip = divmod(first, self._block_rows)
        parts = [packed.unpack() for packed in self._packed[block:]] + [self._open[: self._filled].T]
        return np.concatenate(parts, axis=1)[:, skip:] if len(parts) > 1 else parts[0][:, skip:].copy()

    def blocks(self, most_rows: int) -> Iterator[Floats]:
        """All rows in order, a few at a time: one row per series, at most `most_rows` columns."""
        for first in range(0, self.rows, self._block_rows):
            block = first // self._block_rows
            is_open = block == len(self._packed)
            values = self._open[: self._filled].T if is_open else self._packed[block].unpack()
            for at in range(0, values.shape[1], most_rows):
                yield values[:, at : at + most_rows]

    def value(self, name: str, row: int) -> float:
        """One value. Raises KeyError for an unknown name and IndexError beyond the last row."""
        if not 0 <= row < self.rows:
            raise IndexError(f"there is no row {row}")
        block, at = divmod(row, self._block_rows)
        column = self._columns[name]
        if block == len(self._packed):
            return float(self._open[at, column])
        return float(self._packed[block].column(column, self._block_rows)[at])

    def across(self, columns: NDArray[np.intp], row: int) -> Floats:
        """The values of several series, by their positions among the names, in one row. IndexError beyond the last."""
        if not 0 <= row < self.rows:
            raise IndexError(f"there is no row {row}")
        return np.asarray(self.parts(columns, row, row + 1)[:, 0])

    def parts(self, columns: NDArray[np.intp], first: int, end: int) -> Floats:
        """Several series, by their positions among the names, from row `first` to before `end`: one row per series."""
        rows, end = self._block_rows, min(end, self.rows)
        found = []
        for block in range(first // rows, -(-end // rows)) if first < end else ():
            at, to = max(first - block * rows, 0), min(end - block * rows, rows)
            is_open = block == len(self._packed)
            found.append(self._open[at:to, columns].T if is_open else self._packed[block].chosen(columns, at, to))
        return np.concatenate(found, axis=1) if found else np.empty((len(columns), 0))

    def part(self, name: str, first: int, end: int) -> Floats:
        """Values of the rows from `first` to before `end`, looking at their blocks only. KeyError: no such name."""
        column, rows, end = self._columns[name], self._block_rows, min(end, self.rows)
        start, last = first // rows, max(first, end - 1) // rows
        parts = [packed.column(column, rows) for packed in self._packed[start : last + 1]]
        if last >= len(self._packed):
            parts.append(self._open[: self._filled, column])
        values = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return values[first - start * rows : max(first, end) - start * rows].copy()

    def __getitem__(self, name: str) -> Floats:
        return self.part(name, 0, self.rows)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _restored(names: tuple[str, ...], blocks: tuple[Floats, ...]) -> SeriesStore:
    store = SeriesStore(names)
    for block in blocks:
        store.extend(block)
    return store


class _Packed(NamedTuple):
    """A full block. `place`: per series its row in `moving`, or -1 if it kept the value in `still`."""

    still: Floats
    place: NDArray[np.int32]
    moving: Floats

    def column(self, column: int, rows: int) -> Floats:
        place = int(self.place[column])
        return np.full(rows, self.still[column]) if place < 0 else np.asarray(self.moving[place])

    def chosen(self, columns: NDArray[np.intp], at: int, to: int) -> Floats:
        place, found = self.place[columns], np.repeat(self.still[columns][:, None], to - at, axis=1)
        moves = place >= 0
        found[moves] = self.moving[place[moves], at:to]
        return found

    def unpack(self) -> Floats:
        """One row per series."""
        whole = np.repeat(self.still[:, None], self.moving.shape[1], axis=1)
        whole[self.place >= 0] = self.moving
        return whole


def _pack(block: Floats, keep: Callable[[Floats], Floats]) -> _Packed:
    bits = block.view(np.int64)  # so that not a number equals itself, and the two zeros differ
    moves = (bits != bits[0]).any(axis=0)
    place = np.where(moves, np.cumsum(moves) - 1, -1).astype(np.int32)
    at = np.flatnonzero(moves)
    moving = np.empty((len(at), len(block)))
    for first in range(0, len(at), _AT_ONCE):  # no second copy of all of them
        moving[first : first + _AT_ONCE] = block[:, at[first : first + _AT_ONCE]].T
    return _Packed(block[0].copy(), place, keep(moving))


class _Spill:
    """Keeps arrays: in memory within the budget, else in a temporary file; in memory as well if the disk refuses."""

    def __init__(self, budget_bytes: int) -> None:
        self._budget_bytes = budget_bytes
        self.held_bytes = 0
        self._file: BinaryIO | None = None

    def keep(self, values: Floats) -> Floats:
        """The same values, to be read only."""
        if self.held_bytes + values.nbytes <= self._budget_bytes:
            self.held_bytes += values.nbytes
            return values
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="headroom-")
            offset = self._file.seek(0, 2)
            values.tofile(self._file)
            self._file.flush()
            return np.memmap(self._file, np.float64, "r", offset, values.shape)
        except OSError:
            self.held_bytes += values.nbytes
            return values
