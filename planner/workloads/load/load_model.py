"""Load, CPU use, queues and latency of all workloads, advanced in steps of simulated time.

A step ends at each load tick and wherever the ready pods of a workload change. Between two ends the
ready pods and their capacity stay as they were when the step began (docs/model.md). CPU is milli-CPU.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.resources import CPU
from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.cpu.node_room import NodeRoom
from planner.workloads.cpu.pod_cpu import Asked, KindsCpu, PodCpu, PodsAtNodes, cpu_of_pods
from planner.workloads.cpu.running_pods import SERVICE_CHANGES, Moved, RunningPods
from planner.workloads.cpu.usage import NOTHING, Received, UseLevels
from planner.workloads.cpu.warm_up import WarmUps
from planner.workloads.load.demand import cpu_needed_milli, cpu_wanted_milli
from planner.workloads.load.load_step import WorkloadSteps
from planner.workloads.load.services import Services
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.served_workload import ServedWorkload

Ints = NDArray[np.int64]

StepSink = Callable[[Ints, Ints, Ints, WorkloadSteps], None]
"""Called with workload rows, begin and length of the step of each (microseconds), and the steps."""


@dataclass(frozen=True)
class _Use:
    """What running pods use since the latest refresh: by kind, and pod by pod on crowded nodes."""

    pods: RunningPods
    of_kind: KindsCpu | None
    members: Ints
    """Positions of the pods on crowded nodes."""
    of_member: PodCpu

    @cached_property
    def milli(self) -> Ints:
        """Of every running pod."""
        return self._each(_NONE.used if self.of_kind is None else self.of_kind.used, self.of_member.used)

    @cached_property
    def before_work(self) -> Ints:
        """Of every running pod, without the work of Jobs."""
        of_kind = _NONE.before_work if self.of_kind is None else self.of_kind.before_work
        return self._each(of_kind, self.of_member.before_work)

    def _each(self, of_kind: Ints, of_member: Ints) -> Ints:
        each = of_kind[self.pods.kind]
        each[self.members] = of_member
        return each


class LoadModel:
    """Serves the load with the pods that are ready, and says what each pod used."""

    def __init__(
        self,
        cluster: Cluster,
        workloads: Sequence[ServedWorkload],
        draws: Draws,
        on_steps: StepSink,
        contention: bool = True,
        nearest_milli: bool = False,
        scalar_twins: bool = True,
    ) -> None:
        """`contention`: nodes divide their CPU; without it each pod has as much as if it were alone on its node.

        `nearest_milli`: use is rounded to the nearest milli-CPU instead of up. `scalar_twins`: the queues of a few
        pods are computed in plain numbers, see `latency/share_of_one.py`.
        """
        self._cluster = cluster
        self._on_steps = on_steps
        self._contention = contention
        self._nearest_milli = nearest_milli
        self._step_us = 1
        self._refreshed_us = -1
        count = cluster.workloads.count
        self._constant: Ints = np.zeros(count, np.int64)
        for item in workloads:
            self._constant[item.row] = item.cpu_use_milli
        self._over_time = UseLevels([item.over_time for item in workloads if item.over_time], count)
        self._warm_up = WarmUps(workloads, count)
        self._services = Services(workloads, draws, cluster.draw_keys.workloads)
        self._position = np.full(count, -1, np.int64)
        self._position[self._services.rows] = np.arange(self._services.count)
        self._pods = RunningPods(cluster, self._position >= 0)
        self._room = NodeRoom()
        self._serving = ServingPods(self._services.demands, scalar_twins)
        self._given_version = self._counted_version = -1
        self._counted: Ints = np.zeros(self._services.count, np.int64)
        self._dirty: dict[int, None] = {}
        self._use = _Use(self._pods, *_nothing())
        cluster.subscribe(self._on_change, (*sorted(SERVICE_CHANGES), ClusterEventKind.NODE_POWER))

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind == ClusterEventKind.NODE_POWER:
            on_it = self._cluster.pods.workload[list(self._cluster.node_pods[event.node])].tolist()
            self._dirty.update(dict.fromkeys(row for row in on_it if row in self._services.position_of))
            return
        self._pods.note(event.pod)
        if event.workload in self._services.position_of:
            self._dirty[event.workload] = None

    # -- stepping -----------------------------------------------------------------------------

    def tick(self, step_us: int) -> None:
        """The end of a load step: advance everything, draw noise, and read the pods again."""
        self._step_us = step_us
        self._advance(self._services.positions)
        self._services.draw_noise(step_us)
        self._dirty.clear()
        self._refresh(self._services.positions)

    def settle(self) -> None:
        """End the step of workloads whose ready pods changed at this instant."""
        if not self._dirty:
            return
        changed = np.array(sorted(self._services.position_of[row] for row in self._dirty), np.int64)
        chosen = self._services.with_callers(changed)
        self._dirty.clear()
        self._advance(chosen)
        self._refresh(chosen)

    def observe(self) -> None:
        """Bring the present use of every running pod up to this instant."""
        if self._refreshed_us != self._cluster.clock.now_us or self._dirty or not self._pods.is_current:
            self._refresh(np.zeros(0, np.int64))

    def _advance(self, positions: Ints) -> None:
        services = self._services
        for taken in services.advance(positions, self._cluster.clock.now_us, self._serving):
            self._on_steps(services.rows[taken.positions], taken.start_us, taken.length_us, taken.steps)

    # -- who may use what ---------------------------------------------------------------------

    def _refresh(self, positions: Ints) -> None:
        """Capacity of the pods of the services at `positions`, and the present use of every running pod."""
        moved = self._pods.update()
        cores, kinds, asked = self._cores(), self._pods.kinds, self._asked()
        of_kind = KindsCpu(kinds, asked, self._contention)
        demand = of_kind.demand if self._contention else np.zeros_like(of_kind.demand)
        self._room.update(self._pods, moved, demand, cores)
        members = self._members(moved)
        of_member = _NONE
        if len(members):
            pods = PodsAtNodes(self._pods.rows[members], self._pods.kind[members], self._pods.node[members])
            of_member = cpu_of_pods(
                pods, kinds, asked, cores, self._cluster, self._warm_up, self._contention
            )  # fmt: skip
        self._give(positions, of_kind, members, of_member.capacity)
        self._use = _Use(self._pods, of_kind, members, of_member)
        self._refreshed_us = self._cluster.clock.now_us

    def _cores(self) -> Ints:
        """CPU of every node; none where the machine does not run."""
        nodes = self._cluster.nodes
        return np.where(nodes.silent, 0, nodes.allocatable[:, CPU])

    def _asked(self) -> Asked:
        """What a pod of each workload row asks for at this instant."""
        now_us, services = self._cluster.clock.now_us, self._services
        rates, pods = services.rates(now_us), self._ready_count()
        needed = np.zeros(len(self._constant), np.int64)
        asked = cpu_needed_milli(services.demands, rates, pods, services.in_flight, self._step_us)
        needed[services.rows] = np.minimum(asked, NO_LIMIT_MILLI)

        def wanted() -> Ints:
            found = np.zeros(len(self._constant), np.int64)
            found[services.rows] = cpu_wanted_milli(services.demands, rates, pods, self._nearest_milli)
            return found

        constant = self._constant
        if self._over_time.changes:
            constant = constant + self._over_time.profile_milli(now_us)
        return Asked(constant, self._over_time.work_milli, needed, wanted)

    def _ready_count(self) -> Ints:
        """Ready pods by position of the service."""
        if self._counted_version == self._pods.version:
            return self._counted
        self._counted_version = self._pods.version
        serving = np.flatnonzero(self._pods.kinds.serving)
        of = self._position[self._pods.kinds.workload[serving]]
        self._counted = np.bincount(of, self._pods.count[serving], minlength=self._services.count).astype(np.int64)
        return self._counted

    def _members(self, moved: Moved | None) -> Ints:
        """Positions of the pods that are looked at one by one."""
        crowded, young = self._room.crowded, self._warm_up.nodes_of_young(self._cluster, moved)
        if not len(crowded) and not len(young):
            return crowded
        chosen = np.zeros(self._cluster.nodes.count, np.bool_)
        chosen[crowded] = chosen[young] = True
        return np.flatnonzero(chosen[self._pods.node])

    def _give(self, positions: Ints, of_kind: KindsCpu, members: Ints, of_member: Ints) -> None:
        """Hand services the capacities of their ready pods."""
        pods, kinds = self._pods, self._pods.kinds
        is_plain = not len(members) and not self._over_time.changes
        if not len(positions) or (is_plain and self._given_version == pods.version):
            return
        whole = len(positions) == self._services.count
        self._given_version = pods.version if is_plain and whole else -1
        member_kind = pods.kind[members] if len(members) else members
        count = pods.count - np.bincount(member_kind, minlength=len(pods.count))
        calm, serving = np.flatnonzero(kinds.serving & (count > 0)), np.flatnonzero(kinds.serving[member_kind])
        kind = np.concatenate((calm, member_kind[serving]))
        service = self._position[kinds.workload[kind]]
        capacity = np.concatenate((of_kind.capacity[calm], of_member[serving]))
        each = np.concatenate((count[calm], np.ones(len(serving), np.int64)))
        limit = np.full(self._services.count, NO_LIMIT_MILLI, np.int64)
        np.minimum.at(limit, service, kinds.limit_milli[kind])
        if not whole:
            mine = np.flatnonzero(np.isin(service, positions))
            service, capacity, each = service[mine], capacity[mine], each[mine]
        self._serving.replace(positions, service, capacity, each, limit)

    # -- what others read ---------------------------------------------------------------------

    @property
    def usage_rows(self) -> Ints:
        """Running pods at the last refresh."""
        return self._pods.rows

    @property
    def usage_milli(self) -> Ints:
        """What each of them uses from then on."""
        return self._use.milli

    @property
    def serving(self) -> Ints:
        """Positions in `usage_rows` of the ready pods that serve requests, at the last refresh."""
        return np.flatnonzero(self._pods.kinds.serving[self._pods.kind])

    def work_received(self) -> Received:
        """Pods of Jobs with work, and what each gets for it since the last refresh."""
        if not self._over_time.has_work:
            return NOTHING
        working = np.flatnonzero(self._over_time.work_milli[self._pods.kinds.workload[self._pods.kind]])
        got = np.maximum(0, self._use.milli[working] - self._use.before_work[working])
        return Received(self._pods.rows[working], got)

    def offered_rate(self, row: int) -> float:
        """Requests per second that reach a workload now."""
        return float(self._services.rates(self._cluster.clock.now_us)[self._position[row]])

    def in_flight(self, row: int) -> float:
        """Requests that a workload holds, at the end of its latest step."""
        return float(self._services.in_flight[self._position[row]])

    def capacity_milli(self, row: int) -> float:
        """CPU that a ready pod of a workload can use, on average, since its latest step began."""
        return self._serving.mean_capacity_milli(int(self._position[row]))

    def used_by_workload(self) -> Ints:
        """CPU in use now, summed by workload row."""
        pods, use, count = self._pods, self._use, len(self._constant)
        if use.of_kind is None:
            return np.zeros(count, np.int64)
        of_member = pods.kind[use.members] if len(use.members) else use.members
        alike = pods.count - np.bincount(of_member, minlength=len(pods.count))
        workload = pods.kinds.workload
        used = np.bincount(workload, use.of_kind.used * alike, minlength=count)
        return (used + np.bincount(workload[of_member], use.of_member.used, minlength=count)).astype(np.int64)

    def used_by_node(self) -> Ints:
        """CPU in use now, summed by node row; pods that ended since the last refresh count no more."""
        count, node, milli = self._cluster.nodes.count, self._pods.node, self._use.milli
        if not self._pods.is_current:
            there = self._cluster.pods.node[self._pods.rows] >= 0
            node, milli = node[there], milli[there]
        return np.bincount(node, milli, minlength=count).astype(np.int64)


_NONE = PodCpu(*np.zeros((3, 0), np.int64))


def _nothing() -> tuple[None, Ints, PodCpu]:
    return None, np.zeros(0, np.int64), _NONE
