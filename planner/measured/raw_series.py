"""A series as a file or a server gives it, before it is known what it says."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class RawSeries(NamedTuple):
    """Samples with their labels, in the order of the source."""

    labels: Mapping[str, str]
    """With the name of the metric as `__name__`, where there is one."""
    times_s: Floats
    """Seconds since 1970 in UTC."""
    values: Floats
    place: str
    """For messages: the file and what in it."""

    @property
    def name(self) -> str:
        """Name of the metric; empty for the result of an expression."""
        return self.labels.get("__name__", "")
