"""Failed requests and instances: gives them up, deletes them and corrects the target sizes."""

from collections.abc import Iterable, Sequence

from planner.autoscaler.cloud import CloudProvider, CloudRefusal
from planner.autoscaler.groups.cluster_state import ClusterState, RequestFailures
from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.loop.records import LoopRecords
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.details.node_groups import ScaleUpEvent
from planner.state.cluster import Cluster
from planner.state.nodes import NONE


class InstanceCare:
    """Steps 5 to 8 of a loop (Cluster Autoscaler 1.36.1, core/static_autoscaler.go)."""

    def __init__(
        self,
        cluster: Cluster,
        cloud: CloudProvider,
        settings: ClusterAutoscalerSettings,
        options: Sequence[GroupOptions],
        state: ClusterState,
        records: LoopRecords,
    ) -> None:
        self._cluster = cluster
        self._cloud = cloud
        self._settings = settings
        self._options = options
        self._state = state
        self._records = records

    def report(self, failures: RequestFailures, now_us: int) -> None:
        """Record failed requests, and lower the target sizes by what timed out."""
        for group, increase in failures.timed_out:
            self._records.group_event(ScaleUpEvent.TIMED_OUT, group, increase, now_us)
            try:
                self._cloud.decrease_target(group, increase)
            except CloudRefusal:
                self._records.group_event(ScaleUpEvent.FAILED_TO_REVERT, group, increase, now_us)
        for group, count in failures.failed:
            self._records.group_event(ScaleUpEvent.FAILED, group, count, now_us)

    def delete_unregistered(self, now_us: int) -> None:
        """Give up instances that did not register in time, down to the group's minimum."""
        groups = self._cluster.groups
        for group, seen in enumerate(self._state.groups):
            late = list(seen.long_unregistered)
            if not self._settings.force_delete_unregistered_nodes:
                late = late[: max(int(groups.target[group]) - int(groups.min_size[group]), 0)]
            if not late:
                continue
            in_backoff = self._state.backoff.is_backed_off(group, now_us)
            for node in self._delete(group, late):
                self._records.unregistered_removed(node, in_backoff, now_us)

    def delete_failed(self, now_us: int) -> None:
        """Delete instances that the cloud could not create."""
        failed = self._state.failed_instances
        for group, nodes in failed.items():
            self._delete(group, nodes)
        if failed:
            self._state.refresh(now_us)

    def close_gaps(self, now_us: int) -> bool:
        """Lower targets whose nodes did not appear in time; returns whether one was lowered (the loop ends then)."""
        fixed = False
        for group in range(self._cluster.groups.count):
            missing = self._state.unexplained_gap(group, now_us)
            if missing:
                try:
                    self._cloud.decrease_target(group, missing)
                except CloudRefusal:
                    return True
                fixed = True
        return fixed

    def _delete(self, group: int, nodes: Iterable[int]) -> list[int]:
        """Those that the cloud deleted; a group that goes as a whole loses all its nodes."""
        wanted = list(nodes)
        if self._options[group].zero_or_max:
            wanted = list(self._cluster.group_nodes[group])
        deleted = []
        for node in wanted:
            if self._cluster.nodes.delete_requested_us[node] == NONE:
                try:
                    self._cloud.delete_node(node)
                except CloudRefusal:
                    break
                deleted.append(node)
        self._state.instances.invalidate(group)
        return deleted
