"""What the load says to others: use of pods, capacity, requests in flight, queues."""

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.units import US_PER_S
from planner.workloads.cpu.mean_use import UseOfRow
from planner.workloads.cpu.running_pods import RunningPods
from planner.workloads.cpu.usage import NOTHING, Received, UseLevels
from planner.workloads.load.services import Services
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.load.use.used_cpu import UsedCpu, UseMarks

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class LoadReadings:
    """Reads what a load model keeps up to date; positions are those of services, by workload row."""

    _cluster: Cluster
    _over_time: UseLevels
    _pods: RunningPods
    _position: Ints
    _services: Services
    _serving: ServingPods
    _used: UsedCpu

    @property
    def usage_rows(self) -> Ints:
        """Running pods at the last refresh."""
        return self._pods.rows

    @property
    def usage_milli(self) -> Ints:
        """What each of them uses: for requests as in its latest step."""
        return self._used.milli()

    def kind_of(self, rows: Ints) -> Ints:
        """The kind of these pods; NOT_RUNNING for those that do not run."""
        return self._pods.kind_of(rows)

    def usage_of(self, rows: Ints) -> Ints:
        """The same of some of them, where there is a `use_key`."""
        return self._used.milli_of(rows, self._pods.kind_of(rows))

    def use_key(self) -> UseMarks | None:
        """What pods of a kind must have in common to go on using the same; None where they differ at every moment."""
        return self._used.key()

    @property
    def serving(self) -> Ints:
        """Positions in `usage_rows` of the ready pods that serve requests, at the last refresh."""
        return np.flatnonzero(self._pods.kinds.taking[self._pods.kind])

    def spent_s(self, rows: Ints) -> Floats:
        """CPU seconds that these pods have used so far; for requests up to the end of their latest step."""
        return self._used.spent_s(rows)

    def work_received(self) -> Received:
        """Pods of Jobs with work, and what each gets for it since the last refresh."""
        if not self._over_time.has_work:
            return NOTHING
        working = np.flatnonzero(self._over_time.work_milli[self._pods.kinds.workload[self._pods.kind]])
        return Received(self._pods.rows[working], self._used.received_milli(working))

    def offered_rate(self, row: int) -> float:
        """Requests per second that reach a workload now."""
        return float(self._services.rates(self._cluster.clock.now_us)[self._position[row]])

    def work_left_us(self, pod: int) -> int:
        """How long a pod would take for the requests that wait at it."""
        return int(self._serving.waiting_s(pod) * US_PER_S)

    def in_flight(self, row: int) -> float:
        """Requests that a workload holds, at the end of its latest step; with those that wait in its queue."""
        at = self._position[row]
        return float(self._serving.in_flight()[at] + self._services.queues.waiting[at])

    def queue_values(self, rows: Ints) -> tuple[Floats, Floats]:
        """Messages that wait in the queue of each of these workloads, and the ages of the oldest of them, seconds."""
        at, queues = self._position[rows], self._services.queues
        return queues.waiting[at], queues.age_s[at]

    def held_of(self, pods: Ints) -> Floats:
        """Requests that each of these pods holds, at the end of its latest step."""
        return self._serving.held_of(pods)

    def work_held_s(self, pods: Ints) -> Floats:
        """CPU seconds that the requests cost which each of these pods holds, at the end of its latest step."""
        return self._serving.work_held_s(pods)

    def capacity_of(self, pods: Ints) -> Ints:
        """CPU in milli-CPU that each of these pods may use; 0 for those that serve nothing."""
        return self._serving.capacity_of(pods)

    def capacity_milli(self, row: int) -> float:
        """CPU that a ready pod of a workload can use, on average, since its latest step began."""
        return self._serving.mean_capacity_milli(int(self._position[row]))

    def mean_use(self) -> UseOfRow:
        """Mean CPU use since the last call, by workload row and by node row; nothing is left out and nothing twice."""
        cluster = self._cluster
        sizes = cluster.workloads.count, cluster.nodes.count
        return self._used.look(cluster.clock.now_us, cluster.pods.workload, sizes)
