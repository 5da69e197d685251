"""Ready pods in groups: the pods of one workload that have the same CPU for requests are alike."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.latency.laws import Laws, laws_of
from planner.workloads.load.demand import Demands, Floats, Ints

Bools = NDArray[np.bool_]
CALM_MAX = 0.99
CALM_IN_OVERLOAD = 0.9
_MOST_THREADS = 1024


@dataclass(frozen=True)
class PodGroups:
    """One entry a group; the groups of one workload lie side by side, workloads in ascending order."""

    service: Ints
    """Position of its workload among those that a step is taken of."""
    count: Ints
    """Pods of the group."""
    pods: Ints
    """Pods of the workload that take requests, in all its groups."""
    capacity_milli: Ints
    """CPU that each pod may use, idle use included."""
    limit_milli: Ints
    """CPU limit of each pod, for its quota."""
    takes: Bools
    """Whether the pods get new requests, or only finish those that they have."""
    demands: Demands
    scalar_twins: bool = True
    """Few of them are computed in plain numbers."""

    @classmethod
    def of(
        cls,
        demands: Demands,
        limit_milli: Ints,
        service: Ints,
        count: Ints,
        capacity_milli: Ints,
        takes: Bools,
        scalar_twins: bool = True,
    ) -> "PodGroups":
        """Groups of the workloads of `demands`; pods that take from one queue are one group."""
        pods = np.bincount(service, count * takes, minlength=len(demands.cv)).astype(np.int64)
        return cls(
            service, count, pods[service], capacity_milli, limit_milli[service], takes, demands.take(service),
            scalar_twins,
        )  # fmt: skip

    def take(self, rows: Ints) -> "PodGroups":
        """Some of the groups."""
        return PodGroups(
            self.service[rows], self.count[rows], self.pods[rows], self.capacity_milli[rows], self.limit_milli[rows],
            self.takes[rows], self.demands.take(rows), self.scalar_twins,
        )  # fmt: skip

    @cached_property
    def is_one_each(self) -> bool:
        """Whether every workload up to the last one has exactly one group, and that takes requests."""
        return bool((self.service == np.arange(len(self.service))).all() and self.takes.all())

    @cached_property
    def shares(self) -> Floats:
        """Share of the load of its workload that each pod gets."""
        return np.asarray(self.takes / np.maximum(self.pods, 1))

    @cached_property
    def servers(self) -> Floats:
        """Servers of a pod: its whole cores, or fewer where it works on fewer requests at once."""
        cores = np.maximum(1, self.capacity_milli // 1000)
        return np.minimum(cores, self.demands.workers).astype(np.float64)

    @cached_property
    def capacity_rate(self) -> Floats:
        """Requests per second that a pod can serve."""
        milli = np.maximum(0, self.capacity_milli - self.demands.idle_cpu)
        return np.asarray(milli / 1000.0 / self.demands.cpu_seconds)

    @cached_property
    def service_s(self) -> Floats:
        """Mean time that a server takes for a request."""
        return np.asarray(self.servers / self.capacity_rate)

    @cached_property
    def shared(self) -> bool | Bools:
        """Whether requests share the cores of a pod; one answer if it is the same for all groups."""
        queueing = self.demands.queueing
        return ~queueing if queueing.any() and not queueing.all() else not queueing.any()

    @cached_property
    def weight(self) -> Floats:
        """Share of the traffic, in pods."""
        return np.asarray(self.count * self.takes, np.float64)

    @cached_property
    def finishing(self) -> Ints:
        """Groups that get no new requests."""
        return np.flatnonzero(~self.takes)

    @cached_property
    def without_queue(self) -> Ints:
        """Groups where no request waits: what finds all servers busy is rejected."""
        return np.flatnonzero(self.demands.queue_limit == 0.0)

    @cached_property
    def _longest(self) -> Floats:
        """A request that finds more before it would wait beyond the timeout, so it counts as lost on arrival."""
        rate = np.where(np.isinf(self.demands.timeout_s), 1.0, self.capacity_rate)
        return np.asarray(self.servers + rate * self.demands.timeout_s)

    @cached_property
    def limit(self) -> Floats:
        """Requests that a pod holds at most."""
        return np.minimum(self.demands.queue_limit, self._longest)

    @cached_property
    def times_out(self) -> Bools:
        """Whether what a pod cannot hold would have timed out; else it is rejected."""
        return np.asarray(self._longest < self.demands.queue_limit)

    @cached_property
    def latest_start_s(self) -> Floats:
        """When the service of a request begins at the latest, after its arrival."""
        return self.demands.floor_s + np.maximum(0.0, self.limit - self.servers) / self.capacity_rate

    @cached_property
    def laws(self) -> Laws:
        """The stationary law of each group."""
        demands = self.demands
        return laws_of(
            self.servers, np.maximum(self.pods, 1), demands.balancer, demands.cv, demands.queueing, self.scalar_twins
        )

    @cached_property
    def calm_numbers(self) -> tuple[Floats, Floats]:
        """Requests at a pod that is as full as a calm one can be, and at one where a load counts as near saturation."""
        return self.laws.number(CALM_MAX), self.laws.number(CALM_IN_OVERLOAD)

    @cached_property
    def idle(self) -> Ints:
        """Groups that have no CPU for requests."""
        return np.flatnonzero(self.capacity_rate <= 0.0)

    @cached_property
    def working(self) -> "PodGroups":
        """Groups that have CPU for requests."""
        return self if not len(self.idle) else self.take(self.working_rows)

    @cached_property
    def working_rows(self) -> Ints:
        """Where they are."""
        return np.flatnonzero(self.capacity_rate > 0.0)

    @cached_property
    def throttled(self) -> Ints:
        """Groups whose threads can use up a CPU quota."""
        threads = self.demands.workers
        return np.flatnonzero(
            (self.limit_milli < NO_LIMIT_MILLI) & (threads * 1000 > self.limit_milli) & (threads <= _MOST_THREADS)
        )

    @cached_property
    def shaped(self) -> Ints:
        """Groups where the shape of service shows in the latency; those of the quota have their own."""
        shows = self.demands.queueing & (self.demands.cv != 1.0)
        shows[self.throttled] = False
        return np.flatnonzero(shows)
