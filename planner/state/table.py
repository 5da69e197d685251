"""A struct of arrays that grows by rows. Row number is identity; rows are never removed."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np


class Table:
    """Columns of equal length. `table.<column>` is read-only; `table.w.<column>` is for Cluster alone.

    Subclasses list their columns in COLUMNS: name -> (dtype, fill value) and, for two-dimensional
    ones, pass the width to `__init__`.
    """

    COLUMNS: ClassVar[dict[str, tuple[Any, Any]]] = {}

    def __init__(self, **widths: int) -> None:
        self.count = 0
        self.w = SimpleNamespace()
        self._widths = widths
        self._capacity = 64
        self._base = {name: self._new(name, self._capacity) for name in self.COLUMNS}
        self._refresh()

    def _new(self, name: str, rows: int) -> np.ndarray[Any, Any]:
        dtype, fill = self.COLUMNS[name]
        shape: tuple[int, ...] = (rows, self._widths[name]) if name in self._widths else (rows,)
        return np.full(shape, fill, dtype=dtype)

    def append(self, rows: int) -> int:
        """Add rows filled with the columns' fill values; the number of the first one."""
        first, needed = self.count, self.count + rows
        if needed > self._capacity:
            while self._capacity < needed:
                self._capacity *= 2
            for name, old in self._base.items():
                bigger = self._new(name, self._capacity)
                bigger[:first] = old[:first]
                self._base[name] = bigger
        self.count = needed
        self._refresh()
        return first

    def _refresh(self) -> None:
        for name, base in self._base.items():
            view = base[: self.count]
            setattr(self.w, name, view)
            shown = view.view()
            shown.flags.writeable = False
            setattr(self, name, shown)
