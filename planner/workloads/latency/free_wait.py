"""How long requests wait for a worker at pods without a quota, for any distribution of request sizes.

While all of m servers are busy, a pod works like one server that is m times as fast; a request that finds it so waits
until the first of the m requests under way is done and then for a geometric number of others (Tijms, van Hoorn and
Federgruen 1981). Exact for one server and for exponential sizes. Times are in mean service times.
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.latency.mmc import Floats, Servers
from planner.workloads.latency.sizes.request_sizes import RequestSizes
from planner.workloads.latency.wait_stretch import wait_stretch

POINTS = 4096
_LENGTHS = 12.0
_SIZES = 6.0


class FreeWait(NamedTuple):
    """The wait of requests that wait, as masses at 0, `step`, 2 `step`, ..., and how many requests do."""

    step: float
    mass: Floats
    chance: float
    mean: float
    """Of all requests, those that do not wait included; that of `Laws`."""


def free_wait(sizes: RequestSizes, servers: int, rho: float) -> FreeWait:
    """The wait of M/G/m at a utilisation below 1, as masses."""
    cv2 = sizes.second_moment - 1.0
    chance = float(Servers(np.array([servers])).erlang_c(np.array([rho]))[0])
    exponential = 1.0 / (servers * (1.0 - rho))
    step = (_LENGTHS * 0.5 * (1.0 + cv2) * exponential + _SIZES + 8.0 * cv2) / POINTS
    edges = np.concatenate(([0.0], (np.arange(POINTS) + 0.5) * step))
    first = np.diff(1.0 - (1.0 - sizes.under_way(edges)) ** servers)
    each = np.diff(sizes.under_way(edges * servers))
    rest = (1.0 - rho) / (1.0 - rho * np.fft.rfft(each, 2 * POINTS))
    mass = np.maximum(np.fft.irfft(np.fft.rfft(first, 2 * POINTS) * rest, 2 * POINTS)[:POINTS], 0.0)
    mass /= mass.sum()
    wanted = exponential * float(wait_stretch(servers, rho, float(np.sqrt(max(cv2, 0.0)))))
    step *= wanted / (step * float(mass @ np.arange(POINTS)))
    return FreeWait(step, mass, chance, chance * wanted)
