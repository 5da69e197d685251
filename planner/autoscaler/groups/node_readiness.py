"""Which nodes count as ready for the Cluster Autoscaler."""

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.gpus import by_gpu, gpu_columns
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster

STARTUP_PREFIXES = (
    "startup-taint.cluster-autoscaler.kubernetes.io/",
    "ignore-taint.cluster-autoscaler.kubernetes.io/",
)
NOT_READY_TAINTS = (
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/network-unavailable",
)
"""A node that carries one of these is not ready for the Cluster Autoscaler, whatever its condition Ready says."""
STATUS_PREFIX = "status-taint.cluster-autoscaler.kubernetes.io/"


def is_startup_taint(key: str, settings: ClusterAutoscalerSettings) -> bool:
    """Whether a node carries this taint only until it has started."""
    return key in settings.startup_taints or key.startswith(STARTUP_PREFIXES)


def is_status_taint(key: str, settings: ClusterAutoscalerSettings) -> bool:
    """Whether a taint describes the state of one node and is not expected on a new one."""
    return key in settings.status_taints or key.startswith(STATUS_PREFIX)


class NodeReadiness:
    """The condition Ready, but not with a taint for a full disk or a missing network; of nodes that are not cordoned,
    neither with a startup taint nor while a promised GPU is not there yet.

    Source: Cluster Autoscaler 1.36.1, core/static_autoscaler.go, utils/kubernetes/ready.go.
    """

    def __init__(self, cluster: Cluster, settings: ClusterAutoscalerSettings) -> None:
        self._cluster = cluster
        self._settings = settings
        self._starting: list[bool] = []
        self._failing: list[bool] = []
        self._has_gpu_label: list[bool] = []

    def mask(self) -> NDArray[np.bool_]:
        """Ready nodes, by node row."""
        nodes, ready = self._cluster.nodes, self._cluster.nodes.ready
        self._know_taints()
        if any(self._failing):
            ready = ready & ~np.array(self._failing, dtype=np.bool_)[nodes.taint_set]
        if any(self._starting):
            ready = ready & (nodes.unschedulable | ~np.array(self._starting, dtype=np.bool_)[nodes.taint_set])
        if any(self._gpu_sets()):
            ready = ready & (nodes.unschedulable | ~self.gpu_nodes() | (self._gpus() > 0))
        return ready

    def listed(self) -> NDArray[np.bool_]:
        """What the loop lists as ready nodes: cordoned ones are not among them (utils/kubernetes/ready.go)."""
        return self.mask() & ~self._cluster.nodes.unschedulable

    def gpu_nodes(self) -> NDArray[np.bool_]:
        """Nodes with a GPU, as `has_gpu` says it."""
        labelled = np.array(self._gpu_sets(), dtype=np.bool_)
        if not labelled.any() and not gpu_columns(self._cluster.axis):
            return np.zeros(self._cluster.nodes.count, dtype=np.bool_)
        found: NDArray[np.bool_] = labelled[self._cluster.nodes.label_set] | (self._gpus() > 0)
        return found

    def _gpus(self) -> NDArray[np.int64]:
        return by_gpu(self._cluster.nodes.allocatable, gpu_columns(self._cluster.axis))[0]

    def _know_taints(self) -> None:
        for taints in self._cluster.taint_sets.values[len(self._starting) :]:
            self._failing.append(any(taint.key in NOT_READY_TAINTS for taint in taints))
            self._starting.append(any(is_startup_taint(taint.key, self._settings) for taint in taints))

    def _gpu_sets(self) -> list[bool]:
        label = self._settings.gpu_label
        for labels in self._cluster.label_sets.values[len(self._has_gpu_label) :]:
            self._has_gpu_label.append(bool(label) and label in dict(labels))
        return self._has_gpu_label
