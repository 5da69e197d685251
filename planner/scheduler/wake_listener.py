"""Turns cluster events into wake-ups of waiting pods."""

from collections.abc import Callable

from planner.scheduler.plugin_names import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue import Place, SchedulingQueue
from planner.scheduler.wake_hints import NodeChange, NodeFacts, PodChange, node_change_helps, pod_change_helps
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

Kind = ClusterEventKind


class WakeListener:
    """Keeps the queue in step with the cluster: new pods enter, gone ones leave, helpful changes wake."""

    def __init__(self, cluster: Cluster, queue: SchedulingQueue, profile: SchedulerProfile) -> None:
        self._cluster = cluster
        self._queue = queue
        self._profile = profile
        self._known: dict[int, NodeFacts] = {}
        self._handlers: dict[Kind, Callable[[ClusterEvent], None]] = {
            Kind.POD_ADDED: self._pod_added,
            Kind.POD_BOUND: self._pod_bound,
            Kind.POD_DELETING: self._pod_deleting,
            Kind.POD_GONE: self._pod_gone,
            Kind.NODE_ADDED: self._node_changed,
            Kind.NODE_CHANGED: self._node_changed,
            Kind.NODE_GONE: self._node_gone,
        }
        for node in range(cluster.nodes.count):
            if cluster.nodes.exists[node]:
                self._known[node] = node_facts(cluster, node)
        cluster.subscribe(self.on_event)

    def on_event(self, event: ClusterEvent) -> None:
        """React to one change."""
        handler = self._handlers.get(event.kind)
        if handler is not None:
            handler(event)

    def _pod_added(self, event: ClusterEvent) -> None:
        self._queue.add(event.pod, int(self._cluster.pods.priority[event.pod]), self._cluster.clock.now_us)

    def _pod_bound(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)
        self._wake_for_pod(event, deleted=False, assigned=True)

    def _pod_deleting(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)

    def _pod_gone(self, event: ClusterEvent) -> None:
        self._queue.remove(event.pod)
        self._wake_for_pod(event, deleted=True, assigned=event.node != NONE)

    def _wake_for_pod(self, event: ClusterEvent, deleted: bool, assigned: bool) -> None:
        if not self._queue.count(Place.UNSCHEDULABLE):
            return
        if not deleted and not self._queue.has_waiting_on(PluginName.POD_TOPOLOGY_SPREAD):
            return
        change = PodChange(self._cluster.pod_specs[self._cluster.pods.spec[event.pod]], deleted, assigned)
        # A pod without node frees room only if it was nominated somewhere.
        if assigned or self._cluster.pods.nominated[event.pod] != NONE:
            self._queue.wake(self._cluster.clock.now_us, lambda waiting: pod_change_helps(waiting, change))

    def _node_changed(self, event: ClusterEvent) -> None:
        if not self._cluster.nodes.exists[event.node]:
            return
        facts = node_facts(self._cluster, event.node)
        self._wake_for_node(NodeChange(self._known.get(event.node), facts))
        self._known[event.node] = facts

    def _node_gone(self, event: ClusterEvent) -> None:
        self._wake_for_node(NodeChange(self._known.pop(event.node, None), None))

    def _wake_for_node(self, change: NodeChange) -> None:
        axis, profile = self._cluster.axis, self._profile
        self._queue.wake(
            self._cluster.clock.now_us, lambda waiting: node_change_helps(waiting, change, axis, profile)
        )


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
