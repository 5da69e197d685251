"""Steps of a single workload, asked with numbers instead of columns."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from planner.plan.model.demand import Demand
from planner.units import US_PER_S
from planner.workloads.latency.cfs.quota_pod import TICK_S
from planner.workloads.load.demand import Demands
from planner.workloads.load.step.load_step import WorkloadSteps, step_workloads
from planner.workloads.load.step.pod_groups import PodGroups


class OneStep(NamedTuple):
    """`WorkloadSteps` of one workload; `cpu_used_milli` is the mean of a ready pod."""

    steps: WorkloadSteps
    cpu_used_milli: float

    def __getattr__(self, name: str) -> float:
        return float(getattr(self.steps, name)[0])

    def percentile_s(self, percent: int) -> float:
        return float(getattr(self.steps, f"p{percent}_s")[0])


def step_pods(
    demand: Demand, rate: float, capacity_milli, held: float, dt_us: int, cores_milli=0, arrival_cv=1.0, tick_s=TICK_S
):
    """One step of a workload whose ready pods can use these CPUs; at once up to `cores_milli` if that is more."""
    values, counts = np.unique(np.asarray(capacity_milli, np.int64), return_counts=True)
    demands, service = Demands.of([demand], [arrival_cv]), np.zeros(len(values), np.int64)
    cores = np.maximum(values, np.minimum(cores_milli, demands.most_milli))
    groups = PodGroups.of(demands, service, counts, values, cores, np.ones(len(values), np.bool_))
    groups = replace(groups, tick_s=tick_s)
    pods = int(counts.sum())
    each = np.full(len(values), held / max(pods, 1))
    steps, work = step_workloads(groups, np.array([rate]), each, dt_us / US_PER_S)
    spent = float((work.served * counts).sum()) * demand.cpu_seconds_per_request
    used = demand.idle_cpu + 1000.0 * spent / (dt_us / US_PER_S) / pods if pods else 0.0
    return OneStep(steps, used)


def step_equal_pods(demand: Demand, rate: float, pods: int, capacity_milli: int, held: float, dt_us: int):
    """One step of a workload whose `pods` ready pods can all use `capacity_milli`."""
    return step_pods(demand, rate, np.full(pods, capacity_milli), held, dt_us)
