"""What the map stacks and colours by: how much every pod requests or uses, and what it costs."""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.record.history import ClusterHistory
from planner.record.moment import ClusterMoment
from ui.runs.run_data import RunData

Floats = NDArray[np.float64]


class Stacking(Enum):
    """What the height of a pod shows, as a share of what its node offers."""

    CPU_REQUEST = "cpu request"
    MEMORY_REQUEST = "memory request"
    CPU_USE = "cpu use"
    MEMORY_USE = "memory use"

    @property
    def is_memory(self) -> bool:
        """Whether it is about memory."""
        return self in (Stacking.MEMORY_REQUEST, Stacking.MEMORY_USE)

    @property
    def is_use(self) -> bool:
        """Whether it is about what is used."""
        return self in (Stacking.CPU_USE, Stacking.MEMORY_USE)


class UseOfPods:
    """What the pods of a run use: of every workload what all use together, divided among those that run."""

    def __init__(self, run: RunData, workloads: tuple[str, ...]) -> None:
        self._run = run
        self._columns = {
            is_memory: np.array([run.rows.get(f"{column}[{name}]", -1) for name in workloads], np.intp)
            for is_memory, column in ((False, "cpu_used_cores"), (True, "memory_used_bytes"))
        }

    def of_workloads(self, time_us: int, is_memory: bool) -> Floats:
        """Milli-CPU or bytes of all pods of each workload together; 0 where that is not known."""
        columns, times = self._columns[is_memory], self._run.time_s
        position = int(np.searchsorted(times, time_us / 1e6, side="right")) - 1
        if position < 0:
            return np.zeros(len(columns))
        values = np.where(columns >= 0, self._run.across(np.maximum(columns, 0), position), 0.0)
        return np.nan_to_num(values) * (1.0 if is_memory else 1000.0)

    def of_pods(self, moment: ClusterMoment, is_memory: bool) -> Floats:
        """The same for each pod of `ClusterMoment.bound`; one that does not run uses nothing."""
        pods, runs = moment.history.pods, moment.runs
        workload = pods.workload[moment.bound]
        count = np.bincount(workload[runs], minlength=len(pods.workloads))
        each = self.of_workloads(moment.time_us, is_memory) / np.maximum(count, 1)
        return np.where(runs, each[workload], 0.0)


@dataclass(frozen=True)
class PodMeasures:
    """A moment in numbers of one resource, each worked out when it is asked for."""

    moment: ClusterMoment
    stacking: Stacking
    use: UseOfPods

    @property
    def size(self) -> Floats:
        """What is stacked, per pod of `ClusterMoment.bound`."""
        return self.used if self.stacking.is_use else self.requested

    @cached_property
    def capacity(self) -> Floats:
        """Per node row."""
        nodes = self.moment.history.nodes
        return (nodes.memory_bytes if self.stacking.is_memory else nodes.cpu_milli).astype(np.float64)

    @cached_property
    def requested(self) -> Floats:
        """Per pod of `ClusterMoment.bound`."""
        pods = self.moment.history.pods
        return (pods.memory_bytes if self.stacking.is_memory else pods.cpu_milli)[self.moment.bound].astype(np.float64)

    @cached_property
    def used(self) -> Floats:
        """Per pod of `ClusterMoment.bound`."""
        return self.use.of_pods(self.moment, self.stacking.is_memory)


def pod_costs(moment: ClusterMoment) -> Floats:
    """Currency per hour of each pod of `ClusterMoment.bound`: its larger share of its node's CPU or memory, priced."""
    nodes, pods, rows = moment.history.nodes, moment.history.pods, moment.bound
    node = pods.node[rows]
    cpu = pods.cpu_milli[rows] / np.maximum(nodes.cpu_milli[node], 1)
    memory = pods.memory_bytes[rows] / np.maximum(nodes.memory_bytes[node], 1)
    return np.asarray(np.minimum(np.maximum(cpu, memory), 1.0) * nodes.price_per_hour[node])


def lane_capacity(history: ClusterHistory, lane: NDArray[np.int32], count: int, is_memory: bool) -> Floats:
    """The largest node of each lane."""
    nodes = history.nodes
    amounts = (nodes.memory_bytes if is_memory else nodes.cpu_milli).astype(np.float64)
    found = np.zeros(count)
    np.maximum.at(found, lane, amounts)
    return found
