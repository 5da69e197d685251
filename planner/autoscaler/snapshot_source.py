"""Builds the snapshot of a loop from the cluster."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.cluster_state import ClusterState
from planner.autoscaler.snapshot import Snapshot, StaticRules
from planner.autoscaler.templates import GroupTemplate, group_template
from planner.scheduler.reasons import Reason
from planner.scheduler.static_fit import StaticFit
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import HOSTNAME_LABEL, NodeSpec, PodSpec


class SnapshotSource:
    """Templates of the groups, and the list of nodes by name, redone only when nodes come or go."""

    def __init__(
        self,
        cluster: Cluster,
        static_fit: StaticFit,
        node_specs: Mapping[int, NodeSpec],
        daemons: tuple[PodSpec, ...],
        priority_cutoff: int,
    ) -> None:
        self._cluster = cluster
        self._static: StaticRules = static_fit
        self._refuse = static_fit.template_refusal
        self._cutoff = priority_cutoff
        self._templates = {
            group: group_template(node, daemons, cluster.axis, lambda pod, spec: self._refusal(pod, spec) is None)
            for group, node in node_specs.items()
        }
        self._rows: NDArray[np.int64] | None = None
        self._accepted: dict[tuple[int, int], bool] = {}
        cluster.subscribe(self._on_event)

    def template(self, group: int) -> GroupTemplate:
        """What a new node of the group looks like."""
        return self._templates[group]

    def refusal(self, spec: PodSpec, template: GroupTemplate) -> str | None:
        """The scheduler's reason against a pod on any new node of the group, whatever is free."""
        reason = self._refusal(spec, template.node)
        return None if reason is None else reason.value

    def build(self, state: ClusterState, now_us: int) -> Snapshot:
        """Existing nodes, nominated pods included and expendable ones left out, and nodes on their way."""
        cluster = self._cluster
        groups = sorted(range(cluster.groups.count), key=lambda group: cluster.group_names[group])
        upcoming = [(group, state.upcoming(group, now_us)) for group in groups]
        waiting = [(self._templates[group], count) for group, count in upcoming if count]
        # A placeholder stands for a node that is still starting.
        hidden = [node for group, count in upcoming if count for node in state.groups[group].not_started]
        rows = self._existing()
        if hidden:
            rows = rows[~np.isin(rows, hidden)]
        snapshot = Snapshot(cluster, rows, waiting, self._static, self._accepts_template)
        self._leave_out_expendable(snapshot)
        for node, pods in cluster.nominated_pods.items():
            position = snapshot.position(node)
            for pod in pods:
                if position is not None and cluster.pods.priority[pod] >= self._cutoff:
                    snapshot.put(pod, position)
        return snapshot

    def _leave_out_expendable(self, snapshot: Snapshot) -> None:
        cluster = self._cluster
        for spec in cluster.pod_specs:
            if spec.priority >= self._cutoff:
                continue
            for pod in cluster.workload_pods[spec.workload]:
                node = int(cluster.pods.node[pod])
                if node != NONE and cluster.pods.spec[pod] == spec.index:
                    snapshot.add_room(node, spec)

    def _existing(self) -> NDArray[np.int64]:
        if self._rows is None:
            rows = np.flatnonzero(self._cluster.nodes.exists).tolist()
            self._rows = np.array(sorted(rows, key=self._cluster.node_name), dtype=np.int64)
        return self._rows

    def _accepts_template(self, spec: PodSpec, group: int) -> bool:
        known = self._accepted.get((spec.index, group))
        if known is None:
            known = self._refusal(spec, self._templates[group].node) is None
            self._accepted[spec.index, group] = known
        return known

    def _refusal(self, spec: PodSpec, node: NodeSpec) -> Reason | None:
        labels = dict(node.labels)
        labels.setdefault(HOSTNAME_LABEL, f"template-{node.group}")
        return self._refuse(spec, labels, node.taints)

    def _on_event(self, event: ClusterEvent) -> None:
        if event.kind is ClusterEventKind.NODE_ADDED or event.kind is ClusterEventKind.NODE_GONE:
            self._rows = None
