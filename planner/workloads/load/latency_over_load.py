"""Latency of one pod over its load: what a run would say of each rate if it stayed so for long.

For plots and advice while a plan is edited; the rules are those of a load step.
"""

from typing import NamedTuple

import numpy as np

from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands, Floats
from planner.workloads.load.step.load_step import step_workloads
from planner.workloads.load.step.pod_groups import PodGroups

_SHARES = np.concatenate((np.linspace(0.02, 0.9, 45), np.linspace(0.91, 0.99, 9)))
"""Loads that are looked at, in parts of saturation."""
_STEP_S = 3600.0
_STEPS = 6
_MOST_MILLI = 10_000_000
"""Beyond ten thousand cores the pod is as one of ten thousand: a number that is being typed may be absurd."""
_KNEE = 0.02
"""A pod that is throttled in so much of its time begins to show it."""


class LatencyOverLoad(NamedTuple):
    """Columns over rates of a pod; seconds and requests per second."""

    rate: Floats
    p50_s: Floats
    p95_s: Floats
    p99_s: Floats
    saturation: float
    """Most requests per second that a pod can serve for long."""
    knee: float | None
    """The rate from which the CPU limit throttles the pod; None if it does so nowhere below saturation."""


def latency_over_load(demand: Demand, limit_milli: int | None, node_milli: int) -> LatencyOverLoad | None:
    """Of a pod that is alone on a node of so many milli-CPU; None if it has no CPU for requests."""
    node_milli = min(node_milli, _MOST_MILLI)
    capacity = node_milli if limit_milli is None else min(limit_milli, node_milli)
    demands, count = Demands.of([demand] * len(_SHARES)), len(_SHARES)
    workers = np.inf if demand.workers is None else 1000.0 * demand.workers * demand.parallelism
    ones = np.ones(count, np.int64)
    at_once = int(min(workers, node_milli)) * ones
    groups = PodGroups.of(demands, np.arange(count), ones, capacity * ones, at_once, ones > 0)
    cores = min(workers, capacity - demand.idle_cpu) / 1000.0
    if cores <= 0.0:
        return None
    saturation = cores / demand.cpu_seconds_per_request
    rate, held = saturation * _SHARES, np.zeros(count)
    for _ in range(_STEPS):
        steps, work = step_workloads(groups, rate, held, _STEP_S)
        held = work.in_flight
    throttled = np.flatnonzero(steps.throttled > _KNEE)
    knee = float(rate[throttled[0]]) if len(throttled) else None
    return LatencyOverLoad(rate, steps.p50_s, steps.p95_s, steps.p99_s, saturation, knee)
