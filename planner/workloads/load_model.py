"""Load, CPU use, queues and latency of all workloads, advanced in steps of simulated time.

A step ends at each load tick and wherever the ready pods of a workload change. Between two ends the
ready pods and their capacity stay as they were when the step began (spec/load-latency-cost.md sections 2
and 3, spec/cluster-model.md section 6). CPU is milli-CPU.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.engine.streams import Streams
from planner.plan.traffic import Demand, Traffic
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.state.resources import CPU
from planner.workloads.contention import burst_capacity, cpu_weights, share_cpu_by_node
from planner.workloads.demand import WorkloadStep, cpu_needed_milli, cpu_used_milli, step_pods
from planner.workloads.load_profiles import NoiseProcess, rate_at

_SERVICE_CHANGES = (ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)
_NO_LIMIT = 1 << 40
_COARSE_MILLI = 50


@dataclass(frozen=True)
class ServedWorkload:
    """What the model needs of one workload; `traffic` None means constant use only."""

    row: int
    name: str
    traffic: Traffic | None
    demand: Demand
    cpu_use_milli: int


StepSink = Callable[[int, int, int, WorkloadStep, int], None]
"""Called with workload row, begin of the step, its length (microseconds), the step, and its ready pods."""


@dataclass
class _Service:
    """State of one workload with traffic."""

    item: ServedWorkload
    traffic: Traffic
    noise: NoiseProcess
    factor: float = 1.0
    last_us: int = 0
    in_flight: float = 0.0
    capacity: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def rate(self, t_us: int) -> float:
        return rate_at(self.traffic.profile, t_us) * self.factor


class LoadModel:
    """Serves the load with the pods that are ready, and says what each pod used."""

    def __init__(
        self, cluster: Cluster, workloads: Sequence[ServedWorkload], streams: Streams, on_step: StepSink
    ) -> None:
        self._cluster = cluster
        self._on_step = on_step
        self._step_us = 1
        self._refreshed_us = -1
        self._items = {item.row: item for item in workloads}
        self._services: dict[int, _Service] = {}
        for item in workloads:
            if item.traffic is not None:
                noise = NoiseProcess(item.traffic.noise, streams[f"load/{item.name}"])
                self._services[item.row] = _Service(item, item.traffic, noise)
        self._constant = np.zeros(cluster.workloads.count, np.int64)
        for item in workloads:
            self._constant[item.row] = item.cpu_use_milli
        self._limit = np.array([_limit(spec.cpu_limit_milli) for spec in cluster.pod_specs], np.int64)
        self._weight = cpu_weights(np.array([s.cpu_request_milli for s in cluster.pod_specs], np.int64))
        self._dirty: dict[int, None] = {}
        self.usage_rows: NDArray[np.int64] = np.zeros(0, np.int64)
        """Running pods at the last refresh."""
        self.usage_milli: NDArray[np.int64] = np.zeros(0, np.int64)
        """What each of them uses from then on."""
        cluster.subscribe(self._on_change)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind in _SERVICE_CHANGES and event.workload in self._items:
            self._dirty[event.workload] = None

    # -- stepping -----------------------------------------------------------------------------

    def tick(self, step_us: int) -> None:
        """The end of a load step: advance everything, draw noise, and look at the pods anew."""
        self._step_us = step_us
        for service in self._services.values():
            self._advance(service)
            service.factor = service.noise.next(step_us)
        self._dirty.clear()
        self._refresh(self._services)

    def settle(self) -> None:
        """End the step of workloads whose ready pods changed at this instant."""
        if not self._dirty:
            return
        changed = {row: self._services[row] for row in sorted(self._dirty) if row in self._services}
        self._dirty.clear()
        for service in changed.values():
            self._advance(service)
        self._refresh(changed)

    def observe(self) -> None:
        """Bring the present use of every running pod up to this instant."""
        if self._refreshed_us != self._cluster.clock.now_us or self._dirty:
            self._refresh({})

    def _advance(self, service: _Service) -> None:
        now_us = self._cluster.clock.now_us
        dt_us = now_us - service.last_us
        if dt_us <= 0:
            return
        start_us = service.last_us
        step, _ = step_pods(service.item.demand, service.rate(start_us), service.capacity, service.in_flight, dt_us)
        service.in_flight, service.last_us = step.in_flight, now_us
        self._on_step(service.item.row, start_us, dt_us, step, len(service.capacity))

    # -- who may use what ---------------------------------------------------------------------

    def _refresh(self, services: Mapping[int, _Service]) -> None:
        """Capacity of the pods of `services`, and the present use of every running pod."""
        pods, nodes = self._cluster.pods, self._cluster.nodes
        rows = np.flatnonzero(pods.phase == PodPhase.RUNNING)
        workload, spec, node = pods.workload[rows], pods.spec[rows], pods.node[rows].astype(np.int64)
        serving = pods.ready[rows]
        ready_count = np.bincount(workload[serving], minlength=len(self._constant))
        needed = self._needed(ready_count)
        limit = self._limit[spec]
        demand = np.minimum(limit, self._constant[workload] + np.where(serving, needed[workload], 0))
        cores = nodes.allocatable[:, CPU]
        granted = share_cpu_by_node(demand, self._weight[spec], node, cores)
        within_reach = _coarse(burst_capacity(granted, limit, node, cores), limit)
        used = granted.copy()
        for row, service in self._services.items():
            mine = np.flatnonzero(serving & (workload == row))
            capacity = np.maximum(0, within_reach[mine] - self._constant[row])
            if row in services:
                service.capacity = capacity
            used[mine] = self._used(service, capacity, int(self._constant[row]), granted[mine])
        self.usage_rows, self.usage_milli = rows, used
        self._refreshed_us = self._cluster.clock.now_us

    def _needed(self, ready_count: NDArray[np.int64]) -> NDArray[np.int64]:
        """CPU that a ready pod of each workload wants for its requests."""
        out = np.zeros(len(self._constant), np.int64)
        now_us = self._cluster.clock.now_us
        for row, service in self._services.items():
            wanted = cpu_needed_milli(
                service.item.demand, service.rate(now_us), int(ready_count[row]), service.in_flight, self._step_us
            )
            out[row] = min(wanted, _NO_LIMIT)
        return out

    def _used(
        self, service: _Service, capacity: NDArray[np.int64], constant: int, granted: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """CPU the metrics see: the work of the present load, never more than what the pod got."""
        count = len(capacity)
        if count == 0:
            return granted
        rate = service.rate(self._cluster.clock.now_us)
        used = cpu_used_milli(service.item.demand, rate, count, int(capacity.max()))
        return np.asarray(np.minimum(np.minimum(used, capacity) + constant, granted), np.int64)

    # -- what others read ---------------------------------------------------------------------

    def used_by_workload(self) -> NDArray[np.int64]:
        """CPU in use now, summed by workload row."""
        of = self._cluster.pods.workload[self.usage_rows]
        return np.bincount(of, self.usage_milli, minlength=len(self._constant)).astype(np.int64)

    def used_by_node(self) -> NDArray[np.int64]:
        """CPU in use now, summed by node row; pods that ended since the last refresh count no more."""
        node = self._cluster.pods.node[self.usage_rows]
        there = node >= 0
        count = self._cluster.nodes.count
        return np.bincount(node[there], self.usage_milli[there], minlength=count).astype(np.int64)


def _limit(cpu_limit_milli: int) -> int:
    return _NO_LIMIT if cpu_limit_milli < 0 else cpu_limit_milli


def _coarse(capacity: NDArray[np.int64], limit: NDArray[np.int64]) -> NDArray[np.int64]:
    """Capacities below the limit in steps of 50m: pods of like capacity are served as one group."""
    return np.asarray(np.where(capacity < limit, capacity // _COARSE_MILLI * _COARSE_MILLI, capacity), np.int64)
