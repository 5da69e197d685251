"""Skips loops that would find everything as the last one left it.

Proof. A loop is a function of the cluster, of what the autoscaler remembers, and of the time. Let a loop have published
no event and left its memory as the next one would (`rests_until_us` of its parts see to that: no pod waits, no request,
gap or removal is under way, every instance is a ready node, and scale-down would simulate the same again).
While the cluster publishes no event and the sizes of the groups stay, the next loop reads the same; time enters only
by comparisons, whose next moment of change the parts name. Until then every loop repeats the last one: nothing is
recorded and nothing is requested. Whatever else a loop remembers is brought up to date by `repeat` of the parts.

Where only pods came, moved or went, and none of them waits for a node, a loop reads something else of the nodes that
changed alone. It repeats the last one if each of these nodes gets the verdict it had (`scaledown/standing.py`) and none
that is the model of its group has other pods that count for a template.
"""

from collections.abc import Iterable

from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster

FOREVER_US = 1 << 62
"""No comparison with the time will change its outcome."""
AT_ONCE_US = -1
"""The next loop may find something else, or something new to do."""


def earliest_us(moments_us: Iterable[int], now_us: int) -> int:
    """The first of the moments that are still to come."""
    return min((at_us for at_us in moments_us if at_us > now_us), default=FOREVER_US)


_OF_PODS = (
    ClusterEventKind.POD_ADDED,
    ClusterEventKind.POD_BOUND,
    ClusterEventKind.POD_RUNNING,
    ClusterEventKind.POD_DELETING,
    ClusterEventKind.POD_GONE,
    ClusterEventKind.POD_UNSCHEDULABLE,
    ClusterEventKind.POD_UNGATED,
    ClusterEventKind.POD_READINESS,
    ClusterEventKind.REPLICAS_SET,
)
"""Of the nodes, loops see nothing of these but what is requested and which pods there are."""


class QuietWatch:
    """Knows until when loops may be left out; an event of the cluster that is not one of pods ends that."""

    def __init__(self, cluster: Cluster, enabled: bool = True) -> None:
        self._cluster = cluster
        self._stirred = self._shaken = True
        self._until_us = AT_ONCE_US
        self._sizes: tuple[int, int, bytes, bytes, bytes] = (-1, -1, b"", b"", b"")
        self._cursor = -1
        if enabled:
            others = [kind for kind in ClusterEventKind if kind not in _OF_PODS]
            cluster.subscribe(self._on_event, others, self._on_event)
            cluster.subscribe(self._on_pods, _OF_PODS, self._on_pods)

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._cluster.unsubscribe(self._on_event)
        self._cluster.unsubscribe(self._on_pods)

    def only_pods_moved(self, now_us: int) -> bool:
        """Whether a loop now would repeat the last one, but for what pods have done meanwhile."""
        return not self._shaken and now_us < self._until_us and self._sizes == self._present()

    def begin(self) -> None:
        """A loop begins."""
        self._shaken, self._until_us, self._sizes = False, AT_ONCE_US, self._present()
        self.go_on()

    def is_stirred(self) -> bool:
        """Whether anything happened since the last loop began."""
        moved = self._stirred or self._cursor != self._cluster.node_changes.cursor
        return moved or self._shaken or self._sizes != self._present()

    def changed_nodes(self) -> list[int] | None:
        """Nodes whose pods changed since; None: not known."""
        changed = self._cluster.node_changes.since(self._cursor)
        return None if changed is None else list(dict.fromkeys(changed))

    def go_on(self) -> None:
        """What happened changes nothing for loops."""
        self._stirred, self._cursor = False, self._cluster.node_changes.cursor

    def rest_until(self, until_us: int) -> None:
        """The loop changed nothing; its parts stay as they are until then."""
        self._until_us = until_us

    def _on_event(self, event: ClusterEvent | PodChanges) -> None:
        self._shaken = True

    def _on_pods(self, event: ClusterEvent | PodChanges) -> None:
        self._stirred = True

    def _present(self) -> tuple[int, int, bytes, bytes, bytes]:
        """What can change without an event."""
        cluster, groups = self._cluster, self._cluster.groups
        sizes = groups.target.tobytes(), groups.min_size.tobytes(), groups.max_size.tobytes()
        return cluster.nodes.count, len(cluster.pod_specs), *sizes
