"""Events by which the cluster announces changes of its state."""

from collections.abc import Callable, Iterable
from enum import IntEnum
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


Listener = Callable[[ClusterEvent], None]


class Listeners:
    """Who wants to know of which changes."""

    def __init__(self) -> None:
        self._of: dict[ClusterEventKind, list[Listener]] = {kind: [] for kind in ClusterEventKind}

    def add(self, listener: Listener, kinds: Iterable[ClusterEventKind]) -> None:
        """Notify a listener of every change of these kinds."""
        for kind in kinds:
            self._of[kind].append(listener)

    def remove(self, listener: Listener) -> None:
        """Stop notifying a listener."""
        for kind, listeners in self._of.items():
            self._of[kind] = [each for each in listeners if each != listener]

    def clear(self) -> None:
        """Stop notifying all of them."""
        for kind in self._of:
            self._of[kind] = []

    def __len__(self) -> int:
        """Listeners, each counted once for every kind of change it receives."""
        return sum(map(len, self._of.values()))

    def publish(self, event: ClusterEvent) -> None:
        """Notify the listeners of a change, in order of subscription."""
        for listener in self._of[event.kind]:
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

    def since(self, cursor: int) -> list[int] | None:
        """Rows changed since a cursor, with repeats; None if that is too long ago to know."""
        if cursor < self._base:
            return None
        return self._rows[cursor - self._base :]
