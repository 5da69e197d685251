"""A struct of arrays that grows by rows. Row number is identity; rows are never removed."""

from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


class _Column(NamedTuple):
    dtype: type[np.generic]
    fill: int


def column(dtype: type[_Scalar], fill: int = 0) -> NDArray[_Scalar]:
    """Declares a column in the body of a Table; new rows hold `fill`."""
    return cast(NDArray[_Scalar], _Column(dtype, fill))


class Table:
    """Columns of equal length. `table.<column>` is read-only; `table.w.<column>` is for Cluster alone.

    Subclasses declare their columns with `column` and pass the widths of two-dimensional ones to `__init__`. What
    Cluster writes to has spare rows at its end; a read-only view has the rows there are.
    """

    _columns: ClassVar[dict[str, _Column]] = {}

    def __init_subclass__(cls) -> None:
        cls._columns = {name: known for name, known in vars(cls).items() if isinstance(known, _Column)}
        for name in cls._columns:  # reading an attribute is fastest where the class has none of that name
            delattr(cls, name)

    def __init__(self, **widths: int) -> None:
        self.count = 0
        self.w = SimpleNamespace()
        self._widths = widths
        self.capacity = 64
        """Rows there is room for; with more the columns are replaced."""
        self._shown: list[str] = []
        for name in self._columns:
            setattr(self.w, name, self._new(name, self.capacity))

    def __getattr__(self, name: str) -> Any:
        """The read-only view of a column that was not read since rows were added."""
        if name not in type(self)._columns:
            raise AttributeError(name)
        view = getattr(self.w, name)[: self.count]
        view.flags.writeable = False
        self._shown.append(name)
        setattr(self, name, view)
        return view

    def _new(self, name: str, rows: int) -> np.ndarray[Any, Any]:
        made = self._columns[name]
        shape: tuple[int, ...] = (rows, self._widths[name]) if name in self._widths else (rows,)
        return np.full(shape, made.fill, dtype=made.dtype)

    def append(self, rows: int) -> int:
        """Add rows filled with the columns' fill values; the number of the first one."""
        first, needed = self.count, self.count + rows
        if needed > self.capacity:
            self._grow(needed)
        self.count = needed
        for name in self._shown:
            delattr(self, name)
        self._shown.clear()
        return first

    def _grow(self, needed: int) -> None:
        while self.capacity < needed:
            self.capacity *= 2
        for name in self._columns:
            bigger = self._new(name, self.capacity)
            bigger[: self.count] = getattr(self.w, name)[: self.count]
            setattr(self.w, name, bigger)
