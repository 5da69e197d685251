"""Percentiles of a few numbers, as `numpy.percentile` has them, which loads masked arrays at its first call."""

import numpy as np
from numpy.typing import NDArray


def percentile(values: NDArray[np.float64], percent: float) -> float:
    """In a straight line between two of the numbers, of which there are some."""
    ordered = np.sort(values)
    place = (len(ordered) - 1) * (percent / 100)
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    part = place - below
    return low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
