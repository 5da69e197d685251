"""Work that a pod without its quota executes in some time, as masses on a grid.

Every request that runs within the time adds what of it falls into it: those that begin and end in it all of their
size, others a part. Waits for others are left out: they are short where a quota binds.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.mmc import Floats
from planner.workloads.latency.request_sizes import RequestSizes

POINTS = 512
_NEAR_ONE = 1e-6
_MOST_REGULAR = 0.9999


class Requests(NamedTuple):
    """What a pod executes: `rate` requests per second of `mean_s` core-seconds each."""

    rate: float
    mean_s: float
    sizes: RequestSizes
    arrival_cv2: float


def executed(requests: Requests, elapsed_s: Floats, more: Floats | float, step_s: float) -> Floats:
    """Masses of the work executed in each of `elapsed_s` (rows), at 0, `step_s`, 2 `step_s`, ...

    `more`: the rate of each row over that of the requests.
    """
    length, step = elapsed_s / requests.mean_s, step_s / requests.mean_s
    pieces = _pieces(requests.sizes, length, step)
    pieces *= (length / (pieces @ np.arange(POINTS) * step))[:, np.newaxis]
    total = pieces.sum(axis=1, keepdims=True)
    count = np.reshape(requests.rate * requests.mean_s * more, (-1, 1)) * total
    shift = np.fft.rfft(pieces / total, 2 * POINTS) - 1.0
    regular = np.minimum(1.0 - requests.arrival_cv2, _MOST_REGULAR * count / np.ceil(count))
    if abs(1.0 - requests.arrival_cv2) < _NEAR_ONE:
        found = np.exp(count * shift)
    else:
        found = np.exp(count / regular * np.log1p(regular * shift))
    mass = np.maximum(np.fft.irfft(found, 2 * POINTS)[:, :POINTS], 0.0)
    return np.asarray(mass / mass.sum(axis=1, keepdims=True))


def _pieces(sizes: RequestSizes, length: Floats, step: float) -> Floats:
    """How many pieces of each length to expect for a request per unit of time, by time (rows); in mean sizes."""
    under_way, longest = _under_way(sizes, step), sizes.under_way(length)[:, np.newaxis]
    parts: Floats = 2.0 * np.diff(np.minimum(under_way, longest))
    whole = np.maximum(length[:, np.newaxis] - sizes.values, 0.0) * sizes.weights
    parts += _placed(np.broadcast_to(sizes.values, whole.shape), whole, step)
    return np.asarray(parts + _placed(length[:, np.newaxis], 1.0 - longest, step))


@lru_cache(maxsize=1)
def _under_way(sizes: RequestSizes, step: float) -> Floats:
    """At the edges between points."""
    return sizes.under_way(np.concatenate(([0.0], (np.arange(POINTS) + 0.5) * step)))


def _placed(values: Floats, weights: Floats, step: float) -> Floats:
    """Weights on the grid, each on the two points beside its value; rows."""
    place = np.minimum(values / step, POINTS - 1.0)
    cell = np.minimum(place.astype(np.int64), POINTS - 2)
    part = place - cell
    cell += POINTS * np.arange(len(values))[:, np.newaxis]
    low = np.bincount(cell.ravel(), (weights * (1.0 - part)).ravel(), minlength=len(values) * POINTS)
    high = np.bincount(cell.ravel() + 1, (weights * part).ravel(), minlength=len(values) * POINTS)
    return np.asarray(low + high).reshape(len(values), POINTS)
