"""Which nodes are unneeded, loop after loop, and which of them may go now."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.groups.node_readiness import NodeReadiness
from planner.autoscaler.quiet import AT_ONCE_US, earliest_us
from planner.autoscaler.scaledown.cluster_minimum import above_minimum, node_size
from planner.autoscaler.scaledown.drain.budgets import BudgetTracker, DisruptionBudgets
from planner.autoscaler.scaledown.drain.node_pods import NodePods, PodsNow, Residents
from planner.autoscaler.scaledown.eligibility import (
    CandidateFacts,
    Emptiness,
    ScaleDownView,
    UnremovableNodes,
    candidate_order,
    candidate_verdicts,
    simulation_limit,
)
from planner.autoscaler.scaledown.node_utilization import UtilizationReader
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaledown.simulation import RemovableNode, simulate_removals
from planner.autoscaler.scaledown.standing import SimulationInputs, StandingNodes, scattered, stays_so
from planner.autoscaler.scaledown.unneeded import Removable, RemovalRoom, UnneededNode, UnneededNodes, removable_nodes
from planner.autoscaler.scaleup.quota import Amounts
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.nodes_by_name import NodesByName
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.resources import PODS


class ScaleDownPlanner:
    """Keeps unneeded timers; says which nodes may be removed (Cluster Autoscaler 1.36.1, core/scaledown/planner)."""

    def __init__(
        self,
        cluster: Cluster,
        order: NodesByName,
        settings: ClusterAutoscalerSettings,
        options: Sequence[GroupOptions],
        readiness: NodeReadiness,
        budgets: DisruptionBudgets,
        *,
        reuse: bool = True,
    ) -> None:
        self._cluster = cluster
        self._node_order = order
        self._settings = settings
        self._options = options
        self._readiness = readiness
        self._budgets = BudgetTracker(budgets)
        self._node_pods = NodePods(cluster, settings, self._budgets)
        self._utilization = UtilizationReader(cluster, settings, options, readiness)
        self._reuse = reuse
        self._hints = Hints()
        self._unremovable = UnremovableNodes(settings.unremovable_node_recheck_timeout)
        self._removable: dict[int, RemovableNode] = {}
        self._inputs: SimulationInputs | None = None
        """With these the last simulation would find the same again."""
        self._repeats = False
        """An update after the last one would find the same."""
        self._taken: NDArray[np.int64] | None = None
        """What pods take on the nodes that the last simulation put them on, if nothing else counts."""
        self._standing: StandingNodes | None = None
        """What the last update found, if the next ones may find the same although pods came or went."""
        self._last_update_us: int | None = None
        self._smallest_interval_us = max(settings.scale_down_unneeded_time, 1)
        self.unneeded = UnneededNodes()

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._utilization.close()

    def update(
        self,
        snapshot: Snapshot,
        destinations: NDArray[np.bool_],
        shrinkable: NDArray[np.bool_],
        cursor: SearchCursor,
        now_us: int,
    ) -> ScaleDownView:
        """Judge every real node of the snapshot and keep the unneeded timers.

        `destinations`: positions where pods may go, those of the nodes that are not being removed;
        `shrinkable`: groups whose nodes are looked at.
        """
        self.repeat(now_us)
        self._unremovable.forget_expired(now_us)
        self._node_pods.refresh()
        view = self._judge(snapshot, destinations, shrinkable, now_us)
        candidates = np.flatnonzero(view.verdicts == NodeVerdict.SIMULATE)
        order, before = self._order(candidates, snapshot, now_us), self.unneeded.nodes()
        limit = simulation_limit(
            len(self.unneeded),
            self._settings.max_scale_down_parallelism,
            self._settings.scale_down_unneeded_time,
            self._smallest_interval_us,
        )
        inputs = SimulationInputs.of(self._cluster, snapshot, order, limit, shrinkable, self._budgets.left)
        if not self._reuse or inputs != self._inputs:
            may_repeat = self._simulate(snapshot, destinations, order, limit, cursor, now_us, view)
            self._inputs = inputs if may_repeat and self._reuse else None
            self._taken = self._taken_on_trial(snapshot, order) if self._inputs else None
        self.unneeded.update(self._removable, now_us)
        # What was unneeded decides about the order of the next simulation.
        self._repeats = self._inputs is not None and dict.fromkeys(before).keys() == self._removable.keys()
        ready = self._readiness.mask()
        for position in order:
            node = int(snapshot.rows[position])
            if node in self._removable:
                view.verdicts[position] = NodeVerdict.UNNEEDED
                options = self._options[self._cluster.nodes.group[node]]
                view.wait_us[node] = options.unneeded_us if ready[node] else options.unready_us
        self._standing = None
        if self._repeats and self._taken is not None:
            found = view.verdicts, view.thresholds, self._taken
            self._standing = scattered(self._cluster.nodes.count, snapshot.rows, *found)
        return view

    def repeat(self, now_us: int) -> None:
        """Note when an update is made, or left out because it would repeat the last one."""
        if self._last_update_us is not None and now_us > self._last_update_us:
            self._smallest_interval_us = min(self._smallest_interval_us, now_us - self._last_update_us)
        self._last_update_us = now_us

    def may_repeat(self, now_us: int) -> bool:
        """Whether an update now comes no sooner after the last than any before, which bounds what is simulated, and no
        pod has been in deletion for too long."""
        soonest_us = self._smallest_interval_us + (now_us if self._last_update_us is None else self._last_update_us)
        return now_us >= soonest_us and not self._utilization.ignores_some(now_us)

    def stays(self, changed: Sequence[int]) -> bool:
        """Whether an update now would find what the last one found, if all that happened is that pods came, moved or
        went on these nodes."""
        if not changed or self._standing is None:
            return self._standing is not None
        rows, nodes = np.array(changed, dtype=np.int64), self._cluster.nodes
        used = self._utilization.of_nodes(rows).value
        return stays_so(self._standing, rows, used, nodes.allocatable[rows] - nodes.requested[rows])

    def rests_until_us(self, now_us: int) -> int:
        """When an update may next find something else, as long as the cluster stays as it is."""
        budgeted = bool(self._budgets.left) and bool(self._removable or not self._hints.is_empty)
        if not self._repeats or budgeted:
            return AT_ONCE_US
        return earliest_us(self._unremovable.until_us(), now_us)

    def removable_now(
        self,
        snapshot: Snapshot,
        in_progress_by_group: Mapping[int, int],
        whole: Mapping[int, Collection[int]],
        now_us: int,
    ) -> Removable:
        """The unneeded nodes that may go: empty ones by list order, then those to drain.

        `whole`: of each group that goes as a whole, how many nodes are all of it.
        """
        groups = self._cluster.groups
        room = {
            group: int(groups.target[group]) - in_progress_by_group.get(group, 0) - int(groups.min_size[group])
            for group in range(groups.count)
        }
        ready, of = self._readiness.mask(), (self._cluster, self._settings)
        above = above_minimum(*of, snapshot)
        sizes = {node: node_size(*of, node) if above else {} for node in self.unneeded_by_name()}
        unneeded = [self._unneeded_node(node, bool(ready[node]), size) for node, size in sizes.items()]
        return removable_nodes(unneeded, RemovalRoom(room, above), now_us, whole)

    def forget_all(self) -> None:
        """The cluster is unhealthy: all timers are reset."""
        self.unneeded.forget_all()
        self._inputs = None

    def pods_now(self, node: int, now_us: int) -> PodsNow:
        """What is on a real node that is about to be removed."""
        self._node_pods.refresh()
        return self._node_pods.now(node, now_us)

    def expected_moves(self, node: int) -> dict[int, int | None]:
        """Pods that an unneeded node gives away, and the node on which the simulation put each."""
        hinted = {pod: self._hints.get(pod) for pod in self._removable[node].moving}
        return {pod: key if key is not None and key >= 0 else None for pod, key in hinted.items()}

    def unneeded_by_name(self) -> list[int]:
        """The unneeded nodes in list order."""
        return self._node_order.by_name(self.unneeded.nodes())

    def _unneeded_node(self, node: int, ready: bool, size: Amounts) -> UnneededNode:
        nodes, found = self._cluster.nodes, self._removable[node]
        since_us, group = self.unneeded.since_us(node), int(nodes.group[node])
        assert since_us is not None
        options = self._options[group]
        return UnneededNode(
            node=node,
            group=group,
            since_us=since_us,
            is_ready=ready,
            is_empty=not found.moving,
            is_risky=found.is_risky,
            waits_for_completion=found.waits_for_completion,
            required_us=options.unneeded_us if ready else options.unready_us,
            size=size,
        )

    def _judge(
        self, snapshot: Snapshot, destinations: NDArray[np.bool_], shrinkable: NDArray[np.bool_], now_us: int
    ) -> ScaleDownView:
        rows, nodes = snapshot.rows, self._cluster.nodes
        groups = nodes.group[rows]
        utilization = self._utilization.read(snapshot, now_us)
        recent = self._unremovable.recent_mask(rows, now_us)
        facts = CandidateFacts(
            is_candidate=shrinkable[groups] & destinations[: len(rows)],
            recently_unremovable=recent,
            being_deleted=nodes.deleting[rows],
            scale_down_disabled=nodes.scale_down_disabled[rows],
            is_ready=self._readiness.mask()[rows],
            utilization=utilization.value,
            threshold=self._utilization.thresholds(groups, utilization.is_gpu),
        )
        verdicts = candidate_verdicts(facts, unready_enabled=self._settings.scale_down_unready_enabled)
        return ScaleDownView(verdicts, utilization, facts.threshold)

    def _order(self, candidates: NDArray[np.int64], snapshot: Snapshot, now_us: int) -> list[int]:
        if not len(candidates):
            return []
        rows = snapshot.rows[candidates].tolist()
        filled = np.array(
            [self._emptiness(snapshot, at, row, now_us) for at, row in zip(candidates.tolist(), rows, strict=True)]
        )
        was = np.array([self.unneeded.since_us(row) is not None for row in rows])
        order: list[int] = candidate_order(candidates, filled, was).tolist()
        return order

    def _emptiness(self, snapshot: Snapshot, position: int, node: int, now_us: int) -> Emptiness:
        placed = snapshot.placed.get(position, ())
        if not placed and snapshot.free[position, PODS] == snapshot.allocatable[position, PODS]:
            return Emptiness.EMPTY
        drain = self._node_pods.drain(node, placed, now_us).drain
        if drain.blocking is not None or drain.moving:
            return Emptiness.FILLED
        return Emptiness.WAITS if drain.waits_for_completion else Emptiness.EMPTY

    def _simulate(
        self,
        snapshot: Snapshot,
        destinations: NDArray[np.bool_],
        order: list[int],
        limit: int,
        cursor: SearchCursor,
        now_us: int,
        view: ScaleDownView,
    ) -> bool:
        """Whether the same inputs would lead to the same answer, now that every pod is hinted."""

        def drain_of(node: int, extra: Sequence[int]) -> Residents:
            return self._node_pods.drain(node, extra, now_us)

        def goes_as_part(node: int) -> bool:
            return self._options[int(self._cluster.nodes.group[node])].zero_or_max

        found = simulate_removals(
            order, destinations, limit, snapshot, drain_of, cursor, self._hints, self._budgets.use, goes_as_part
        )
        self._hints.drop_old()
        for node, (verdict, blocking) in found.unremovable.items():
            self._unremovable.add(node, now_us)
            position = snapshot.position(node)
            assert position is not None
            view.verdicts[position] = verdict
            if blocking is not None:
                view.blocked[node] = blocking
        self._removable = {each.node: each for each in found.removable}
        is_partial = bool(view.blocked) or len(self._removable) < min(len(order), limit)
        if is_partial or found.moved_on:
            return False
        # A pod in deletion counts only for a while.
        return not self._cluster.workloads.terminating.any() or self._node_pods.are_known(snapshot.rows[order])

    def _taken_on_trial(self, snapshot: Snapshot, order: list[int]) -> NDArray[np.int64] | None:
        """What pods take that this update put elsewhere, by position; None if more than room decides where they go."""
        counts_all = self._utilization.counts_all and not self._node_pods.has_expendable
        if not counts_all or self._cluster.nominated_pods or not self._node_pods.are_known(snapshot.rows[order]):
            return None
        moving = [pod for each in self._removable.values() for pod in each.moving]
        return snapshot.taken_on_trial() if snapshot.only_room_decides(moving) else None
