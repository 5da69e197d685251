"""Pods that wait: why they cannot be placed, and where preemption makes room for them."""

from collections.abc import Hashable

from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster_tables import ClusterTables
from planner.state.nodes import NONE


class PendingPodVerbs(ClusterTables):
    """Verbs of pods that have no node yet."""

    def mark_unschedulable(self, pod: int, message: Hashable = None) -> None:
        """Set the condition PodScheduled=False, reason Unschedulable; its time stays when only the message changes."""
        w, number = self.pods.w, self.unschedulable_messages(message)
        is_new = w.unschedulable_us.item(pod) == NONE
        if is_new:
            w.unschedulable_us[pod] = self.clock.now_us
        if is_new or w.message.item(pod) != number:
            w.message[pod] = number
            self._publish(ClusterEvent(ClusterEventKind.POD_UNSCHEDULABLE, pod=pod, workload=int(w.workload[pod])))
        if w.first_unschedulable_us.item(pod) == NONE:
            w.first_unschedulable_us[pod] = self.clock.now_us

    def nominate(self, pod: int, node: int) -> None:
        """Let a pending pod expect to land on a node after preemption."""
        self.clear_nomination(pod)
        self.pods.w.nominated[pod] = node
        self.nominated_pods.setdefault(node, {})[pod] = None
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.POD_NOMINATED, pod=pod, node=node))

    def clear_nomination(self, pod: int) -> None:
        """End a nomination; nothing happens if there is none."""
        node = int(self.pods.nominated[pod])
        if node != NONE:
            self.pods.w.nominated[pod] = NONE
            del self.nominated_pods[node][pod]
            if not self.nominated_pods[node]:
                del self.nominated_pods[node]
            self.node_changes.add(node)
