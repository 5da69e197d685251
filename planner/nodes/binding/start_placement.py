"""Pods that are already on a node when the run begins, such as those of an imported cluster."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.nodes.binding.kubelet_fit import no_room
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.resources import PODS
from planner.state.specs import PodSpec

# Looking up a member of an enum costs a call in Python 3.11.
_PENDING, _NODE_ADDED = PodPhase.PENDING, ClusterEventKind.NODE_ADDED


class _Places:
    """The nodes of one workload's pods, by name; each is looked at once."""

    def __init__(self, nodes: Mapping[str, int]) -> None:
        self._names = [name for name, pods in nodes.items() for _ in range(pods)]
        self._names.reverse()

    def left(self) -> list[str]:
        """Those that were not looked at, the next one last; take it off."""
        return self._names


class _Sure:
    """Pods with nodes that have room for them, bound together."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._pods: list[int] = []
        self._nodes: list[int] = []

    def add(self, pod: int, node: int) -> None:
        """One more."""
        self._pods.append(pod)
        self._nodes.append(node)

    def bind(self) -> None:
        """Bind those that were added since the last time."""
        if self._pods:
            pods, nodes, self._pods, self._nodes = self._pods, self._nodes, [], []
            self._cluster.bind_all(pods, nodes)


class StartPlacement:
    """Binds the first pods of workloads before any scheduler looks at them.

    Only room and host ports count: the other rules held when the scheduler placed the pods, and may not hold now. A pod
    for which no node of the list has room is left to the scheduler, and so is every pod made after the first instant.
    """

    def __init__(self, cluster: Cluster, wanted: Mapping[int, Mapping[str, int]]) -> None:
        """`wanted`: of workload rows, names of nodes with the number of pods there."""
        self._cluster = cluster
        self._places = {row: _Places(nodes) for row, nodes in wanted.items()}
        self.new: list[int] = []
        """Pods to look at in the next pass."""
        self._rows: dict[str, int] = {}
        if wanted:
            cluster.subscribe(self._on_change, (ClusterEventKind.POD_ADDED, _NODE_ADDED), self._on_added)

    def _on_change(self, event: ClusterEvent) -> None:
        if self._cluster.clock.now_us > 0:
            return
        if event.kind is _NODE_ADDED:
            self._rows[self._cluster.node_name(event.node)] = event.node
        elif event.workload in self._places:
            self.new.append(event.pod)

    def _on_added(self, changes: PodChanges) -> None:
        if self._cluster.clock.now_us == 0:
            places = self._places
            self.new += [pod for pod, row in zip(changes.pods, changes.workloads, strict=True) if row in places]

    def reconcile(self) -> bool:
        """Bind new pods, in order of creation; whether anything was bound."""
        if not self.new:
            return False
        pods, self.new = self._waiting(np.array(self.new, np.int64)), []
        spacious = self._spacious(pods)
        workloads = self._cluster.pods.workload[pods].tolist()
        sure, any_bound = _Sure(self._cluster), False
        for pod, row in zip(pods.tolist(), workloads, strict=True):
            any_bound |= self._bind(pod, row, spacious, sure)
        sure.bind()
        return any_bound

    def _waiting(self, pods: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pods that a DaemonSet or a template has given a node, and gated ones, are not for this."""
        table, specs = self._cluster.pods, self._cluster.pod_specs
        is_free = (table.phase[pods] == _PENDING) & (table.node[pods] == NONE) & ~table.gated[pods]
        templates, of = np.unique(table.spec[pods], return_inverse=True)
        fitting = [not specs[one].placement.node_name and not specs[one].is_daemon for one in templates.tolist()]
        waiting: NDArray[np.int64] = pods[is_free & np.array(fitting, np.bool_)[of]]
        return waiting

    def _spacious(self, pods: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Nodes with room for all pods that may still come there, so that no pod has to be looked at: by node row."""
        cluster, nodes, end = self._cluster, self._cluster.nodes, self._cluster.axis.first_volume
        asked, has_ports = np.zeros_like(nodes.requested), np.zeros(nodes.count, np.bool_)
        templates: dict[int, list[PodSpec]] = {}
        for one in np.flatnonzero(np.bincount(cluster.pods.spec[pods])).tolist():
            templates.setdefault(cluster.pod_specs[one].workload, []).append(cluster.pod_specs[one])
        for workload, specs in templates.items():
            rows = [self._rows.get(name, NONE) for name in self._places[workload].left()]
            there, count = np.unique([row for row in rows if row != NONE], return_counts=True)
            there = there.astype(np.int64)
            asked[there] += count[:, None] * np.max([spec.request for spec in specs], axis=0)
            asked[there, PODS] += count
            if any(spec.placement.host_ports for spec in specs):
                has_ports[there] = True
        lacks = (asked > 0) & (nodes.requested + asked > nodes.allocatable)
        return ~(lacks[:, :end].any(axis=1) | has_ports)

    def _bind(self, pod: int, workload: int, spacious: NDArray[np.bool_], sure: "_Sure") -> bool:
        """Whether the pod has a node, or gets one with those that are sure to find room."""
        cluster, names, rows = self._cluster, self._places[workload].left(), self._rows
        while names:
            node = rows.get(names.pop(), NONE)
            if node == NONE:
                continue
            if spacious.item(node):
                sure.add(pod, node)
                return True
            sure.bind()
            if no_room(cluster, cluster.pod_specs[cluster.pods.spec[pod]], node) is None:
                cluster.bind(pod, node)
                return True
        return False
