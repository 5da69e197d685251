"""Responses of requests at a pod under a CPU quota: the CFS bandwidth limit of a container.

Nothing closed describes how requests that run at full speed and stop together come to an end, so a stream of them is
served one after the other, the same requests at every load.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.kernels import switch
from planner.workloads.latency.cfs.fluid_backlog import weights
from planner.workloads.latency.cfs.quota_pod import PERIOD_S, QuotaPod
from planner.workloads.latency.cfs.quota_server import QuotaServer
from planner.workloads.latency.cfs.request_stream import FEW, MANY, gaps, works
from planner.workloads.latency.mmc import Floats

if TYPE_CHECKING:
    from planner.kernels.load.quota_responses import QuotaServer as CompiledServer

_CALM, _NEAR_FULL = 0.55, 0.95
"""Loads up to which FEW requests are enough, and from which on MANY are served."""
_CELL_BITS = 43
"""Of the bits of a time those that are left out."""
_MOST_WEIGHT = 0.002


class QuotaResponses(NamedTuple):
    """Seconds that stand for all, ascending, their weights, and the share of time in which the pod stands still."""

    values: Floats
    weights: Floats
    throttled: float


def responses(pod: QuotaPod, load: float) -> QuotaResponses:
    """At a load below 1, relative to the quota."""
    count = round(FEW * (MANY / FEW) ** float(np.clip((load - _CALM) / (_NEAR_FULL - _CALM), 0.0, 1.0)))
    served, found = _server(pod, works(pod.sizes)[:count] * pod.request_s), np.empty(count)
    arrivals = np.cumsum(gaps(pod.arrival_cv2)[:count] * (pod.request_s / (load * pod.quota_cores)))
    served.serve(arrivals, found, np.empty(count), np.empty(count, np.int64))
    weight = weights(pod.sizes, load, count) if pod.arrival_cv2 == 1.0 else np.ones(count)
    length_s = float((arrivals + found).max())
    return QuotaResponses(*_together(found, weight), served.throttled_s / length_s)


def _server(pod: QuotaPod, work_s: Floats) -> "QuotaServer | CompiledServer":
    most = float(pod.cores) if pod.queueing else np.inf
    own = (pod.quota_s, PERIOD_S, pod.tick_s, float(pod.cores), most)
    if switch.in_use():
        from planner.kernels.load.quota_responses import QuotaServer as CompiledServer

        return CompiledServer(own, work_s)
    return QuotaServer(own, work_s)


def _together(times: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Means and weights of times that differ by at most 0.2 %, ascending; none with much of the weight."""
    cell = times.view(np.int64) >> _CELL_BITS
    cell -= cell.min()
    total = np.bincount(cell, weight)
    some = np.flatnonzero(total)
    value, total = np.bincount(cell, weight * times)[some] / total[some], total[some] / total.sum()
    # Quantiles lie between values, so none has much of the weight.
    parts = np.ceil(total / _MOST_WEIGHT).astype(np.int64)
    return np.repeat(value, parts), np.repeat(total / parts, parts)
