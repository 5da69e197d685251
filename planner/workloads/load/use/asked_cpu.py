"""CPU that pods ask of their nodes at this instant: for the requests that reach them, and for everything else.

docs/model.md, "CPU". CPU is milli-CPU; positions are those of the services, kinds those of `RunningPods`.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.state.cluster import Cluster
from planner.state.resources import CPU
from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.cpu.cost_of_load import CostOfLoad
from planner.workloads.cpu.pod_cpu import Asked, KindsCpu, PodsAtNodes
from planner.workloads.cpu.running_pods import RunningPods
from planner.workloads.cpu.usage import UseLevels
from planner.workloads.load.demand import cpu_needed_milli, cpu_of_load_milli, is_within
from planner.workloads.load.services import Services
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.served_workload import ServedWorkload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class AskedCpu:
    """Reads services and their pods, and answers for this instant."""

    def __init__(
        self,
        cluster: Cluster,
        workloads: Sequence[ServedWorkload],
        services: Services,
        position: Ints,
        pods: RunningPods,
        serving: ServingPods,
        over_time: UseLevels,
    ) -> None:
        """`position`: of the service by workload row, -1 for other workloads."""
        self._cluster = cluster
        self._services = services
        self.position = position
        self.rows = services.rows
        """Workload row by position."""
        self.demands = services.demands
        self.pods = pods
        self._serving = serving
        self._over_time = over_time
        self.cost = CostOfLoad(services.settings)
        """What makes requests dearer."""
        self.step_us = 1
        """Length of a load step: backlogs are to be served within one."""
        self._constant: Ints = np.zeros(len(position), np.int64)
        for item in workloads:
            self._constant[item.row] = item.cpu_use_milli
        self._idle: Ints = np.zeros(len(position), np.int64)
        self._idle[services.rows] = services.demands.idle_cpu
        self._ones = np.ones(services.count)
        self._counted_version = -1
        self._counted: Ints = np.zeros(services.count, np.int64)
        self._is_within, self._needed_milli = _kernels()

    def of_workloads(self) -> Asked:
        """What a pod of each workload row asks for."""
        constant = self._constant
        if self._over_time.changes:
            constant = constant + self._over_time.profile_milli(self._cluster.clock.now_us)
        return Asked(constant, self._idle, self._over_time.work_milli, self.needed())

    def needed(self) -> Ints:
        """What the busiest serving pod of each workload row needs for load and backlog, idle use included."""
        needed: Ints = np.zeros(len(self._constant), np.int64)
        demands, services = self.demands, self._services
        if self._needed_milli is not None and services.count and not self.cost.has_curves:
            rates = services.rates_of_profiles(self._cluster.clock.now_us)
            if rates is not None:
                known = self.ready_count(), self._serving.held_columns, demands.cpu_seconds, demands.idle_cpu
                self._needed_milli(rates, *known, services.rows, NO_LIMIT_MILLI, self.step_us, needed)
                return needed
        factor = self._cost_by_rate()
        asked = cpu_needed_milli(demands, self.pod_rates() * factor, self._serving.longest() * factor, self.step_us)
        needed[services.rows] = np.minimum(asked, NO_LIMIT_MILLI)
        return needed

    def of_pods(self, members: Ints) -> PodsAtNodes:
        """Pods that are looked at one by one, and what each needs for its load and backlog."""
        pods = self.pods
        rows, kind = pods.rows[members], pods.kind[members]
        needed = np.zeros(len(members), np.int64)
        serving = np.flatnonzero(pods.kinds.serving[kind])
        at = self.position[pods.kinds.workload[kind[serving]]]
        rate = self.pod_rates()[at] * pods.kinds.taking[kind[serving]]
        held = self._serving.held_of(rows[serving])
        factor = self._cost_by_rate()[at]
        asked = cpu_needed_milli(self.demands.take(at), rate * factor, held * factor, self.step_us)
        needed[serving] = np.minimum(asked, NO_LIMIT_MILLI)
        return PodsAtNodes(rows, kind, pods.node[members], needed)

    def pod_rates(self) -> Floats:
        """Requests per second that reach each ready pod of the services now; that of one pod where there is none."""
        ready = self.ready_count()
        return self._services.rates_at_pods(self._cluster.clock.now_us, ready, self.step_us) / np.maximum(ready, 1)

    def stays_within(self, most_milli: Floats) -> bool:
        """Whether no ready pod needs more than this for its requests, by position of the service.

        Besides idle use; whole numbers or inf, below 1e15.
        """
        if self._is_within is not None and (rates := self._services.rates_of_profiles(self._cluster.clock.now_us)):
            groups = self._serving.held_columns
            return self._is_within(
                rates, self.ready_count(), groups, self.demands.cpu_seconds, most_milli, self.step_us
            )
        return is_within(self.demands, self.pod_rates(), self._serving.longest(), self.step_us, most_milli)

    def ready_count(self) -> Ints:
        """Ready pods by position of the service."""
        if self._counted_version == self.pods.version:
            return self._counted
        self._counted_version = self.pods.version
        taking = np.flatnonzero(self.pods.kinds.taking)
        of = self.position[self.pods.kinds.workload[taking]]
        self._counted = np.bincount(of, self.pods.count[taking], minlength=self._services.count).astype(np.int64)
        return self._counted

    def _cost_by_rate(self) -> Floats:
        """Factors on the CPU of a request, by position of the service."""
        return self.cost.by_rate(self.pod_rates()) if self.cost.has_curves else self._ones

    def cost_of_pods(self, of_kind: KindsCpu, chosen: Ints, position: Ints) -> Floats:
        """The same for serving pods at these positions, slowed down by their neighbours of the latest step."""
        pods, cores = self.pods, self.cores()
        used = of_kind.besides[pods.kind] + self._serving.busy_milli(pods.rows)
        on_node = np.bincount(pods.node, used, minlength=len(cores))[pods.node[chosen]]
        others_busy = (on_node - used[chosen]) / np.maximum(cores[pods.node[chosen]], 1)
        return self.cost.factors(position, self._cost_by_rate(), others_busy)

    def cores(self) -> Ints:
        """CPU of every node; none where the machine does not run."""
        nodes = self._cluster.nodes
        return np.where(nodes.silent, 0, nodes.allocatable[:, CPU])

    def at_once(self, at: Ints, contention: bool, nearest_milli: bool) -> Ints:
        """What serving pods at these positions use for requests now, where no request ever waits; else -1."""
        pods, kinds, demands = self.pods, self.pods.kinds, self.demands
        position = self.position[kinds.workload]
        serving = np.flatnonzero(kinds.serving)
        known = serving[demands.queue_limit[position[serving]] == 0.0]
        if not len(known):
            return np.full(len(at), -1, np.int64)
        rates, idle = self._services.rates(self._cluster.clock.now_us), demands.idle_cpu
        load = cpu_of_load_milli(demands, rates, self.ready_count(), nearest_milli) - idle
        of_kind = np.full(len(position), -1, np.int64)
        of_kind[known] = np.maximum(0, load[position[known]] * kinds.taking[known])
        kind = pods.kind[at]
        most = self._serving.capacity_of(pods.rows[at]) if contention else kinds.limit_milli[kind]
        return np.asarray(np.minimum(of_kind[kind], np.maximum(0, most - idle[position][kind])), np.int64)


def _kernels() -> tuple[Callable[..., bool] | None, Callable[..., None] | None]:
    """The compiled twins of `stays_within` and of `needed`."""
    if not switch.in_use():
        return None, None
    from planner.kernels.load.calm_load import is_within as compiled_within
    from planner.kernels.load.calm_load import needed_milli

    return compiled_within, needed_milli
