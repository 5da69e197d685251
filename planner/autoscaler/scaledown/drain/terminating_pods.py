"""Pods in deletion, tracked through cluster events so that no loop has to search all pods."""

from itertools import takewhile

import numpy as np

from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.pods import NONE, PodPhase

_DELETING = ClusterEventKind.POD_DELETING


class TerminatingPods:
    """The pods whose deletion has begun and that are not gone yet."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        pods = cluster.pods
        begun = np.flatnonzero((pods.deletion_us != NONE) & (pods.phase != PodPhase.GONE))
        in_turn = begun[np.argsort(pods.deletion_us[begun], kind="stable")]
        self._pods: dict[int, None] = dict.fromkeys(in_turn.tolist())
        """In the order in which their deletion began."""
        cluster.subscribe(self._on_event, (_DELETING, ClusterEventKind.POD_GONE), self._on_many)

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._cluster.unsubscribe(self._on_event)

    def deleted_before(self, moment_us: int) -> list[int]:
        """Those whose deletion began before a moment."""
        begun_us = self._cluster.pods.deletion_us.item
        return list(takewhile(lambda pod: begun_us(pod) < moment_us, self._pods))

    def _on_event(self, event: ClusterEvent) -> None:
        if event.kind is _DELETING:
            self._pods[event.pod] = None
        else:
            self._pods.pop(event.pod, None)

    def _on_many(self, changes: PodChanges) -> None:
        for event in changes.one_by_one():
            self._on_event(event)
