"""Queueing vectors (mmc.csv): one row is one case, service time S = 1, compared to 1e-9 relative."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from planner.workloads.latency import mmc

_RELATIVE = 1e-9


def _mmc(case: Mapping[str, Any]) -> tuple[bool, object]:
    servers, rho = int(case["input"]["c"]), float(case["input"]["rho"])
    waiting = mmc.erlang_c(servers, rho)
    got = {
        "erlang_b": mmc.erlang_b(servers, servers * rho),
        "erlang_c": waiting,
        "wait_mean_S": mmc.mean_wait(servers, rho),
        "resp_mean_S": 1.0 + mmc.mean_wait(servers, rho),
        "wait_p95_S": mmc.wait_percentile(servers, rho, 95),
        "resp_p50_S": mmc.response_percentile(servers, rho, waiting, 50),
        "resp_p95_S": mmc.response_percentile(servers, rho, waiting, 95),
        "resp_p99_S": mmc.response_percentile(servers, rho, waiting, 99),
    }
    expect = case["expect"]
    return all(math.isclose(value, float(expect[name]), rel_tol=_RELATIVE) for name, value in got.items()), got


FAMILIES: dict[str, Callable[[Mapping[str, Any]], tuple[bool, object]]] = {"mmc": _mmc}
