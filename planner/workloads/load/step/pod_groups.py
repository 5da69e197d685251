"""Ready pods in groups: the pods of one workload that have the same CPU for requests are alike."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.workloads.latency.blocking import BoundedQueues
from planner.workloads.latency.cfs.quota_pod import TICK_S
from planner.workloads.latency.cfs.quota_table import tables_of
from planner.workloads.latency.free_response import LEVELS, FreeTables, service_quantiles
from planner.workloads.latency.laws import RANDOM, Laws, arrival_cv2_at_pod, laws_of
from planner.workloads.latency.mmc import Servers
from planner.workloads.latency.sizes.request_sizes import RequestSizes
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.step.under_quota import pods_under_quota

Bools = NDArray[np.bool_]
CALM_MAX = 0.99
CALM_IN_OVERLOAD = 0.9
_CALM_SHRINKS = 0.1
"""Less than one over the slope of a p99 in the mean wait, 8.4 for exponential sizes under sharing."""
_ENDLESS = 1e9
"""Room that no calm queue fills."""
_EXPONENTIAL = ((1.0, 1.0, 1.0),)


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
    cores_milli: Ints
    """CPU that each pod may use at once; more than its capacity where a quota bounds the use over a period."""
    takes: Bools
    """Whether the pods get new requests, or only finish those that they have."""
    demands: Demands
    scalar_twins: bool = True
    """Few of them are computed in plain numbers."""
    tick_s: float = TICK_S
    """How often kernels look at CPU quotas."""

    @classmethod
    def of(
        cls,
        demands: Demands,
        service: Ints,
        count: Ints,
        capacity_milli: Ints,
        cores_milli: Ints,
        takes: Bools,
        scalar_twins: bool = True,
    ) -> "PodGroups":
        """Groups of the workloads of `demands`; pods that take from one queue are one group."""
        pods = np.bincount(service, count * takes, minlength=len(demands.cv)).astype(np.int64)
        return cls(
            service, count, pods[service], capacity_milli, cores_milli, takes, demands.take(service), scalar_twins
        )  # fmt: skip

    def take(self, rows: Ints) -> "PodGroups":
        """Some of the groups."""
        return PodGroups(
            self.service[rows], self.count[rows], self.pods[rows], self.capacity_milli[rows], self.cores_milli[rows],
            self.takes[rows], self.demands.take(rows), self.scalar_twins, self.tick_s,
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
        usable = np.minimum(self.capacity_milli, self.demands.most_milli)
        return np.maximum(1, usable // (1000 * self.demands.parallelism)).astype(np.float64)

    @cached_property
    def spare_milli(self) -> Ints:
        """CPU of a pod for requests, over a period."""
        spare = np.maximum(0, self.capacity_milli - self.demands.idle_cpu)
        return np.asarray(np.minimum(spare, self.demands.most_milli), np.int64)

    @cached_property
    def capacity_rate(self) -> Floats:
        """Requests per second that a pod can serve."""
        return np.asarray(self.spare_milli / 1000.0 / self.demands.cpu_seconds)

    @cached_property
    def service_s(self) -> Floats:
        """Mean time that a server takes for a request: no server is faster than its cores."""
        fastest = self.demands.cpu_seconds / self.demands.parallelism
        return np.asarray(np.maximum(self.servers / self.capacity_rate, fastest))

    @cached_property
    def floor_load(self) -> Floats:
        """Requests beyond the CPU, on their latency floor, at a pod that is fully busy."""
        return np.asarray(self.capacity_rate * self.demands.floor_s)

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
        return np.asarray(self.servers + rate * self.demands.timeout_s + np.where(rate > 0.0, self.floor_load, 0.0))

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
        places = np.maximum(0.0, self.limit - self.servers - self.floor_load)
        return self.demands.floor_s + places / self.capacity_rate

    @cached_property
    def latest_s(self) -> Floats:
        """LEVELS of requests that start at the last moment."""
        latest = self.latest_start_s
        if np.isinf(latest).all():
            return np.broadcast_to(latest, (len(LEVELS), len(latest)))
        service = [service_quantiles(sizes) for sizes in self.demands.sizes]
        return np.asarray(latest + np.stack(service, axis=1) * self.service_s)

    @cached_property
    def laws(self) -> Laws:
        """The stationary law of each group."""
        demands, pods = self.demands, np.maximum(self.pods, 1)
        plain = laws_of(self.servers, pods, demands.balancer, demands.cv, demands.queueing, self.scalar_twins)
        if np.count_nonzero(self.floor_load):
            plain = replace(plain, floor_load=self.floor_load)
        uneven = demands.arrival_cv2 if np.count_nonzero(demands.arrival_cv2 != 1.0) else None
        if not len(self.throttled):
            return plain if uneven is None else replace(plain, arrival_cv2=uneven)
        kinds, of = pods_under_quota(self)
        quota = np.full(len(self.service), -1, np.int64)
        quota[self.throttled] = of
        return replace(plain, arrival_cv2=uneven, quota=quota, tables=tables_of(kinds))

    @cached_property
    def calm_numbers(self) -> tuple[Floats, Floats]:
        """Requests at a pod that is as full as a calm one can be, and at one where a load counts as near saturation."""
        return self.laws.number(CALM_MAX), self.laws.number(CALM_IN_OVERLOAD)

    @cached_property
    def calm_shrinks(self) -> Floats:
        """By how much the calm part of a queue shrinks as it exceeds the first of these numbers."""
        return _CALM_SHRINKS / np.maximum(1.0, np.square(self.demands.cv))

    @cached_property
    def idle(self) -> Ints:
        """Groups that have no CPU for requests."""
        return np.flatnonzero(self.capacity_rate <= 0.0)

    @property
    def working(self) -> "PodGroups":
        """Groups that have CPU for requests."""
        return self._working if len(self.idle) else self

    @cached_property
    def _working(self) -> "PodGroups":
        return self.take(self.working_rows)

    @cached_property
    def working_rows(self) -> Ints:
        """Where they are."""
        return np.flatnonzero(self.capacity_rate > 0.0)

    @cached_property
    def throttled(self) -> Ints:
        """Groups whose workers can use up a CPU quota before a period ends."""
        return np.flatnonzero((self.cores_milli > self.capacity_milli) & (self.spare_milli > 0))

    @cached_property
    def loses(self) -> Bools:
        """Groups whose requests may find a pod full, or time out, while it is calm."""
        bounded = np.isfinite(self.demands.queue_limit) | np.isfinite(self.demands.timeout_s)
        return np.asarray(bounded & (self.demands.queue_limit > 0.0) & (self.capacity_rate > 0.0))

    @cached_property
    def some_lose(self) -> bool:
        """Whether there are such groups."""
        return bool(self.loses.any())

    @cached_property
    def some_time_out(self) -> bool:
        """Whether any of them has a time-out."""
        return bool(np.isfinite(self.demands.timeout_s).any())

    @cached_property
    def bounded_queues(self) -> BoundedQueues:
        """Their queues; a row with the room that they have, and one with room without end."""
        size = np.where(self.demands.queueing, np.square(self.demands.cv), 1.0)
        arrival = arrival_cv2_at_pod(self.laws.arrival_cv2, self.laws.pods, self.laws.balancer)
        room = np.stack((self.demands.queue_limit, np.full(len(size), _ENDLESS)))
        return BoundedQueues(Servers(self.servers, self.scalar_twins), room, 0.5 * (arrival + size))

    @cached_property
    def by_table(self) -> Bools:
        """Groups without a quota whose responses no formula gives."""
        needs = np.array([sizes.classes != _EXPONENTIAL for sizes in self.demands.sizes], np.bool_)
        needs |= self.demands.floor_cv > 0.0
        needs[self.throttled] = False
        return needs

    @cached_property
    def _is_uneven(self) -> Bools:
        """Groups whose requests queue, and do not arrive at random."""
        arrival = 1.0 if self.laws.arrival_cv2 is None else self.laws.arrival_cv2
        return np.asarray(self.demands.queueing & ((self.laws.balancer != RANDOM) | (arrival != 1.0)))

    @cached_property
    def free(self) -> Ints:
        """Groups that `free_tables` are made for."""
        return np.flatnonzero(self.by_table & ~self._is_uneven)

    @cached_property
    def free_tables(self) -> tuple[FreeTables, Ints]:
        """Tables of `free`, and which of them each group has."""
        rows, demands = self.free, self.demands
        columns = (demands.sizes[rows], self.servers[rows].astype(np.int64).tolist(), demands.queueing[rows].tolist())
        kinds = list(zip(*columns, strict=True))
        known = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        return FreeTables(list(known)), np.array([known[kind] for kind in kinds], np.int64)

    @cached_property
    def uneven(self) -> tuple[tuple[RequestSizes, Ints], ...]:
        """Those that queue and whose requests do not arrive at random, by their sizes."""
        rows = np.flatnonzero(self.by_table & self._is_uneven)
        found = self.demands.sizes[rows]
        return tuple(
            (sizes, rows[np.array([one == sizes for one in found], np.bool_)])
            for sizes in dict.fromkeys(found.tolist())
        )

    @cached_property
    def tabled(self) -> Ints:
        """Groups whose responses come from tables."""
        needs = self.by_table.copy()
        needs[self.throttled] = True
        return np.flatnonzero(needs)
