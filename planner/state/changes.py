"""Events by which the cluster announces changes of its state."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import compress
from typing import NamedTuple


class ClusterEventKind(IntEnum):
    """Changes that controllers react to."""

    POD_ADDED = 0
    POD_BOUND = 1
    POD_RUNNING = 2
    POD_DELETING = 3
    POD_GONE = 4
    POD_NOMINATED = 5
    NODE_REQUESTED = 6
    NODE_ADDED = 7
    NODE_CHANGED = 8
    NODE_DELETING = 9
    NODE_GONE = 10
    REPLICAS_SET = 11
    POD_UNSCHEDULABLE = 12
    """Marked so, or marked with another message than before."""
    POD_UNGATED = 13
    """Its last scheduling gate was removed."""
    POD_READINESS = 14
    """A running pod turned Ready or not Ready."""
    NODE_POWER = 15
    """The machine stopped, or runs again."""
    POD_RESIZED = 16
    """Other requests and limits of a pod are in force."""


class ClusterEvent(NamedTuple):
    """One change. Rows that do not apply are -1."""

    kind: ClusterEventKind
    pod: int = -1
    node: int = -1
    workload: int = -1
    group: int = -1
    before: int = -1
    """Of POD_RESIZED: the template until now."""


class PodChanges(NamedTuple):
    """The same change of several pods, one after the other, of which listeners hear when all are made."""

    kind: ClusterEventKind
    pods: Sequence[int]
    nodes: Sequence[int]
    """Of each pod; -1 where it has none."""
    workloads: Sequence[int]
    """Of each pod."""

    def one_by_one(self) -> Iterator[ClusterEvent]:
        """The change of each pod."""
        kind = self.kind
        for pod, node, workload in zip(self.pods, self.nodes, self.workloads, strict=True):
            yield ClusterEvent(kind, pod, node, workload)


Listener = Callable[[ClusterEvent], None]
ListenerOfMany = Callable[[PodChanges], None]


class Listeners:
    """Who wants to know of which changes."""

    def __init__(self) -> None:
        self._of: dict[ClusterEventKind, list[Listener]] = {kind: [] for kind in ClusterEventKind}
        self._of_many: dict[ClusterEventKind, list[ListenerOfMany | None]] = {kind: [] for kind in ClusterEventKind}
        """How each of them takes many changes at once; None: one by one."""

    def add(self, listener: Listener, kinds: Iterable[ClusterEventKind], many: ListenerOfMany | None = None) -> None:
        """Notify a listener of every change of these kinds; `many` does for several pods what it does for each."""
        for kind in kinds:
            self._of[kind].append(listener)
            self._of_many[kind].append(many)

    def remove(self, listener: Listener) -> None:
        """Stop notifying a listener."""
        for kind, listeners in self._of.items():
            kept = [each != listener for each in listeners]
            self._of[kind] = list(compress(listeners, kept))
            self._of_many[kind] = list(compress(self._of_many[kind], kept))

    def clear(self) -> None:
        """Stop notifying all of them."""
        for kind in self._of:
            self._of[kind], self._of_many[kind] = [], []

    def take_many(self, kind: ClusterEventKind) -> bool:
        """Whether all listeners of a kind of change take many at once."""
        return None not in self._of_many[kind]

    def __len__(self) -> int:
        """Listeners, each counted once for every kind of change it receives."""
        return sum(map(len, self._of.values()))

    def publish(self, event: ClusterEvent) -> None:
        """Notify the listeners of a change, in order of subscription."""
        for listener in self._of[event.kind]:
            listener(event)

    def publish_many(self, changes: PodChanges) -> None:
        """Notify the listeners of changes of several pods: one listener after the other, each in order of the pods."""
        for listener, many in zip(self._of[changes.kind], self._of_many[changes.kind], strict=True):
            if many is not None:
                many(changes)
            else:
                for event in changes.one_by_one():
                    listener(event)


class ChangeLog:
    """Rows that changed, in order, so that a cache can redo just these.

    A reader keeps the cursor that `since` returned and passes it again later.
    """

    def __init__(self, keep: int = 1 << 16) -> None:
        self._rows: list[int] = []
        self._base = 0
        self._keep = keep
        self.cursor = 0
        """The position after the last change."""

    def add(self, row: int) -> None:
        """Note that a row changed."""
        self._rows.append(row)
        self.cursor += 1
        if len(self._rows) > 2 * self._keep:
            del self._rows[: self._keep]
            self._base += self._keep

    def extend(self, rows: Sequence[int]) -> None:
        """Note that several rows changed, one after the other."""
        self._rows.extend(rows)
        self.cursor += len(rows)
        surplus = len(self._rows) - 2 * self._keep
        if surplus > 0:
            dropped = -(-surplus // self._keep) * self._keep
            del self._rows[:dropped]
            self._base += dropped

    def since(self, cursor: int) -> list[int] | None:
        """Rows changed since a cursor, with repeats; None if that is too long ago to know."""
        if cursor < self._base:
            return None
        return self._rows[cursor - self._base :]
