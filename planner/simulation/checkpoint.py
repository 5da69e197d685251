"""A copy of a run at one moment, from which any number of runs may go on, in this process and on every system.

A world is a graph of objects that hold on to each other: columns and views of them, listeners, handlers of events.
Pickling follows all of it; this module says how what pickle does not know is copied, and what is not copied at all.
"""

import io
import pickle
import sys
from collections.abc import Sequence
from enum import Enum
from types import CellType, CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from planner.record.decisions import Decision
from planner.record.recorder import Recorder

Array = NDArray[Any]
_LASTING = (type, BaseModel, Enum, Decision, np.dtype, CodeType)
"""Kinds of things that never change: copies have them in common."""
_KERNELS = "planner.kernels."
"""They point into columns: whatever has one makes a new one when it is copied."""


class RunCheckpoint:
    """Something as it is now, with all that it holds on to."""

    def __init__(self, of: object, outside: Sequence[object] = ()) -> None:
        """`outside`: what copies have in common all the same, such as what cancels them."""
        self._shared: list[object] = []
        content = io.BytesIO()
        _Writer(content, self._shared, outside).dump(of)
        self._content = content.getbuffer()

    def copy(self) -> Any:
        """It once more, as it was."""
        return _Reader(io.BytesIO(self._content), self._shared).load()


class _Writer(pickle.Pickler):
    """Puts what copies have in common into a list, and the rest into the stream."""

    def __init__(self, stream: io.BytesIO, shared: list[object], outside: Sequence[object]) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._shared = shared
        self._places: dict[int, int] = {}
        self._is_lasting: dict[type, bool] = {}
        for each in outside:
            self._share(each)

    def _share(self, thing: object) -> int:
        self._places[id(thing)] = place = len(self._shared)
        self._shared.append(thing)
        return place

    def persistent_id(self, obj: Any) -> int | None:
        """Its place in the list; None if it is copied."""
        place, kind = self._places.get(id(obj)), type(obj)
        if place is not None:
            return place
        if kind is FunctionType:
            return None if obj.__closure__ else self._share(obj)
        is_lasting = self._is_lasting.get(kind)
        if is_lasting is None:
            is_lasting = self._is_lasting[kind] = issubclass(kind, _LASTING)
        return self._share(obj) if is_lasting else None

    def reducer_override(self, obj: Any) -> Any:
        """How it is made again, where that differs from what pickle does."""
        kind = type(obj)
        if kind is np.ndarray:
            return _place_of(obj) if isinstance(obj.base, np.ndarray) and obj.size else NotImplemented
        if kind.__module__.startswith(_KERNELS):
            raise pickle.PicklingError(f"whatever holds {kind.__name__} has to leave it out of its state")
        if kind is Recorder:
            now = obj.copy()
            self._share(now)
            return Recorder.copy, (now,)
        if kind is FunctionType:
            made = obj.__code__, obj.__module__, obj.__defaults__, obj.__kwdefaults__, obj.__closure__
            return _function, made
        if kind is CellType:
            return CellType, (), (obj.cell_contents,), None, None, _fill
        if kind is WeakKeyDictionary:
            return WeakKeyDictionary, (dict(obj),)
        return NotImplemented


class _Reader(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, shared: Sequence[object]) -> None:
        super().__init__(stream)
        self._shared = shared

    def persistent_load(self, place: int) -> object:
        """What is at this place of the list."""
        return self._shared[place]


def _place_of(view: Array) -> Any:
    """A view is made again of the copy of the column that it looks at."""
    column = view
    while isinstance(column.base, np.ndarray):
        column = column.base
    offset = view.ctypes.data - column.ctypes.data
    return _view, (column, view.dtype, view.shape, view.strides, offset, view.flags.writeable)


def _view(
    column: Array, dtype: Any, shape: tuple[int, ...], strides: tuple[int, ...], offset: int, writeable: bool
) -> Array:
    buffer = column if column.flags.c_contiguous else column.T
    view: Array = np.ndarray(shape, dtype, buffer, offset, strides)
    view.flags.writeable = writeable
    return view


def _function(code: CodeType, module: str, defaults: Any, keyword_defaults: Any, closure: Any) -> FunctionType:
    made = FunctionType(code, vars(sys.modules[module]), code.co_name, defaults, closure)
    made.__kwdefaults__ = keyword_defaults
    return made


def _fill(cell: CellType, contents: tuple[object]) -> None:
    (cell.cell_contents,) = contents
