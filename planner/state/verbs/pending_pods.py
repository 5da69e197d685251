"""Pods that wait: why they cannot be placed, and where preemption makes room for them."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster_tables import ClusterTables
from planner.state.nodes import NONE

_POD_UNSCHEDULABLE = ClusterEventKind.POD_UNSCHEDULABLE  # looking up a member of an enum costs a call in Python 3.11


class PendingPodVerbs(ClusterTables):
    """Verbs of pods that have no node yet."""

    def mark_unschedulable(self, pods: Sequence[int], messages: Sequence[Hashable]) -> None:
        """Set the condition PodScheduled=False, reason Unschedulable, of different pods, one after the other.

        Its time stays when only the message changes.
        """
        if len(pods) == 1:
            self._mark_one(pods[0], self.unschedulable_messages(messages[0]))
            return
        w, rows, numbers = self.pods.w, np.array(pods, np.int64), self._numbers_of(messages)
        is_new = w.unschedulable_us[rows] == NONE
        w.unschedulable_us[rows[is_new]] = self.clock.now_us
        w.first_unschedulable_us[rows[w.first_unschedulable_us[rows] == NONE]] = self.clock.now_us
        other = is_new | (w.message[rows] != numbers)
        w.message[rows] = numbers
        news = rows[other]
        if len(news):
            workloads = w.workload[news].tolist()
            self._publish_many(PodChanges(_POD_UNSCHEDULABLE, news.tolist(), [NONE] * len(news), workloads))

    def _mark_one(self, pod: int, number: int) -> None:
        """The same for one pod, faster without arrays."""
        w, now_us = self.pods.w, self.clock.now_us
        is_new = w.unschedulable_us.item(pod) == NONE
        if is_new:
            w.unschedulable_us[pod] = now_us
        if w.first_unschedulable_us.item(pod) == NONE:
            w.first_unschedulable_us[pod] = now_us
        if is_new or w.message.item(pod) != number:
            w.message[pod] = number
            self._publish(ClusterEvent(_POD_UNSCHEDULABLE, pod, workload=w.workload.item(pod)))

    def _numbers_of(self, messages: Sequence[Hashable]) -> NDArray[np.int32]:
        """Equal ones have the same; many are the same object, which is looked up once."""
        objects = list(map(id, messages))
        numbers = {
            key: self.unschedulable_messages(one) for key, one in dict(zip(objects, messages, strict=True)).items()
        }
        return np.array([numbers[key] for key in objects], np.int32)

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
