"""Backlogs that requests meet if their pod worked at an even speed instead of by quotas: for random arrivals exact.

Near saturation a sample of requests meets too few long backlogs or too many. The even pod takes the same requests, so
it shows which, and each request counts as often as its backlog should be met.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from planner.workloads.latency.cfs.request_stream import gaps, works
from planner.workloads.latency.mmc import Floats
from planner.workloads.latency.sizes.request_sizes import RequestSizes

_KEPT = 120
"""Loads of request sizes; a pod has 19."""
_POINTS = 4096
_LENGTHS = 16.0
_SIZES = 10.0
"""Backlogs are looked at up to so many mean ones and mean requests."""
_LEVELS = np.concatenate((np.linspace(0.04, 0.92, 23), [0.95, 0.97, 0.985, 0.995]))
"""Of requests that meet some backlog: between which they count alike."""


def weights(sizes: RequestSizes, load: float, count: int) -> Floats:
    """How often each of so many requests of a random stream counts, at a load below 1 of their pod."""
    weight, of = _counted(sizes, load, count)
    return np.asarray(weight[of])


@lru_cache(maxsize=_KEPT)
def _counted(sizes: RequestSizes, load: float, count: int) -> tuple[Floats, NDArray[np.uint8]]:
    """The weights of classes of backlogs, and the class of each request."""
    bounds, chance = _classes(sizes, load)
    met = _met(gaps(1.0)[1:count], works(sizes)[: count - 1] * load)
    of = np.searchsorted(bounds * load, met).astype(np.uint8)
    share = np.bincount(of, minlength=len(chance)) / count
    return chance / np.maximum(share, 1.0 / count), of


def _met(gaps: Floats, works: Floats) -> Floats:
    """Time until the requests before each are done."""
    course = np.concatenate(([0.0], np.cumsum(works - gaps)))
    return np.asarray(course - np.minimum.accumulate(course))


def _classes(sizes: RequestSizes, load: float) -> tuple[Floats, Floats]:
    """Bounds of backlogs, in mean sizes, and the chances of one up to the first, between two, and above the last."""
    longest = _LENGTHS * 0.5 * sizes.second_moment / (1.0 - load) + _SIZES * sizes.second_moment
    step = longest / _POINTS
    rest = np.diff(sizes.under_way(np.concatenate(([0.0], (np.arange(_POINTS) + 0.5) * step))))
    mass = np.fft.irfft((1.0 - load) / (1.0 - load * np.fft.rfft(rest, 2 * _POINTS)), 2 * _POINTS)[:_POINTS]
    below = np.cumsum(mass)
    places = np.flatnonzero(np.bincount(np.searchsorted(below, 1.0 - load * (1.0 - _LEVELS))))
    places = places[places < _POINTS]
    bounds = np.concatenate(([0.0], (places + 0.5) * step))
    return bounds, np.diff(np.concatenate(([0.0, 1.0 - load], below[places], [1.0])))
