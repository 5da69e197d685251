"""Turns cluster events into wake-ups of waiting pods."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from planner.matching.taints import CORDON_TAINT
from planner.plan.model.scheduler import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.scheduler.queue.wake_facts import NodeChange, NodeFacts, PodChange
from planner.scheduler.queue.wake_hints import node_change_helps, pod_change_helps
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

Kind = ClusterEventKind
_WOKEN_BY_NEW_PODS = (PluginName.POD_TOPOLOGY_SPREAD, PluginName.INTER_POD_AFFINITY)


class WakeListener:
    """Keeps the queue in step with the cluster: new pods enter, gone ones leave, helpful changes wake."""

    def __init__(self, cluster: Cluster, queue: SchedulingQueue, profiles: Sequence[SchedulerProfile]) -> None:
        self._cluster = cluster
        self._queue = queue
        self._profiles = profiles
        self._known: dict[int, NodeFacts] = {}
        handlers: dict[Kind, Callable[[ClusterEvent], None]] = {
            Kind.POD_ADDED: self._pod_added,
            Kind.POD_UNGATED: self._pod_added,
            Kind.POD_BOUND: self._pod_bound,
            Kind.POD_DELETING: self._pod_deleting,
            Kind.POD_GONE: self._pod_gone,
            Kind.POD_RESIZED: self._pod_resized,
            Kind.NODE_ADDED: self._node_changed,
            Kind.NODE_CHANGED: self._node_changed,
            Kind.NODE_GONE: self._node_gone,
        }
        for node in range(cluster.nodes.count):
            if cluster.nodes.exists[node]:
                self._known[node] = _with_cordon_taint(node_facts(cluster, node))
        of_many = {Kind.POD_ADDED: self._pods_added, Kind.POD_BOUND: self._pods_bound}
        for kind, handler in handlers.items():
            cluster.subscribe(handler, (kind,), of_many.get(kind))

    def _pod_added(self, event: ClusterEvent) -> None:
        pods, now_us = self._cluster.pods, self._cluster.clock.now_us
        if _is_queued(self._cluster.pod_specs[pods.spec.item(event.pod)]) and not pods.gated.item(event.pod):
            self._queue.add(event.pod, pods.priority.item(event.pod), now_us)

    def _pods_added(self, changes: PodChanges) -> None:
        pods, rows, now_us = self._cluster.pods, np.array(changes.pods, np.int64), self._cluster.clock.now_us
        templates = pods.spec[rows]
        waits = np.zeros(len(self._cluster.pod_specs), np.bool_)
        for row in np.flatnonzero(np.bincount(templates)).tolist():  # `unique` loads masked arrays at its first call
            waits[row] = _is_queued(self._cluster.pod_specs[row])
        rows = rows[waits[templates] & ~pods.gated[rows]]
        self._queue.add_all(zip(rows.tolist(), pods.priority[rows].tolist(), strict=True), now_us)

    def may_wake_for_new_pods(self) -> bool:
        """Whether a pod waits that may be helped by another one that gets a node."""
        return bool(self._queue.unschedulable) and any(map(self._queue.has_waiting_on, _WOKEN_BY_NEW_PODS))

    def _pod_bound(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)
        if self._queue.unschedulable:
            self._wake_for_pod(event, deleted=False, assigned=True)

    def _pods_bound(self, changes: PodChanges) -> None:
        if self.may_wake_for_new_pods():
            for event in changes.one_by_one():
                self._pod_bound(event)
        else:
            for pod in changes.pods:
                self._queue.remove(pod)

    def _pod_deleting(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)

    def _pod_gone(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)
        if self._queue.unschedulable:
            self._wake_for_pod(event, deleted=True, assigned=event.node != NONE)

    def _pod_resized(self, event: ClusterEvent) -> None:
        if self._queue.unschedulable:
            specs = self._cluster.pod_specs
            change = PodChange(specs[event.before], specs[self._cluster.pods.spec[event.pod]])
            self._queue.wake(self._cluster.clock.now_us, lambda waiting: pod_change_helps(waiting, change))

    def _wake_for_pod(self, event: ClusterEvent, deleted: bool, assigned: bool) -> None:
        if not deleted and not self.may_wake_for_new_pods():
            return
        if deleted and not assigned:
            self.wake_for_nomination(event.pod)
            return
        spec = self._cluster.pod_specs[self._cluster.pods.spec[event.pod]]
        change = PodChange(spec if deleted else None, None if deleted else spec, assigned)
        self._queue.wake(self._cluster.clock.now_us, lambda waiting: pod_change_helps(waiting, change))

    def wake_for_nomination(self, pod: int) -> None:
        """The nomination of a pod that has one ends: pods of no higher priority, itself too, may use the room.

        Source: kube-scheduler 1.36, eventhandlers.go (updatePodInSchedulingQueue, deletePodFromSchedulingQueue).
        """
        cluster = self._cluster
        if not self._queue.unschedulable or cluster.pods.nominated.item(pod) == NONE:
            return
        priority = cluster.pods.priority.item(pod)
        change = PodChange(cluster.pod_specs[cluster.pods.spec.item(pod)], None, assigned=False, nominated=True)
        self._queue.wake(
            cluster.clock.now_us,
            lambda waiting: waiting.spec.priority <= priority and pod_change_helps(waiting, change),
        )

    def _node_changed(self, event: ClusterEvent) -> None:
        if not self._cluster.nodes.exists[event.node]:
            return
        facts = _with_cordon_taint(node_facts(self._cluster, event.node))
        self._wake_for_node(NodeChange(self._known.get(event.node), facts))
        self._known[event.node] = facts

    def _node_gone(self, event: ClusterEvent) -> None:
        self._wake_for_node(NodeChange(self._known.pop(event.node, None), None))

    def _wake_for_node(self, change: NodeChange) -> None:
        axis, profiles = self._cluster.axis, self._profiles
        self._queue.wake(
            self._cluster.clock.now_us,
            lambda waiting: node_change_helps(waiting, change, axis, profiles[waiting.spec.placement.scheduler]),
        )


def _is_queued(spec: PodSpec) -> bool:
    """Gated pods, pods of a scheduler that does not run, and pods bound by hand are not."""
    return spec.placement.scheduler != NONE and not spec.placement.node_name


def _with_cordon_taint(node: NodeFacts) -> NodeFacts:
    """The node with the taint that the node lifecycle controller gives it while it is cordoned."""
    return replace(node, taints=(*node.taints, CORDON_TAINT)) if node.cordoned else node


def node_facts(cluster: Cluster, node: int) -> NodeFacts:
    """The node as it is now."""
    nodes = cluster.nodes
    return NodeFacts(
        name=cluster.node_name(node),
        labels=cluster.node_labels(node),
        taints=cluster.node_taints(node),
        cordoned=bool(nodes.unschedulable[node]),
        allocatable=nodes.allocatable[node].copy(),
    )
