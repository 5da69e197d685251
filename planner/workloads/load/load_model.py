"""Load, CPU use, queues and latency of all workloads, advanced in steps of simulated time.

A step ends at each load tick and wherever the ready pods of a workload change. Between two ends the
ready pods and their capacity stay as they were when the step began (docs/model.md). CPU is milli-CPU.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.workloads.cpu.node_room import NodeRoom
from planner.workloads.cpu.pod_cpu import KindsCpu, PodCpu, cpu_of_pods
from planner.workloads.cpu.running_pods import SERVICE_CHANGES, Moved, RunningPods
from planner.workloads.cpu.usage import UseLevels
from planner.workloads.cpu.warm_up import WarmUps
from planner.workloads.load.services import Services
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.load.step.load_step import WorkloadSteps
from planner.workloads.load.use.asked_cpu import AskedCpu
from planner.workloads.load.use.calm_use import CalmUse
from planner.workloads.load.use.granted_cpu import pods_that_serve
from planner.workloads.load.use.load_readings import LoadReadings
from planner.workloads.load.use.owed_pods import OwedPods
from planner.workloads.load.use.used_cpu import UsedCpu
from planner.workloads.served_workload import ServedWorkload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NODE_POWER = ClusterEventKind.NODE_POWER  # looking up a member of an enum costs a call in Python 3.11

StepSink = Callable[[Ints, Ints, Ints, WorkloadSteps], None]
"""Called with workload rows, begin and length of the step of each (microseconds), and the steps."""


class LoadModel(LoadReadings):
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
        self._refreshed_us = -1
        count = cluster.workloads.count
        self._over_time = UseLevels([item.over_time for item in workloads if item.over_time], count)
        self._warm_up = WarmUps(workloads, count)
        self._services = Services(workloads, draws, cluster.draw_keys.workloads, discrete_requests)
        self._position = np.full(count, -1, np.int64)
        self._position[self._services.rows] = np.arange(self._services.count)
        self._pods = RunningPods(cluster, self._position >= 0)
        self._room = NodeRoom()
        self._serving = ServingPods(self._services.demands, scalar_twins)
        self._asked = AskedCpu(
            cluster, workloads, self._services, self._position, self._pods, self._serving, self._over_time
        )
        self._of_kind: KindsCpu | None = None
        self._cores = np.zeros(0, np.int64)
        """CPU of every node, as of the latest look at pods."""
        self._calm: CalmUse | None = None
        self._given_version = -1
        self._owed = OwedPods(self._serving.regroups)
        self._dirty: dict[int, None] = {}
        self._may_vary = self._over_time.changes or self._asked.cost.acts
        """Whether pods may need other CPU though load, pods and nodes are as they were."""
        refuses_all = bool((self._services.demands.queue_limit == 0.0).any())
        present = self._used_at_once if refuses_all else None
        self._used = UsedCpu(self._pods, self._serving, self._services.rows, present)
        kinds = (*sorted(SERVICE_CHANGES), ClusterEventKind.POD_RESIZED, _NODE_POWER)
        cluster.subscribe(self._on_change, kinds, self._on_many)

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

    def _on_many(self, changes: PodChanges) -> None:
        for pod in changes.pods:
            self._pods.note(pod)
        known = self._services.position_of
        self._dirty.update((row, None) for row in dict.fromkeys(changes.workloads) if row in known)

    def kill(self, pod: int) -> None:
        """The processes of a pod end, and with them its requests."""
        if (row := self._cluster.pods.workload.item(pod)) in self._services.position_of:
            self._pods.kill(pod)
            self._dirty[row] = None

    # -- stepping -----------------------------------------------------------------------------

    def tick(self, step_us: int) -> None:
        """The end of a load step: advance everything, draw noise, and read the pods again."""
        self._asked.step_us = step_us
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
                self._keep(positions)
            return
        moved = self._pods.update()
        self._used.move(moved)
        self._cores = cores = self._asked.cores()
        kinds, asked = self._pods.kinds, self._asked.of_workloads()
        of_kind = self._of_kind
        if of_kind is None or of_kind.kinds is not kinds or self._over_time.changes:
            of_kind = self._of_kind = KindsCpu(kinds, asked)
        demand = of_kind.demand(asked.needed)
        if not self._contention:
            demand = np.zeros_like(demand)
        self._room.update(self._pods, moved, demand, cores)
        self._owed.note(moved, self._position[kinds.workload], cores)
        members, of_member = self._members(moved), _NONE
        if len(members):
            those = self._asked.of_pods(members)
            of_member = cpu_of_pods(those, kinds, asked, cores, self._cluster, self._warm_up, self._contention)
        self._give(positions, of_kind, members, of_member)
        self._used.refresh(of_kind, members, of_member)
        self._refreshed_us = now_us
        self._calm = (
            None if len(members) or self._over_time.changes or self._asked.cost.acts else self._calm_after(of_kind)
        )

    def _calm_after(self, of_kind: KindsCpu) -> CalmUse:
        known, key = self._calm, self._running_key()
        if known is not None and known.of_kind is of_kind and known.reference is self._room.reference:
            return known._replace(key=key)
        most = np.full(self._services.count, np.inf)
        if self._contention:
            serving = np.flatnonzero(of_kind.kinds.serving)
            of = self._position[of_kind.kinds.workload[serving]]
            np.minimum.at(most, of, of_kind.most_needed(self._room.reference)[serving])
        return CalmUse(of_kind, self._room.reference, key, most - self._services.demands.idle_cpu)

    def _running_key(self) -> tuple[int, int, int]:
        """Other numbers whenever other pods run, or nodes may have changed."""
        cluster = self._cluster
        return self._pods.version, cluster.node_changes.cursor, cluster.nodes.count

    def _is_calm(self, positions: Ints) -> bool:
        """Whether a refresh would find everything as the latest one left it."""
        calm = self._calm
        if calm is None:
            return False
        key = self._running_key()
        if calm.key != key:
            if calm.key[0] != key[0] or not np.array_equal(self._asked.cores(), self._cores):
                return False
            self._calm = calm = calm._replace(key=key)  # something else about nodes has changed
        if len(positions) and self._given_version != self._pods.version and self._owed.any:
            return False
        return self._asked.stays_within(calm.most_milli)

    def _keep(self, positions: Ints) -> None:
        """Services keep the pods that they have."""
        if self._given_version == self._pods.version:
            self._serving.merge()
        elif len(positions) == self._services.count:
            self._given_version = self._pods.version

    def _members(self, moved: Moved | None) -> Ints:
        """Positions of the pods that are looked at one by one."""
        crowded, young = self._room.crowded, self._warm_up.nodes_of_young(self._cluster, moved)
        if not len(crowded) and not len(young):
            return crowded
        chosen = np.zeros(self._cluster.nodes.count, np.bool_)
        chosen[crowded] = chosen[young] = True
        return np.flatnonzero(chosen[self._pods.node])

    def _give(self, positions: Ints, of_kind: KindsCpu, members: Ints, of_member: PodCpu) -> None:
        """Hand services their pods, and what each of them can do; but for those that have just these."""
        is_plain = not len(members) and not self._may_vary
        if not len(positions):
            return
        if is_plain and self._given_version == self._pods.version:
            self._serving.merge()
            return
        whole = len(positions) == self._services.count
        self._given_version = self._pods.version if is_plain and whole else -1
        if is_plain:
            positions = self._owed.of(positions)
        self._owed.give(positions, lasting=is_plain)
        if not len(positions):
            return
        given = pods_that_serve(self._asked, of_kind, members, of_member, positions)
        self._services.lose(self._serving.replace(positions, given), self._cluster.clock.now_us)

    def _used_at_once(self, at: Ints) -> Ints:
        return self._asked.at_once(at, self._contention, self._nearest_milli)


_NOTHING = np.zeros(0, np.int64)
_NONE = PodCpu(_NOTHING, _NOTHING, _NOTHING, np.zeros(0))
