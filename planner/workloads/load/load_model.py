"""Load, CPU use, queues and latency of all workloads, advanced in steps of simulated time.

A step ends at each load tick and wherever the ready pods of a workload change. Between two ends the
ready pods and their capacity stay as they were when the step began (docs/model.md). CPU is milli-CPU.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.resources import CPU
from planner.units import US_PER_S
from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.cpu.cost_of_load import CostOfLoad
from planner.workloads.cpu.mean_use import UseOfRow
from planner.workloads.cpu.node_room import NodeRoom
from planner.workloads.cpu.pod_cpu import Asked, KindsCpu, PodCpu, PodsAtNodes, cpu_of_pods
from planner.workloads.cpu.running_pods import SERVICE_CHANGES, Moved, RunningPods
from planner.workloads.cpu.usage import NOTHING, Received, UseLevels
from planner.workloads.cpu.warm_up import WarmUps
from planner.workloads.load.demand import cores_at_once, cpu_needed_milli, cpu_of_load_milli, is_within
from planner.workloads.load.services import Services
from planner.workloads.load.serving_pods import PodsThatServe, ServingPods
from planner.workloads.load.step.load_step import WorkloadSteps
from planner.workloads.load.used_cpu import UsedCpu
from planner.workloads.served_workload import ServedWorkload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NODE_POWER = ClusterEventKind.NODE_POWER  # looking up a member of an enum costs a call in Python 3.11

StepSink = Callable[[Ints, Ints, Ints, WorkloadSteps], None]
"""Called with workload rows, begin and length of the step of each (microseconds), and the steps."""


class _Calm(NamedTuple):
    """A refresh after which nodes have room for all of their pods, and that none of these changes with the time."""

    of_kind: KindsCpu
    reference: Ints
    """Of `NodeRoom`."""
    key: tuple[int, int, int]
    """What it was true of: pods that run, and nodes."""
    most_milli: Floats
    """As long as a pod of each service needs no more, the next one would change nothing."""


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
        discrete_requests: bool = False,
    ) -> None:
        """`contention`: nodes divide their CPU; without it each pod has as much as if it were alone on its node.

        `nearest_milli`: use is rounded to the nearest milli-CPU instead of up. `scalar_twins`: the queues of a few
        pods are computed in plain numbers, see `latency/share_of_one.py`. `discrete_requests`: they arrive
        one by one, not as a fluid.
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
        self._services = Services(workloads, draws, cluster.draw_keys.workloads, discrete_requests)
        self._idle: Ints = np.zeros(count, np.int64)
        self._idle[self._services.rows] = self._services.demands.idle_cpu
        self._position = np.full(count, -1, np.int64)
        self._position[self._services.rows] = np.arange(self._services.count)
        self._pods = RunningPods(cluster, self._position >= 0)
        self._ones = np.ones(self._services.count)
        self._room = NodeRoom()
        self._cost = CostOfLoad(self._services.settings)
        self._serving = ServingPods(self._services.demands, scalar_twins)
        self._of_kind: KindsCpu | None = None
        self._calm: _Calm | None = None
        self._given_version = self._counted_version = -1
        self._counted: Ints = np.zeros(self._services.count, np.int64)
        self._dirty: dict[int, None] = {}
        refuses_all = bool((self._services.demands.queue_limit == 0.0).any())
        self._used = UsedCpu(self._pods, self._serving, self._present_milli if refuses_all else None)
        kinds = (*sorted(SERVICE_CHANGES), ClusterEventKind.POD_RESIZED, _NODE_POWER)
        cluster.subscribe(self._on_change, kinds)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind is _NODE_POWER:
            for pod in self._cluster.node_pods[event.node]:
                self._pods.note(pod)
                row = self._cluster.pods.workload.item(pod)
                if row in self._services.position_of:
                    self._dirty[row] = None
            return
        self._pods.note(event.pod)
        if event.workload in self._services.position_of:
            self._dirty[event.workload] = None

    def kill(self, pod: int) -> None:
        """The processes of a pod end, and with them its requests."""
        if (row := self._cluster.pods.workload.item(pod)) in self._services.position_of:
            self._pods.kill(pod)
            self._dirty[row] = None

    # -- stepping -----------------------------------------------------------------------------

    def tick(self, step_us: int) -> None:
        """The end of a load step: advance everything, draw noise, and read the pods again."""
        self._step_us = step_us
        self._advance(self._services.positions)
        self._services.draw_noise(self._cluster.clock.now_us, step_us)
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

    def end_steps(self) -> None:
        """End all steps at this instant, for a look at what was done so far."""
        if self._refreshed_us == self._cluster.clock.now_us and not self._dirty and self._pods.is_current:
            if self._services.all_ended(self._cluster.clock.now_us):
                return
        self._dirty.clear()
        self._advance(self._services.positions)
        self._refresh(self._services.positions)

    def _advance(self, positions: Ints) -> None:
        services = self._services
        for taken in services.advance(positions, self._cluster.clock.now_us, self._serving):
            self._on_steps(services.rows[taken.positions], taken.start_us, taken.length_us, taken.steps)

    # -- who may use what ---------------------------------------------------------------------

    def _refresh(self, positions: Ints) -> None:
        """Capacity of the pods of the services at `positions`, and the present use of every running pod."""
        now_us = self._cluster.clock.now_us
        self._used.spend(now_us)
        if self._pods.is_current and self._is_calm(positions):
            self._refreshed_us = now_us
            if len(positions):
                self._serving.merge()
            return
        moved = self._pods.update()
        self._used.move(moved)
        cores, kinds, asked = self._cores(), self._pods.kinds, self._asked()
        of_kind = self._of_kind
        if of_kind is None or of_kind.kinds is not kinds or self._over_time.changes:
            of_kind = self._of_kind = KindsCpu(kinds, asked)
        demand = of_kind.demand(asked.needed)
        if not self._contention:
            demand = np.zeros_like(demand)
        self._room.update(self._pods, moved, demand, cores)
        members, of_member = self._members(moved), _NONE
        if len(members):
            of_member = cpu_of_pods(
                self._pods_at(members), kinds, asked, cores, self._cluster, self._warm_up, self._contention
            )  # fmt: skip
        self._give(positions, of_kind, members, of_member)
        self._used.refresh(of_kind, members, of_member)
        self._refreshed_us = now_us
        self._calm = None if len(members) or self._over_time.changes or self._cost.acts else self._calm_after(of_kind)

    def _calm_after(self, of_kind: KindsCpu) -> _Calm:
        known, key = self._calm, self._running_key()
        if known is not None and known.of_kind is of_kind and known.reference is self._room.reference:
            return known._replace(key=key)
        most = np.full(self._services.count, np.inf)
        if self._contention:
            serving = np.flatnonzero(of_kind.kinds.serving)
            of = self._position[of_kind.kinds.workload[serving]]
            np.minimum.at(most, of, of_kind.most_needed(self._room.reference)[serving])
        return _Calm(of_kind, self._room.reference, key, most)

    def _running_key(self) -> tuple[int, int, int]:
        """Other numbers whenever other pods run, or nodes may have changed."""
        cluster = self._cluster
        return self._pods.version, cluster.node_changes.cursor, cluster.nodes.count

    def _is_calm(self, positions: Ints) -> bool:
        """Whether a refresh would find everything as the latest one left it."""
        calm = self._calm
        if calm is None or calm.key != self._running_key():
            return False
        if len(positions) and self._given_version != self._pods.version:
            return False
        held = self._serving.longest()
        return is_within(self._services.demands, self._pod_rates(), held, self._step_us, calm.most_milli)

    def _pods_at(self, members: Ints) -> PodsAtNodes:
        """Pods that are looked at one by one, and what each needs for its load and backlog."""
        pods, services = self._pods, self._services
        rows, kind = pods.rows[members], pods.kind[members]
        needed = np.zeros(len(members), np.int64)
        serving = np.flatnonzero(pods.kinds.serving[kind])
        at = self._position[pods.kinds.workload[kind[serving]]]
        rate = self._pod_rates()[at] * pods.kinds.taking[kind[serving]]
        held = self._serving.held_of(rows[serving])
        factor = self._cost_by_rate()[at]
        asked = cpu_needed_milli(services.demands.take(at), rate * factor, held * factor, self._step_us)
        needed[serving] = np.minimum(asked, NO_LIMIT_MILLI)
        return PodsAtNodes(rows, kind, pods.node[members], needed)

    def _pod_rates(self) -> Floats:
        """Requests per second that reach each ready pod of the services now; that of one pod where there is none."""
        ready = self._ready_count()
        return self._services.rates_at_pods(self._cluster.clock.now_us, ready, self._step_us) / np.maximum(ready, 1)

    def _cost_by_rate(self) -> Floats:
        """Factors on the CPU of a request, by position of the service."""
        return self._cost.by_rate(self._pod_rates()) if self._cost.has_curves else self._ones

    def _cost_of_pods(self, of_kind: KindsCpu, chosen: Ints, position: Ints) -> Floats:
        """The same for serving pods at these positions, slowed down by their neighbours of the latest step."""
        pods, cores = self._pods, self._cores()
        used = of_kind.besides[pods.kind] + self._serving.busy_milli(pods.rows)
        on_node = np.bincount(pods.node, used, minlength=len(cores))[pods.node[chosen]]
        others_busy = (on_node - used[chosen]) / np.maximum(cores[pods.node[chosen]], 1)
        return self._cost.factors(position, self._cost_by_rate(), others_busy)

    def _cores(self) -> Ints:
        """CPU of every node; none where the machine does not run."""
        nodes = self._cluster.nodes
        return np.where(nodes.silent, 0, nodes.allocatable[:, CPU])

    def _asked(self) -> Asked:
        """What a pod of each workload row asks for at this instant."""
        services, demands = self._services, self._services.demands
        needed: Ints = np.zeros(len(self._constant), np.int64)
        factor = self._cost_by_rate()
        asked = cpu_needed_milli(demands, self._pod_rates() * factor, self._serving.longest() * factor, self._step_us)
        needed[services.rows] = np.minimum(asked, NO_LIMIT_MILLI)
        constant = self._constant
        if self._over_time.changes:
            constant = constant + self._over_time.profile_milli(self._cluster.clock.now_us)
        return Asked(constant, self._idle, self._over_time.work_milli, needed)

    def _ready_count(self) -> Ints:
        """Ready pods by position of the service."""
        if self._counted_version == self._pods.version:
            return self._counted
        self._counted_version = self._pods.version
        taking = np.flatnonzero(self._pods.kinds.taking)
        of = self._position[self._pods.kinds.workload[taking]]
        self._counted = np.bincount(of, self._pods.count[taking], minlength=self._services.count).astype(np.int64)
        return self._counted

    def _members(self, moved: Moved | None) -> Ints:
        """Positions of the pods that are looked at one by one."""
        crowded, young = self._room.crowded, self._warm_up.nodes_of_young(self._cluster, moved)
        if not len(crowded) and not len(young):
            return crowded
        chosen = np.zeros(self._cluster.nodes.count, np.bool_)
        chosen[crowded] = chosen[young] = True
        return np.flatnonzero(chosen[self._pods.node])

    def _give(self, positions: Ints, of_kind: KindsCpu, members: Ints, of_member: PodCpu) -> None:
        """Hand services their pods, and what each of them can do."""
        pods, kinds = self._pods, self._pods.kinds
        is_plain = not len(members) and not self._over_time.changes and not self._cost.acts
        if not len(positions):
            return
        if is_plain and self._given_version == pods.version:
            self._serving.merge()
            return
        whole = len(positions) == self._services.count
        self._given_version = pods.version if is_plain and whole else -1
        capacity, slower = of_kind.capacity[pods.kind], np.ones(len(pods.kind))
        capacity[members], slower[members] = of_member.capacity, of_member.slower
        serving = kinds.serving.copy()
        if not whole:
            serving &= np.isin(self._position[kinds.workload], positions)
        chosen = np.flatnonzero(serving[pods.kind])
        kind = pods.kind[chosen]
        position = self._position[kinds.workload[kind]]
        capacity, slower = capacity[chosen], slower[chosen]
        cores = cores_at_once(
            capacity, of_kind.capacity[kind], self._services.demands.most_milli[position],
            self._cores()[pods.node[chosen]],
        )  # fmt: skip
        if self._cost.acts:
            factor, idle = self._cost_of_pods(of_kind, chosen, position), self._services.demands.idle_cpu[position]
            spare = np.maximum(0, capacity - idle)
            cores = np.minimum(cores, idle) + np.floor(np.maximum(0, cores - idle) / factor).astype(np.int64)
            capacity = np.minimum(capacity, idle) + np.floor(spare / factor).astype(np.int64)
            slower = slower * factor
        given = PodsThatServe(pods.rows[chosen], position, capacity, cores, kinds.taking[kind], slower)
        self._services.lose(self._serving.replace(positions, given), self._cluster.clock.now_us)

    def _present_milli(self, at: Ints) -> Ints:
        """What serving pods at these positions use for requests now, where no request ever waits; else -1."""
        pods, kinds, demands = self._pods, self._pods.kinds, self._services.demands
        position = self._position[kinds.workload]
        serving = np.flatnonzero(kinds.serving)
        known = serving[demands.queue_limit[position[serving]] == 0.0]
        if not len(known):
            return np.full(len(at), -1, np.int64)
        rates, idle = self._services.rates(self._cluster.clock.now_us), demands.idle_cpu
        load = cpu_of_load_milli(demands, rates, self._ready_count(), self._nearest_milli) - idle
        of_kind = np.full(len(position), -1, np.int64)
        of_kind[known] = np.maximum(0, load[position[known]] * kinds.taking[known])
        kind = pods.kind[at]
        present = of_kind[kind]
        most = self._serving.capacity_of(pods.rows[at]) if self._contention else kinds.limit_milli[kind]
        return np.asarray(np.minimum(present, np.maximum(0, most - idle[position][kind])), np.int64)

    # -- what others read ---------------------------------------------------------------------

    @property
    def usage_rows(self) -> Ints:
        """Running pods at the last refresh."""
        return self._pods.rows

    @property
    def usage_milli(self) -> Ints:
        """What each of them uses: for requests as in its latest step."""
        return self._used.milli()

    @property
    def serving(self) -> Ints:
        """Positions in `usage_rows` of the ready pods that serve requests, at the last refresh."""
        return np.flatnonzero(self._pods.kinds.taking[self._pods.kind])

    def spent_s(self, rows: Ints) -> Floats:
        """CPU seconds that these pods have used so far; for requests up to the end of their latest step."""
        return self._used.spent_s(rows, self._pods.kind_of(rows))

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

    def capacity_of(self, pods: Ints) -> Ints:
        """CPU in milli-CPU that each of these pods may use; 0 for those that serve nothing."""
        return self._serving.capacity_of(pods)

    def capacity_milli(self, row: int) -> float:
        """CPU that a ready pod of a workload can use, on average, since its latest step began."""
        return self._serving.mean_capacity_milli(int(self._position[row]))

    def mean_use(self) -> UseOfRow:
        """Mean CPU use since the last call, by workload row and by node row; nothing is left out and nothing twice."""
        cluster = self._cluster
        sizes = len(self._constant), cluster.nodes.count
        return self._used.look(cluster.clock.now_us, cluster.pods.workload, sizes)


_NOTHING = np.zeros(0, np.int64)
_NONE = PodCpu(_NOTHING, _NOTHING, _NOTHING, np.zeros(0))
