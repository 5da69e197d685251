"""Load, CPU use, queues and latency of all workloads, advanced in steps of simulated time.

A step ends at each load tick and wherever the ready pods of a workload change. Between two ends the
ready pods and their capacity stay as they were when the step began (spec/load-latency-cost.md sections 2
and 3, spec/cluster-model.md section 6). CPU is milli-CPU.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.engine.streams import Streams
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.resources import CPU
from planner.workloads.contention import burst_capacity, cpu_weights, share_cpu_by_node
from planner.workloads.demand import WorkloadStep, cpu_needed_milli_of, cpu_wanted_milli_of
from planner.workloads.pod_queue import NO_LIMIT_MILLI
from planner.workloads.running_pods import SERVICE_CHANGES, RunningPods, running_pods
from planner.workloads.services import ServedWorkload, Service, callers_first, services_of, with_callers
from planner.workloads.usage import NOTHING, Received, UseOverTime
from planner.workloads.warm_up import WarmUps

_COARSE_MILLI = 50


StepSink = Callable[[int, int, int, WorkloadStep, int], None]
"""Called with workload row, begin of the step, its length (microseconds), the step, and its ready pods."""


@dataclass(frozen=True, slots=True)
class _Running:
    """The running pods with what follows from their templates."""

    pods: RunningPods
    limit: NDArray[np.int64]
    constant: NDArray[np.int64]
    weight: NDArray[np.float64]


class LoadModel:
    """Serves the load with the pods that are ready, and says what each pod used."""

    def __init__(
        self,
        cluster: Cluster,
        workloads: Sequence[ServedWorkload],
        streams: Streams,
        on_step: StepSink,
        contention: bool = True,
        nearest_milli: bool = False,
    ) -> None:
        """`contention`: nodes divide their CPU; without it each pod has as much as if it were alone on its node.

        `nearest_milli`: use is rounded to the nearest milli-CPU instead of up.
        """
        self._cluster = cluster
        self._on_step = on_step
        self._contention = contention
        self._nearest_milli = nearest_milli
        self._step_us = 1
        self._refreshed_us = -1
        self._items = {item.row: item for item in workloads}
        self._services = services_of(workloads, streams)
        self._order = callers_first(self._services)
        self._has_calls = any(service.callees for service in self._order)
        self._constant = np.zeros(cluster.workloads.count, np.int64)
        for item in workloads:
            self._constant[item.row] = item.cpu_use_milli
        self._burst_milli, self._burst_us = np.zeros((2, cluster.workloads.count), np.int64)
        for item in workloads:
            self._burst_milli[item.row], self._burst_us[item.row] = item.burst
        self._over_time = UseOverTime([item.over_time for item in workloads if item.over_time], cluster.workloads.count)
        self._warm_up = WarmUps(workloads, cluster.workloads.count)
        self._has_bursts = bool((self._burst_milli * self._burst_us).any())
        self._limit = np.zeros(0, np.int64)
        self._weight = np.zeros(0)
        services = list(self._services.values())
        self._service_rows = np.array([service.item.row for service in services], np.int64)
        self._cpu_seconds = np.array([service.item.demand.cpu_seconds_per_request for service in services])
        self._has_load = np.zeros(cluster.workloads.count, np.bool_)
        self._has_load[self._service_rows] = True
        self._idle = np.array([service.item.demand.idle_cpu for service in services], np.int64)
        self._dirty: dict[int, None] = {}
        self._running: _Running | None = None
        self.usage_rows: NDArray[np.int64] = np.zeros(0, np.int64)
        """Running pods at the last refresh."""
        self.usage_milli: NDArray[np.int64] = np.zeros(0, np.int64)
        """What each of them uses from then on."""
        cluster.subscribe(self._on_change)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind in SERVICE_CHANGES:
            self._running = None
            if event.workload in self._items:
                self._dirty[event.workload] = None
        elif event.kind == ClusterEventKind.NODE_POWER:
            self._running = None
            self._dirty.update(dict.fromkeys(self._services))

    # -- stepping -----------------------------------------------------------------------------

    def tick(self, step_us: int) -> None:
        """The end of a load step: advance everything, draw noise, and look at the pods anew."""
        self._step_us = step_us
        for service in self._order:
            self._advance(service)
            service.factor = service.noise.next(step_us)
        self._dirty.clear()
        self._refresh(self._services)

    def settle(self) -> None:
        """End the step of workloads whose ready pods changed at this instant."""
        if not self._dirty:
            return
        rows = [row for row in sorted(self._dirty) if row in self._services]
        chosen = with_callers(rows, self._order) if self._has_calls else [self._services[row] for row in rows]
        changed = {service.item.row: service for service in chosen}
        self._dirty.clear()
        for service in changed.values():
            self._advance(service)
        self._refresh(changed)

    def observe(self) -> None:
        """Bring the present use of every running pod up to this instant."""
        if self._refreshed_us != self._cluster.clock.now_us or self._dirty:
            self._refresh({})

    def _advance(self, service: Service) -> None:
        now_us = self._cluster.clock.now_us
        dt_us = now_us - service.last_us
        if dt_us <= 0:
            return
        start_us = service.last_us
        step = service.advance(now_us, dt_us)
        self._on_step(service.item.row, start_us, dt_us, step, service.pods)

    # -- who may use what ---------------------------------------------------------------------

    def _refresh(self, services: Mapping[int, Service]) -> None:
        """Capacity of the pods of `services`, and the present use of every running pod."""
        if self._running is None:
            self._running = self._gather()
        pods, limit, constant = self._running.pods, self._running.limit, self._constant_use(self._running)
        needed, wanted = self._asked(pods.ready_count)
        slower = self._warm_up.factors(self._cluster, pods)
        demand = constant.copy()
        demand[pods.serving] += self._warm_up.asked(needed, pods, slower)
        demand = np.minimum(limit, demand)
        cores = self._cores()
        if self._contention:
            granted = share_cpu_by_node(demand, self._running.weight, pods.node, cores)
            reach = burst_capacity(demand, granted, self._running.weight, limit, pods.node, cores)
            within_reach = _coarse(reach, limit)
        else:
            granted = demand
            within_reach = np.minimum(np.where(limit > 0, limit, NO_LIMIT_MILLI), cores[pods.node])
        capacity = np.maximum(0, within_reach - constant)
        _give(services, pods, self._warm_up.left(capacity, pods, slower), limit)
        # The metrics see the work of the present load, never more than what the pod got.
        worked = self._warm_up.asked(wanted, pods, slower) + constant[pods.serving]
        if self._contention:
            worked = np.minimum(worked, capacity[pods.serving] + constant[pods.serving])
        used = granted.copy()
        used[pods.serving] = np.minimum(worked, (granted if self._contention else limit)[pods.serving])
        self.usage_rows, self.usage_milli = pods.rows, used
        self._refreshed_us = self._cluster.clock.now_us

    def _constant_use(self, running: _Running) -> NDArray[np.int64]:
        """What each running pod uses besides its requests' work, start-up bursts included."""
        pods, constant, now_us = running.pods, running.constant, self._cluster.clock.now_us
        if self._has_bursts:
            age_us = now_us - self._cluster.pods.running_us[pods.rows]
            starts = (age_us < self._burst_us[pods.workload]) & (self._cluster.pods.running_us[pods.rows] > 0)
            constant = constant + np.where(starts, self._burst_milli[pods.workload], 0)
        return self._over_time.added_to(constant, pods, self._cores(), now_us)

    def _cores(self) -> NDArray[np.int64]:
        """CPU of every node; none where the machine does not run."""
        nodes = self._cluster.nodes
        return np.where(nodes.silent, 0, nodes.allocatable[:, CPU])

    def _read_templates(self) -> None:
        """Limits and weights by pod template; a rollout makes new ones."""
        specs = self._cluster.pod_specs
        self._limit = np.array([_limit(spec.cpu_limit_milli) for spec in specs], np.int64)
        self._weight = cpu_weights(np.array([spec.cpu_request_milli for spec in specs], np.int64))

    def _gather(self) -> _Running:
        if len(self._limit) != len(self._cluster.pod_specs):
            self._read_templates()
        pods = running_pods(self._cluster, self._has_load)
        return _Running(pods, self._limit[pods.spec], self._constant[pods.workload], self._weight[pods.spec])

    def _asked(self, ready_count: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Per workload row what a ready pod wants: for its load and backlog, and for its load alone."""
        needed, wanted = np.zeros(len(self._constant), np.int64), np.zeros(len(self._constant), np.int64)
        now_us, services, rows = self._cluster.clock.now_us, self._services.values(), self._service_rows
        rates = np.array([service.rate(now_us) for service in services])
        held = np.array([service.in_flight for service in services])
        pods = ready_count[rows]
        asked = cpu_needed_milli_of(self._cpu_seconds, self._idle, rates, pods, held, self._step_us)
        needed[rows] = np.minimum(asked, NO_LIMIT_MILLI)
        wanted[rows] = cpu_wanted_milli_of(self._cpu_seconds, self._idle, rates, pods, self._nearest_milli)
        return needed, wanted

    # -- what others read ---------------------------------------------------------------------

    @property
    def serving(self) -> NDArray[np.int64]:
        """Positions in `usage_rows` of the ready pods that serve requests, at the last refresh."""
        return self._running.pods.serving if self._running is not None else np.zeros(0, np.int64)

    def work_received(self) -> Received:
        """Pods of Jobs with work, and what each gets for it since the last refresh."""
        pods = self._running.pods if self._running is not None else None
        return NOTHING if pods is None else self._over_time.received(pods, self.usage_milli)

    def offered_rate(self, row: int) -> float:
        """Requests per second that reach a workload now."""
        return self._services[row].rate(self._cluster.clock.now_us)

    def in_flight(self, row: int) -> float:
        """Requests that a workload holds, at the end of its latest step."""
        return self._services[row].in_flight

    def capacity_milli(self, row: int) -> float:
        """CPU that a ready pod of a workload can use, on average, since its latest step began."""
        service = self._services[row]
        return service.each_milli if service.capacity is None else float(service.capacity.mean())

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


def _give(
    services: Mapping[int, Service], running: RunningPods, capacity: NDArray[np.int64], limit: NDArray[np.int64]
) -> None:
    """Hand each service the capacities of its ready pods."""
    for service in services.values():
        service.pods, service.each_milli, service.capacity = 0, 0, None
    if not services or not len(running.grouped):
        return
    grouped = capacity[running.grouped]
    least = np.minimum.reduceat(grouped, running.group_starts).tolist()
    most = np.maximum.reduceat(grouped, running.group_starts).tolist()
    starts = running.group_starts.tolist()
    counts = running.ready_count[running.group_rows].tolist()
    for group, row in enumerate(running.group_rows.tolist()):
        service_of_row = services.get(row)
        if service_of_row is None:
            continue
        service_of_row.pods, service_of_row.each_milli = counts[group], least[group]
        if service_of_row.item.demand.threads:
            service_of_row.limit_milli = int(limit[running.grouped[starts[group]]])
        if least[group] != most[group]:
            service_of_row.capacity = grouped[starts[group] : starts[group] + counts[group]]


def _limit(cpu_limit_milli: int) -> int:
    return NO_LIMIT_MILLI if cpu_limit_milli < 0 else cpu_limit_milli


def _coarse(capacity: NDArray[np.int64], limit: NDArray[np.int64]) -> NDArray[np.int64]:
    """Capacities below the limit in steps of 50m: pods of like capacity are served as one group."""
    return np.asarray(np.where(capacity < limit, capacity // _COARSE_MILLI * _COARSE_MILLI, capacity), np.int64)
