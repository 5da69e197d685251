"""Work that a pod without its quota executes in some time, as masses on a grid.

Every request that runs within the time adds what of it falls into it: those that begin and end in it all of their
size, others a part. Waits for others are left out: they are short where a quota binds.
"""

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


def executed(requests: Requests, elapsed_s: float, step_s: float) -> Floats:
    """Masses of the work executed in `elapsed_s`, at 0, `step_s`, 2 `step_s`, ..."""
    length, rate = elapsed_s / requests.mean_s, requests.rate * requests.mean_s
    pieces = _pieces(requests.sizes, length, step_s / requests.mean_s)
    pieces *= length / (float(pieces @ np.arange(POINTS)) * step_s / requests.mean_s)
    count = rate * float(pieces.sum())
    shift = np.fft.rfft(pieces / pieces.sum(), 2 * POINTS) - 1.0
    regular = min(1.0 - requests.arrival_cv2, _MOST_REGULAR * count / np.ceil(count))
    if abs(regular) < _NEAR_ONE:
        found = np.exp(count * shift)
    else:
        found = np.exp(count / regular * np.log1p(regular * shift))
    mass = np.maximum(np.fft.irfft(found, 2 * POINTS)[:POINTS], 0.0)
    return np.asarray(mass / mass.sum())


def _pieces(sizes: RequestSizes, length: float, step: float) -> Floats:
    """How many pieces of each length to expect for a request per unit of time; in mean sizes."""
    edges = np.concatenate(([0.0], (np.arange(POINTS) + 0.5) * step))
    parts: Floats = 2.0 * np.diff(sizes.under_way(np.minimum(edges, length)))
    at = np.arange(POINTS, dtype=np.float64) * step
    whole = np.maximum(length - sizes.values, 0.0) * sizes.weights
    found = parts + _placed(sizes.values, whole, at, step)
    beyond = 1.0 - float(sizes.under_way(np.array([length]))[0])
    return found + _placed(np.array([length]), np.array([beyond]), at, step)


def _placed(values: Floats, weights: Floats, at: Floats, step: float) -> Floats:
    """Weights on the grid, each on the two points beside its value."""
    place = np.minimum(values / step, len(at) - 1.0)
    cell = np.minimum(place.astype(np.int64), len(at) - 2)
    part = place - cell
    low = np.bincount(cell, weights * (1.0 - part), minlength=len(at))
    return np.asarray(low + np.bincount(cell + 1, weights * part, minlength=len(at)))
