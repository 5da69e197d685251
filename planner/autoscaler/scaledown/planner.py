"""Which nodes are unneeded, loop after loop, and which of them may go now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.packing import Hints
from planner.autoscaler.round_robin import SearchCursor
from planner.autoscaler.scaledown.drain_rules.registry import NodeDrain
from planner.autoscaler.scaledown.eligibility import (
    CandidateFacts,
    UnremovableNodes,
    candidate_order,
    candidate_verdicts,
    simulation_limit,
)
from planner.autoscaler.scaledown.node_pods import NodePods
from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.autoscaler.scaledown.simulation import RemovableNode, simulate_removals
from planner.autoscaler.scaledown.unneeded import (
    Removable,
    RemovalRoom,
    UnneededNode,
    UnneededNodes,
    removable_nodes,
)
from planner.autoscaler.scaledown.utilization import Utilization, node_utilization
from planner.autoscaler.snapshot import Snapshot
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.resources import CPU, MEMORY, PODS
from planner.units import US_PER_S

SCALE_DOWN_UNREADY_US = 20 * 60 * US_PER_S


@dataclass(slots=True)
class ScaleDownView:
    """What a loop found out about the real nodes of its snapshot, by position."""

    verdicts: NDArray[np.int8]
    utilization: Utilization
    blocked: dict[int, tuple[int, BlockingReason]] = field(default_factory=dict)
    """The pod that keeps the node, and why, by node row."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a simulation depends on besides its hints; equal inputs give equal results."""

    changes: int
    positions: tuple[int, ...]
    limit: int
    placed: tuple[tuple[int, tuple[int, ...]], ...]
    nodes: int
    shrinkable: bytes


