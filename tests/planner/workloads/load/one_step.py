"""Steps of a single workload, asked with numbers instead of columns."""

from typing import NamedTuple

import numpy as np

from planner.plan.model.traffic import Demand
from planner.units import US_PER_S
from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.load.demand import Demands, cpu_wanted_milli
from planner.workloads.load.load_step import WorkloadSteps, step_workloads
from planner.workloads.load.pod_groups import PodGroups


class OneStep(NamedTuple):
    """`WorkloadSteps` of one workload; `cpu_used_milli` is the mean of a ready pod."""

    steps: WorkloadSteps
    cpu_used_milli: float

    def __getattr__(self, name: str) -> float:
        return float(getattr(self.steps, name)[0])

    def percentile_s(self, percent: int) -> float:
        return float(getattr(self.steps, f"p{percent}_s")[0])


def step_pods(demand: Demand, rate: float, capacity_milli, held: float, dt_us: int, limit_milli=NO_LIMIT_MILLI):
    """One step of a workload whose ready pods can use these CPUs."""
    values, counts = np.unique(np.asarray(capacity_milli, np.int64), return_counts=True)
    demands, service = Demands.of([demand]), np.zeros(len(values), np.int64)
    groups = PodGroups.of(demands, np.array([limit_milli]), service, counts, values)
    steps = step_workloads(groups, np.array([rate]), np.array([held]), dt_us / US_PER_S)
    pods = int(counts.sum())
    wanted = int(cpu_wanted_milli(demands, np.array([rate]), np.array([pods]))[0])
    used = int((np.minimum(values, wanted) * counts).sum()) // pods if pods else 0
    return OneStep(steps, used)


def step_equal_pods(demand: Demand, rate: float, pods: int, capacity_milli: int, held: float, dt_us: int):
    """One step of a workload whose `pods` ready pods can all use `capacity_milli`."""
    return step_pods(demand, rate, np.full(pods, capacity_milli), held, dt_us)
