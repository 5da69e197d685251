"""The queue of a round: pods of every round together with those that some nodes would leave behind."""

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provisioning.scheduling_round import queue_order

QueueEntry = tuple[tuple[int, int, int, str], int, RoundPod]
"""A pod after its place in the queue; no two have equal rows."""
_pod = itemgetter(2)


def queued(pods: Iterable[RoundPod]) -> list[QueueEntry]:
    """Pods in the order of the queue of a round."""
    return sorted((queue_order(pod), pod.row, pod) for pod in pods)


class RoundQueue:
    """Queues of the rounds over one view. One of fewer nodes than the last one is a part of that one."""

    def __init__(self, pods: Collection[RoundPod], left_by: Callable[[NodeView], list[QueueEntry]]) -> None:
        """`pods`: of every round; `left_by`: what a node would leave behind."""
        self._pods = pods
        self._base: list[QueueEntry] | None = None
        """They in their order; None before it is asked for."""
        self._left_by = left_by
        self._names: frozenset[str] | None = None
        """Nodes that are gone in the last queue that was sorted,"""
        self._entries: list[QueueEntry] = []
        """the queue itself,"""
        self._left: dict[str, list[QueueEntry]] = {}
        """and what each of the nodes leaves behind."""

    def of(self, nodes: Sequence[NodeView]) -> list[RoundPod]:
        """The queue if some nodes are gone."""
        names = frozenset(node.name for node in nodes)
        if self._names is None or not names <= self._names:
            self._sort(nodes, names)
        kept = [name for name in self._left if name not in names]
        if not kept:
            return list(map(_pod, self._entries))
        rows = dict.fromkeys(row for name in kept for _, row, _ in self._left[name])
        return [pod for _, row, pod in self._entries if row not in rows]

    def _sort(self, nodes: Sequence[NodeView], names: frozenset[str]) -> None:
        if self._base is None:
            self._base = queued(self._pods)
        self._left = {node.name: self._left_by(node) for node in nodes}
        entries = self._base.copy()
        for left in self._left.values():
            entries += left
        entries.sort()
        self._entries, self._names = entries, names
