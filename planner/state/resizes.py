"""Resizes of pods in place: what a pod counts for on its node meanwhile, and the verbs that change it."""

from collections.abc import Sequence

import numpy as np

from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster_tables import ClusterTables
from planner.state.pods import NONE, PodTable, ResizeStage
from planner.state.resources import Amounts
from planner.state.specs import PodSpec


def counted_request(pods: PodTable, specs: Sequence[PodSpec], pod: int) -> Amounts:
    """What schedulers count for a pod: the larger of what is allocated and what is desired, unless that is infeasible.

    Kubernetes 1.36, component-helpers/resource/helpers.go, determineContainerReqs.
    """
    allocated, desired = specs[pods.spec.item(pod)].request, pods.desired.item(pod)
    if desired == NONE or pods.resize.item(pod) == ResizeStage.INFEASIBLE:
        return allocated
    return np.maximum(allocated, specs[desired].request)


class PodResizes:
    """The verbs of resizes; they keep the sums of the nodes."""

    def __init__(self, cluster: ClusterTables) -> None:
        self._cluster = cluster

    def want(self, pod: int, template: int) -> None:
        """Another template is desired for a pod with a node."""
        w, before = self._cluster.pods.w, self._counted(pod)
        w.desired[pod], w.resize[pod] = template, ResizeStage.IN_PROGRESS
        self._recount(pod, before)

    def set_stage(self, pod: int, stage: ResizeStage) -> None:
        """How far the resize of a pod is."""
        before = self._counted(pod)
        self._cluster.pods.w.resize[pod] = stage
        self._recount(pod, before)

    def drop(self, pod: int) -> None:
        """Nothing else is desired any more."""
        before = self._counted(pod)
        self._cluster.pods.w.desired[pod], self._cluster.pods.w.resize[pod] = NONE, ResizeStage.NONE
        self._recount(pod, before)

    def apply(self, pod: int) -> None:
        """What is desired is in force."""
        cluster, w, before = self._cluster, self._cluster.pods.w, self._counted(pod)
        template, node, workload = w.spec.item(pod), w.node.item(pod), w.workload.item(pod)
        old, new = cluster.pod_specs[template], cluster.pod_specs[w.desired.item(pod)]
        w.spec[pod], w.desired[pod], w.resize[pod] = w.desired[pod], NONE, ResizeStage.NONE
        cluster.nodes.w.nonzero[node] += np.asarray(new.nonzero) - np.asarray(old.nonzero)
        self._recount(pod, before)
        cluster._publish(ClusterEvent(ClusterEventKind.POD_RESIZED, pod, node, workload, before=template))

    def _counted(self, pod: int) -> Amounts:
        return counted_request(self._cluster.pods, self._cluster.pod_specs, pod).copy()

    def _recount(self, pod: int, before: Amounts) -> None:
        cluster, node = self._cluster, int(self._cluster.pods.node[pod])
        cluster.nodes.w.requested[node] += self._counted(pod) - before
        cluster.node_changes.add(node)
        cluster.workloads.w.version[cluster.pods.workload.item(pod)] += 1
