"""Queueing vectors (mmc.csv): one row is one case, service time S = 1, compared to 1e-9 relative.

A case is the latency of one pod, found as a load step finds it: the law of its group, then the response times of the
group; once in plain numbers and once in columns. The law holds the wait as two numbers, the probability of waiting
and the decay of the tail; the vectors' other figures of the wait are read off these.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from planner.workloads.latency.laws import RANDOM, laws_of
from planner.workloads.latency.mmc import log_late
from planner.workloads.latency.pod_latency import PodLatency

_RELATIVE = 1e-9


def _figures(servers: int, rho: float, scalar_twins: bool) -> dict[str, float]:
    one = np.ones(1, np.int64)
    laws = laws_of(servers * one, one, RANDOM * one, np.ones(1), one > 0, scalar_twins)
    waiting, decay = laws.wait(np.array([rho]))
    response = PodLatency(1.0, 0.0, 1.0, waiting, decay)
    waits, falls = float(waiting[0]), float(decay[0])
    percentiles = response.percentiles_s(log_late(np.array([[50], [95], [99]])))[:, 0].tolist()
    return {
        "erlang_b": waits * (1.0 - rho) / (1.0 - rho * waits),
        "erlang_c": waits,
        "wait_mean_S": waits / falls,
        "resp_mean_S": float(response.mean_s()[0]),
        "wait_p95_S": math.log(max(waits / 0.05, 1.0)) / falls,
        "resp_p50_S": percentiles[0],
        "resp_p95_S": percentiles[1],
        "resp_p99_S": percentiles[2],
    }


def _mmc(case: Mapping[str, Any]) -> tuple[bool, object]:
    servers, rho = int(case["input"]["c"]), float(case["input"]["rho"])
    both = [_figures(servers, rho, scalar_twins) for scalar_twins in (True, False)]
    expect = {name: float(case["expect"][name]) for name in both[0]}
    agree = all(math.isclose(got[name], expect[name], rel_tol=_RELATIVE) for got in both for name in expect)
    return agree, both


FAMILIES: dict[str, Callable[[Mapping[str, Any]], tuple[bool, object]]] = {"mmc": _mmc}
