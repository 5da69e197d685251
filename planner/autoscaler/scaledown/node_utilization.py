"""Utilization of the nodes of a snapshot: which pods and which resources count."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.groups.gpus import by_gpu, gpu_columns
from planner.autoscaler.groups.group_options import GroupOptions
from planner.autoscaler.groups.node_readiness import NodeReadiness
from planner.autoscaler.scaledown.drain.terminating_pods import TerminatingPods
from planner.autoscaler.scaledown.utilization import (
    LONG_TERMINATING_US,
    Utilization,
    is_long_terminating,
    node_utilization,
)
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.resources import CPU, MEMORY
from planner.state.specs import PodSpec


class UtilizationReader:
    """Requests by node, less those of pods that do not count (Cluster Autoscaler 1.36.1, simulator/utilization)."""

    def __init__(
        self,
        cluster: Cluster,
        settings: ClusterAutoscalerSettings,
        options: Sequence[GroupOptions],
        readiness: NodeReadiness,
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._readiness = readiness
        self._terminating = TerminatingPods(cluster)
        self._thresholds = np.array([each.utilization_threshold for each in options])
        self._gpu_thresholds = np.array([each.gpu_utilization_threshold for each in options])
        self._ignores_daemons = np.array([each.ignore_daemonsets for each in options], dtype=np.bool_)

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._terminating.close()

    def read(self, snapshot: Snapshot, now_us: int) -> Utilization:
        """Utilization of the real nodes, by position."""
        count = snapshot.real_count
        allocatable = snapshot.allocatable[:count]
        requested = allocatable - snapshot.free[:count]
        self._leave_out_long_terminating(snapshot, requested, now_us)
        excluded = np.zeros_like(requested)
        if self._ignores_daemons.any() or self._settings.ignore_mirror_pods_utilization:
            self._add_ignored(snapshot, excluded, now_us)
            requested = requested - excluded
        return self._shares(snapshot.rows, allocatable, requested, excluded)

    def thresholds(self, groups: NDArray[np.int32], is_gpu: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Up to which utilization nodes of these groups are looked at, by their GPUs where they have some."""
        thresholds = self._thresholds[groups]
        return np.where(is_gpu, self._gpu_thresholds[groups], thresholds) if is_gpu.any() else thresholds

    @property
    def counts_all(self) -> bool:
        """Pods of every kind count, as far as they are not in deletion for too long."""
        return not self._settings.ignore_mirror_pods_utilization and not self._ignores_daemons.any()

    def of_nodes(self, rows: NDArray[np.int64]) -> Utilization:
        """Utilization of nodes of which all pods count."""
        nodes = self._cluster.nodes
        requested = nodes.requested[rows]
        return self._shares(rows, nodes.allocatable[rows], requested, np.zeros_like(requested))

    def ignores_some(self, now_us: int) -> bool:
        """Whether a pod has been in deletion for too long to count."""
        pods, specs = self._cluster.pods, self._cluster.pod_specs
        late = self._terminating.deleted_before(now_us - LONG_TERMINATING_US)
        return any(self._is_gone_soon(pod, specs[pods.spec[pod]], now_us) for pod in late)

    def _shares(
        self,
        rows: NDArray[np.int64],
        allocatable: NDArray[np.int64],
        requested: NDArray[np.int64],
        excluded: NDArray[np.int64],
    ) -> Utilization:
        is_gpu = self._readiness.gpu_nodes()[rows]
        cpu, memory = ((requested[:, at], allocatable[:, at], excluded[:, at]) for at in (CPU, MEMORY))
        offered, asked, left_out = by_gpu(allocatable, gpu_columns(self._cluster.axis), requested, excluded)
        return node_utilization(cpu, memory, (asked, offered, left_out), is_gpu)

    def _leave_out_long_terminating(self, snapshot: Snapshot, requested: NDArray[np.int64], now_us: int) -> None:
        pods = self._cluster.pods
        for pod in self._terminating.deleted_before(now_us - LONG_TERMINATING_US):
            spec = self._cluster.pod_specs[pods.spec[pod]]
            position = snapshot.position(int(pods.node[pod]))
            if position is not None and self._is_gone_soon(pod, spec, now_us) and self._counts(spec):
                requested[position] -= snapshot.need(spec)

    def _is_gone_soon(self, pod: int, spec: PodSpec, now_us: int) -> bool:
        deletion_us = int(self._cluster.pods.deletion_us[pod])
        stamp_us = None if deletion_us == NONE else deletion_us + spec.running.grace_us
        return is_long_terminating(stamp_us, spec.running.grace_us, now_us)

    def _counts(self, spec: PodSpec) -> bool:
        return spec.priority >= self._settings.expendable_pods_priority_cutoff

    def _add_ignored(self, snapshot: Snapshot, excluded: NDArray[np.int64], now_us: int) -> None:
        """Requests of DaemonSet and mirror pods that are to be ignored."""
        groups = self._cluster.nodes.group
        for spec, pod in self._special_pods():
            position = snapshot.position(int(self._cluster.pods.node[pod]))
            if position is None or self._is_gone_soon(pod, spec, now_us):
                continue
            daemon = spec.is_daemon and self._ignores_daemons[groups[self._cluster.pods.node[pod]]]
            if daemon or (spec.scaling.is_mirror and self._settings.ignore_mirror_pods_utilization):
                excluded[position] += spec.request

    def _special_pods(self) -> Iterator[tuple[PodSpec, int]]:
        pods = self._cluster.pods
        for spec in self._cluster.pod_specs:
            if (spec.is_daemon or spec.scaling.is_mirror) and self._counts(spec):
                for pod in self._cluster.workload_pods[spec.workload]:
                    if pods.spec[pod] == spec.index and pods.node[pod] != NONE:
                        yield spec, pod
