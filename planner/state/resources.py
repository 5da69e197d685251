"""The resource axis: which column of a request or allocatable array is which resource."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

CPU, MEMORY, EPHEMERAL, PODS = 0, 1, 2, 3
NATIVE_NAMES = ("cpu", "memory", "ephemeral-storage", "pods")
FIRST_EXTENDED = len(NATIVE_NAMES)
"""Column of the first extended resource."""

VOLUMES_OF = "attachable-volumes-csi-"
"""Beginning of the names of volume columns; the CSI driver follows."""
NO_VOLUME_LIMIT = 1 << 40

Amounts = NDArray[np.int64]
"""Amounts per resource, shape (resources,) int64: milli-CPU, bytes, bytes, count, then extended units."""


def pod_amounts(request: Amounts) -> Amounts:
    """A pod's requests with the pod itself counted."""
    need = request.copy()
    need[PODS] = 1
    return need


class ResourceAxis:
    """Names of the columns: native resources, extended ones in order of first use, then volumes by CSI driver.

    Volumes are counted like resources, though only the scheduler knows of them, not the kubelet.
    """

    def __init__(self, extended: Iterable[str] = (), drivers: Iterable[str] = ()) -> None:
        resources = (*NATIVE_NAMES, *dict.fromkeys(extended))
        self.first_volume = len(resources)
        """Column of the first driver's volumes."""
        self.drivers = tuple(dict.fromkeys(drivers))
        self.names = (*resources, *(f"{VOLUMES_OF}{driver}" for driver in self.drivers))
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
