"""Skips loops that would find everything as the last one left it.

Proof. A loop is a function of the cluster, of what the autoscaler remembers, and of the time. Let a loop have published
no event and left its memory as it was (`rests_until_us` of its parts see to that: no pod waits, no request, gap or
removal is under way, every instance is a ready node, and what scale-down simulated was what it had simulated before).
While the cluster publishes no event and the sizes of the groups stay, the next loop reads the same; time enters only
by comparisons, whose next moment of change the parts name. Until then every loop repeats the last one: nothing is
recorded and nothing is requested. Whatever else a loop remembers is brought up to date by `repeat` of the parts.
"""

from collections.abc import Iterable

from planner.state.changes import ClusterEvent, PodChanges
from planner.state.cluster import Cluster

FOREVER_US = 1 << 62
"""No comparison with the time will change its outcome."""
AT_ONCE_US = -1
"""The next loop may find something else, or something new to do."""


def earliest_us(moments_us: Iterable[int], now_us: int) -> int:
    """The first of the moments that are still to come."""
    return min((at_us for at_us in moments_us if at_us > now_us), default=FOREVER_US)


class QuietWatch:
    """Knows until when loops may be left out; any event of the cluster ends that."""

    def __init__(self, cluster: Cluster, enabled: bool = True) -> None:
        self._cluster = cluster
        self._stirred = True
        self._until_us = AT_ONCE_US
        self._key: tuple[int, int, bytes, bytes, bytes] = (-1, -1, b"", b"", b"")
        if enabled:
            cluster.subscribe(self._on_event, many=self._on_event)

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._cluster.unsubscribe(self._on_event)

    def is_quiet(self, now_us: int) -> bool:
        """Whether a loop now would repeat the last one."""
        return not self._stirred and now_us < self._until_us and self._key == self._present()

    def begin(self) -> None:
        """A loop begins."""
        self._stirred, self._until_us, self._key = False, AT_ONCE_US, self._present()

    def is_stirred(self) -> bool:
        """Whether anything happened since the loop began."""
        return self._stirred or self._key != self._present()

    def rest_until(self, until_us: int) -> None:
        """The loop changed nothing; its parts stay as they are until then."""
        self._until_us = until_us

    def _on_event(self, event: ClusterEvent | PodChanges) -> None:
        self._stirred = True

    def _present(self) -> tuple[int, int, bytes, bytes, bytes]:
        """What can change without an event."""
        cluster, groups = self._cluster, self._cluster.groups
        sizes = groups.target.tobytes(), groups.min_size.tobytes(), groups.max_size.tobytes()
        return cluster.node_changes.cursor, cluster.nodes.count, *sizes
