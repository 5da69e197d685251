"""What the autoscaler says of itself after a loop (Cluster Autoscaler 1.36.1, clusterstate/clusterstate.go)."""

from planner.autoscaler.groups.cluster_state import ClusterState
from planner.autoscaler.loop.scale_down_step import ScaleDownOutcome
from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaledown.unneeded import UnneededNodes
from planner.record.autoscaler_status import (
    AutoscalerStatus,
    BlockedNode,
    GroupStatus,
    ScaleDownCandidate,
    ScaleUpActivity,
)
from planner.record.recorder import Recorder
from planner.state.cluster import Cluster


class StatusBoard:
    """Gathers the status and gives it to the recorder, which keeps what changed."""

    def __init__(self, cluster: Cluster, state: ClusterState, unneeded: UnneededNodes, recorder: Recorder) -> None:
        self._cluster = cluster
        self._state = state
        self._unneeded = unneeded
        self._recorder = recorder
        self._blocked: dict[int, BlockedNode] = {}
        self._blocked_by_group: dict[int, tuple[BlockedNode, ...]] = {}

    def note(self, found: ScaleDownOutcome | None, now_us: int) -> None:
        """A loop is over; `found`: what its scale-down saw."""
        if not self._state.groups:
            return
        candidates = self._candidates(found)
        if found is not None:
            self._note_blocked(found)
        known = (group for group in range(self._cluster.groups.count) if not self._cluster.groups.foreign[group])
        groups = tuple(self._of_group(group, candidates.get(group, ()), now_us) for group in known)
        self._recorder.note_status(AutoscalerStatus(now_us, self._state.is_healthy(), groups))

    def _of_group(self, group: int, candidates: tuple[ScaleDownCandidate, ...], now_us: int) -> GroupStatus:
        seen, table, backoff = self._state.groups[group], self._cluster.groups, self._state.backoff
        is_backed_off = backoff.is_backed_off(group, now_us)
        scale_up = ScaleUpActivity.NO_ACTIVITY
        if self._state.is_scaling_up(group):
            scale_up = ScaleUpActivity.IN_PROGRESS
        elif is_backed_off:
            scale_up = ScaleUpActivity.BACKOFF
        return GroupStatus(
            self._cluster.group_names[group],
            self._state.is_group_healthy(group),
            seen.ready,
            seen.unready,
            len(seen.not_started),
            seen.registered,
            len(seen.long_unregistered),
            seen.unregistered - len(seen.long_unregistered),
            int(table.target[group]),
            int(table.min_size[group]),
            int(table.max_size[group]),
            scale_up,
            backoff.until_us(group) if is_backed_off else None,
            backoff.cause(group) if is_backed_off else "",
            candidates,
            self._blocked_by_group.get(group, ()),
        )

    def _note_blocked(self, found: ScaleDownOutcome) -> None:
        """Nodes that a pod keeps; they stay in the list until they are looked at again."""
        view = found.view
        if not self._blocked and not view.blocked:
            return
        waiting = frozenset(found.rows[view.verdicts == NodeVerdict.RECENTLY_UNREMOVABLE].tolist())
        blocked = {node: each for node, each in self._blocked.items() if node in waiting}
        for node, (pod, reason) in view.blocked.items():
            blocked[node] = BlockedNode(self._cluster.node_name(node), self._cluster.pod_name(pod), reason.text)
        if blocked == self._blocked:
            return
        self._blocked, by_group = blocked, dict[int, list[BlockedNode]]()
        for node in sorted(blocked):
            by_group.setdefault(int(self._cluster.nodes.group[node]), []).append(blocked[node])
        self._blocked_by_group = {group: tuple(nodes) for group, nodes in by_group.items()}

    def _candidates(self, found: ScaleDownOutcome | None) -> dict[int, tuple[ScaleDownCandidate, ...]]:
        waits = {} if found is None else found.view.wait_us
        by_group: dict[int, tuple[ScaleDownCandidate, ...]] = {}
        for node in () if found is None else found.unneeded:
            group = int(self._cluster.nodes.group[node])
            candidate = ScaleDownCandidate(
                self._cluster.node_name(node), self._unneeded.since_us(node) or 0, waits.get(node, 0)
            )
            by_group[group] = (*by_group.get(group, ()), candidate)
        return by_group