class ScaleDownPlanner:
    """Keeps the unneeded timers; tells which nodes may be removed (spec/cluster-autoscaler.md section 8)."""

    def __init__(
        self, cluster: Cluster, settings: ClusterAutoscalerSettings, node_pods: NodePods, *, reuse: bool = True
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._node_pods = node_pods
        self._reuse = reuse
        self._hints = Hints()
        self._unremovable = UnremovableNodes(settings.unremovable_node_recheck_timeout)
        self._removable: dict[int, RemovableNode] = {}
        self._inputs: _Inputs | None = None
        self._last_update_us: int | None = None
        self._smallest_interval_us = max(settings.scale_down_unneeded_time, 1)
        self.unneeded = UnneededNodes()

    def update(
        self, snapshot: Snapshot, destinations: NDArray[np.bool_], cursor: SearchCursor, now_us: int
    ) -> ScaleDownView:
        """Judge every real node of the snapshot and keep the unneeded timers. `destinations`: by position."""
        if self._last_update_us is not None and now_us > self._last_update_us:
            self._smallest_interval_us = min(self._smallest_interval_us, now_us - self._last_update_us)
        self._last_update_us = now_us
        self._unremovable.forget_expired(now_us)
        self._node_pods.refresh()
        view = self._judge(snapshot, now_us)
        candidates = np.flatnonzero(view.verdicts == NodeVerdict.SIMULATE)
        order = self._order(candidates, snapshot, now_us)
        limit = simulation_limit(
            len(self.unneeded),
            self._settings.max_scale_down_parallelism,
            self._settings.scale_down_unneeded_time,
            self._smallest_interval_us,
        )
        inputs = self._describe(snapshot, order, limit)
        if not (self._reuse and inputs == self._inputs):
            self._simulate(snapshot, destinations, order, limit, cursor, now_us, view)
            # With every pod hinted and none refused, the same inputs would lead to the same answer.
            self._inputs = None if view.blocked or len(self._removable) < min(len(order), limit) else inputs
        self.unneeded.update(self._removable, now_us)
        for position in order:
            if int(snapshot.rows[position]) in self._removable:
                view.verdicts[position] = NodeVerdict.UNNEEDED
        return view

    def removable_now(self, in_progress_by_group: Mapping[int, int], now_us: int) -> Removable:
        """The unneeded nodes that may go: empty ones by list order, then those to drain."""
        groups = self._cluster.groups
        room = {
            group: int(groups.target[group]) - in_progress_by_group.get(group, 0) - int(groups.min_size[group])
            for group in range(groups.count)
        }
        return removable_nodes([self._unneeded_node(node) for node in self._in_list_order()], RemovalRoom(room), now_us)

    def forget_all(self) -> None:
        """The cluster is unhealthy: all timers start anew."""
        self.unneeded.forget_all()
        self._inputs = None

    def moving_pods(self, node: int, now_us: int) -> tuple[int, ...]:
        """Pods of a real node that have to move now; also those of a node that a pod keeps."""
        self._node_pods.refresh()
        pods, drain = self._node_pods.drain(node, (), now_us)
        return pods if drain.blocking is not None else tuple(pods[at] for at in drain.moving)

    def is_unneeded(self, node: int) -> bool:
        """Found removable in the last loop."""
        return self.unneeded.since_us(node) is not None

    def unneeded_by_name(self) -> list[int]:
        """The unneeded nodes in list order."""
        return self._in_list_order()

    def _in_list_order(self) -> list[int]:
        return sorted(self.unneeded.nodes(), key=self._cluster.node_name)

    def _unneeded_node(self, node: int) -> UnneededNode:
        nodes, found = self._cluster.nodes, self._removable[node]
        ready, since_us = bool(nodes.ready[node]), self.unneeded.since_us(node)
        assert since_us is not None
        return UnneededNode(
            node=node,
            group=int(nodes.group[node]),
            since_us=since_us,
            is_ready=ready,
            is_empty=not found.moving,
            is_risky=found.is_risky,
            waits_for_completion=found.waits_for_completion,
            required_us=self._settings.scale_down_unneeded_time if ready else SCALE_DOWN_UNREADY_US,
        )

    def _judge(self, snapshot: Snapshot, now_us: int) -> ScaleDownView:
        rows, nodes, groups = snapshot.rows, self._cluster.nodes, self._cluster.groups
        count = len(rows)
        utilization = self._utilization(snapshot)
        shrinkable = groups.target > groups.min_size
        recent = np.array([self._unremovable.is_recent(node, now_us) for node in rows.tolist()], dtype=np.bool_)
        facts = CandidateFacts(
            is_candidate=shrinkable[nodes.group[rows]],
            recently_unremovable=recent,
            being_deleted=nodes.deleting[rows],
            scale_down_disabled=np.zeros(count, dtype=np.bool_),
            is_ready=nodes.ready[rows],
            utilization=utilization.value,
            threshold=np.full(count, self._settings.scale_down_utilization_threshold),
        )
        return ScaleDownView(candidate_verdicts(facts), utilization)

    def _utilization(self, snapshot: Snapshot) -> Utilization:
        count = snapshot.real_count
        allocatable = snapshot.allocatable[:count]
        requested = allocatable - snapshot.free[:count]
        excluded = np.zeros_like(requested)
        if self._settings.ignore_daemonsets_utilization:
            self._add_daemon_requests(snapshot, excluded)
            requested = requested - excluded
        cpu = (requested[:, CPU], allocatable[:, CPU], excluded[:, CPU])
        memory = (requested[:, MEMORY], allocatable[:, MEMORY], excluded[:, MEMORY])
        return node_utilization(cpu, memory)

    def _add_daemon_requests(self, snapshot: Snapshot, excluded: NDArray[np.int64]) -> None:
        cluster = self._cluster
        for spec in cluster.pod_specs:
            if not spec.is_daemon:
                continue
            for pod in cluster.workload_pods[spec.workload]:
                position = snapshot.position(int(cluster.pods.node[pod]))
                if position is not None and cluster.pods.spec[pod] == spec.index:
                    excluded[position] += spec.request

    def _order(self, candidates: NDArray[np.int64], snapshot: Snapshot, now_us: int) -> list[int]:
        if not len(candidates):
            return []
        rows = snapshot.rows[candidates].tolist()
        moves = np.array(
            [
                self._has_pods_to_move(snapshot, at, row, now_us)
                for at, row in zip(candidates.tolist(), rows, strict=True)
            ]
        )
        was = np.array([self.unneeded.since_us(row) is not None for row in rows])
        order: list[int] = candidate_order(candidates, moves, was).tolist()
        return order

    def _has_pods_to_move(self, snapshot: Snapshot, position: int, node: int, now_us: int) -> bool:
        placed = snapshot.placed.get(position, ())
        if not placed and snapshot.free[position, PODS] == snapshot.allocatable[position, PODS]:
            return False
        _, drain = self._node_pods.drain(node, placed, now_us)
        return drain.blocking is not None or bool(drain.moving)

    def _describe(self, snapshot: Snapshot, order: list[int], limit: int) -> _Inputs:
        groups = self._cluster.groups
        return _Inputs(
            changes=self._cluster.node_changes.cursor,
            positions=tuple(order),
            limit=limit,
            placed=tuple((position, tuple(pods)) for position, pods in snapshot.placed.items()),
            nodes=len(snapshot),
            shrinkable=(groups.target > groups.min_size).tobytes(),
        )

    def _simulate(
        self,
        snapshot: Snapshot,
        destinations: NDArray[np.bool_],
        order: list[int],
        limit: int,
        cursor: SearchCursor,
        now_us: int,
        view: ScaleDownView,
    ) -> None:
        def drain_of(node: int, extra: Sequence[int]) -> tuple[tuple[int, ...], NodeDrain]:
            return self._node_pods.drain(node, extra, now_us)

        found = simulate_removals(order, destinations, limit, snapshot, drain_of, cursor, self._hints)
        self._hints.drop_old()
        for node, (verdict, blocking) in found.unremovable.items():
            self._unremovable.add(node, now_us)
            position = snapshot.position(node)
            assert position is not None
            view.verdicts[position] = verdict
            if blocking is not None:
                view.blocked[node] = blocking
        self._removable = {each.node: each for each in found.removable}
