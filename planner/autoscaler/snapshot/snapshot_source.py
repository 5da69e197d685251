"""Builds the snapshot of a loop from the cluster."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.groups.cluster_state import ClusterState
from planner.autoscaler.groups.template_source import TemplateSource
from planner.autoscaler.groups.templates import GroupTemplate
from planner.autoscaler.snapshot.nodes_by_name import NodesByName
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.nodes import NONE


class SnapshotSource:
    """Gathers what a snapshot is made of."""

    def __init__(
        self,
        cluster: Cluster,
        order: NodesByName,
        static_fit: StaticFit,
        templates: TemplateSource,
        priority_cutoff: int,
    ) -> None:
        self._cluster = cluster
        self._order = order
        self._static = static_fit
        self._templates = templates
        self._cutoff = priority_cutoff

    def build(self, state: ClusterState, now_us: int) -> Snapshot:
        """Existing nodes, nominated pods included and expendable ones left out, and nodes on their way."""
        cluster = self._cluster
        groups = sorted(range(cluster.groups.count), key=lambda group: cluster.group_names[group])
        upcoming = [(group, state.upcoming(group, now_us)) for group in groups]
        templates = [(self._templates.template(group), count) for group, count in upcoming if count]
        waiting = [(template, count) for template, count in templates if template is not None]
        # A placeholder stands for a node that is still starting.
        hidden = [node for group, count in upcoming if count for node in state.groups[group].not_started]
        rows = self._order.rows()
        if hidden:
            rows = rows[~np.isin(rows, hidden)]
        expendable = [spec for spec in cluster.pod_specs if spec.priority < self._cutoff]
        fits, keys = self._templates.fits, self._placeholder_keys(waiting)
        snapshot = Snapshot(cluster, rows, waiting, self._static, fits, expendable, keys)
        self._leave_out(snapshot)
        for node, pods in cluster.nominated_pods.items():
            position = snapshot.position(node)
            for pod in pods:
                if position is not None and cluster.pods.priority[pod] >= self._cutoff:
                    snapshot.put(pod, position)
        return snapshot

    def _placeholder_keys(self, waiting: Sequence[tuple[GroupTemplate, int]]) -> list[int]:
        """Distinguishes the names of the placeholders: they change whenever a template is rebuilt."""
        issue, groups = self._templates.issue, self._cluster.groups.count
        firsts = [(issue(each.group) * groups + each.group) << 20 for each, _ in waiting]
        return [
            -(first + number + 2) for first, (_, count) in zip(firsts, waiting, strict=True) for number in range(count)
        ]

    def _leave_out(self, snapshot: Snapshot) -> None:
        """Expendable pods count as absent."""
        cluster = self._cluster
        for spec in cluster.pod_specs:
            if spec.priority >= self._cutoff:
                continue
            for pod in cluster.workload_pods[spec.workload]:
                node = int(cluster.pods.node[pod])
                if node != NONE and cluster.pods.spec[pod] == spec.index:
                    snapshot.add_room(node, spec)
