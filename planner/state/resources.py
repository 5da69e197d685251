"""The resource axis: which column of a request or allocatable array is which resource."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

CPU, MEMORY, EPHEMERAL, PODS = 0, 1, 2, 3
NATIVE_NAMES = ("cpu", "memory", "ephemeral-storage", "pods")
FIRST_EXTENDED = len(NATIVE_NAMES)
"""Column of the first extended resource."""

Amounts = NDArray[np.int64]
"""Amounts per resource, shape (resources,) int64: milli-CPU, bytes, bytes, count, then extended units."""


def pod_amounts(request: Amounts) -> Amounts:
    """A pod's requests with the pod itself counted."""
    need = request.copy()
    need[PODS] = 1
    return need


class ResourceAxis:
    """Names of the columns: the native resources, then extended ones in order of first use."""

    def __init__(self, extended: Iterable[str] = ()) -> None:
        self.names = (*NATIVE_NAMES, *dict.fromkeys(extended))
        self._index = {name: i for i, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Column of a resource. Raises KeyError for a name the axis was not made with."""
        return self._index[name]

    def amounts(self, values: Mapping[str, int]) -> Amounts:
        """An array with the given amounts and 0 elsewhere."""
        out = np.zeros(len(self.names), dtype=np.int64)
        for name, value in values.items():
            out[self._index[name]] = value
        return out
