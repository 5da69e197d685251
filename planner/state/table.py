"""A struct of arrays that grows by rows. Row number is identity; rows are never removed."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np


class Table:
    """Columns of equal length. `table.<column>` is read-only; `table.w.<column>` is for Cluster alone.

    Subclasses list their columns in COLUMNS: name -> (dtype, fill value) and, for two-dimensional
    ones, pass the width to `__init__`. What Cluster writes to has spare rows at its end; a read-only view has the
    rows there are, and is made when it is first asked for after rows were added.
    """

    COLUMNS: ClassVar[dict[str, tuple[Any, Any]]] = {}

    def __init__(self, **widths: int) -> None:
        self.count = 0
        self.w = SimpleNamespace()
        self._widths = widths
        self._capacity = 64
        self._shown: list[str] = []
        for name in self.COLUMNS:
            setattr(self.w, name, self._new(name, self._capacity))

    def __getattr__(self, name: str) -> Any:
        """The read-only view of a column that has not been asked for yet."""
        if name not in type(self).COLUMNS:
            raise AttributeError(name)
        view = getattr(self.w, name)[: self.count]
        view.flags.writeable = False
        self._shown.append(name)
        setattr(self, name, view)
        return view

    def _new(self, name: str, rows: int) -> np.ndarray[Any, Any]:
        dtype, fill = self.COLUMNS[name]
        shape: tuple[int, ...] = (rows, self._widths[name]) if name in self._widths else (rows,)
        return np.full(shape, fill, dtype=dtype)

    def append(self, rows: int) -> int:
        """Add rows filled with the columns' fill values; the number of the first one."""
        first, needed = self.count, self.count + rows
        if needed > self._capacity:
            self._grow(needed)
        self.count = needed
        for name in self._shown:
            delattr(self, name)
        self._shown.clear()
        return first

    def _grow(self, needed: int) -> None:
        while self._capacity < needed:
            self._capacity *= 2
        for name in self.COLUMNS:
            bigger = self._new(name, self._capacity)
            bigger[: self.count] = getattr(self.w, name)[: self.count]
            setattr(self.w, name, bigger)
