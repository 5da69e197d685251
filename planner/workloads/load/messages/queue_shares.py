"""Workloads that fetch from one queue: who gets which of its messages.

Those of the highest priority fetch what they have room for, then the next ones; equals get messages in proportion to
their room. What nobody has room for waits with the workload to which the queue belongs.
"""

from collections.abc import Sequence

import numpy as np

from planner.workloads.load.demand import Floats, Ints
from planner.workloads.served_workload import ServedWorkload

_LEAST = 1e-300
"""Keeps a share of no room from being divided by it."""


class QueueShares:
    """By position of the workload."""

    def __init__(self, items: Sequence[ServedWorkload]) -> None:
        position_of = {item.row: position for position, item in enumerate(items)}
        rows = [item.row if item.fetches_from is None else item.fetches_from for item in items]
        self.owner: Ints = np.array([position_of[row] for row in rows], np.int64)
        """The workload from whose queue each fetches; without a queue it is itself."""
        guests = np.flatnonzero(self.owner != np.arange(len(items)))
        self._shared = [
            (owner, _by_priority(items, np.flatnonzero(self.owner == owner)))
            for owner in sorted(set(self.owner[guests].tolist()))  # np.unique would load masked arrays
        ]

    def __bool__(self) -> bool:
        return bool(self._shared)

    def of_all(self, messages: Floats, room: Floats) -> Floats:
        """The share of the messages of its queue that each workload gets. `messages` are those at their owners."""
        found: Floats = (self.owner == np.arange(len(self.owner))).astype(np.float64)
        for owner, ranks in self._shared:
            left = whole = float(messages[owner])
            if whole <= 0.0:
                continue
            for rank in ranks:
                has = room[rank]
                taken = min(left, float(has.sum()))
                found[rank] = taken / whole * (has / max(float(has.sum()), _LEAST))
                left -= taken
            found[owner] += left / whole
        return found

    def spread(self, part: Ints, waiting: Floats, arrived: Floats, room: Floats) -> tuple[Floats, Floats]:
        """What waited and what arrived at the queues of the workloads at `part`, as each of them gets it."""
        messages, has = np.zeros((2, len(self.owner)))
        messages[part], has[part] = waiting + arrived, room
        share, at = self.of_all(messages, has)[part], self._places(part)
        return waiting[at] * share, arrived[at] * share

    def gathered(self, part: Ints, left: Floats) -> Floats:
        """What no pod took, at the workloads to which the queues belong."""
        return np.bincount(self._places(part), left, minlength=len(part)).astype(np.float64)

    def _places(self, part: Ints) -> Ints:
        """Where in `part`, which is ascending, the owner of each is."""
        return np.searchsorted(part, self.owner[part])


def _by_priority(items: Sequence[ServedWorkload], members: Ints) -> list[Ints]:
    """Workloads of equal priority, the highest first."""
    priority = np.array([0 if (queue := items[at].queue) is None else queue.priority for at in members.tolist()])
    return [members[priority == one] for one in sorted(set(priority.tolist()), reverse=True)]
