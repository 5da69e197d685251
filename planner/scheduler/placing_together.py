"""Pods of a template that follow each other in the queue are placed together where nothing can come between them.

Each is decided as if those before it were bound already, so that decisions are those of cycles one by one. That is
done where the kernel knows the template and all that a binding changes for it, where everybody who hears of bindings
takes many at once, and where no pod waits that another one with a node may help.
"""

from collections.abc import Sequence

import numpy as np

from planner.scheduler.cycle.cycle import OTHERS_RECORDED, SchedulingCycle
from planner.scheduler.placement_record import PlacementRecord
from planner.scheduler.queue.scheduling_queue import SchedulingQueue
from planner.scheduler.queue.wake_listener import WakeListener
from planner.scheduler.table_ration import TableRation
from planner.state.changes import ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

_POD_BOUND = ClusterEventKind.POD_BOUND  # looking up a member of an enum costs a call in Python 3.11
_FEWEST = 4
"""Fewer pods are placed one by one."""


class PlacingTogether:
    """Places the next pods of one scheduler's queue."""

    def __init__(
        self,
        cluster: Cluster,
        queue: SchedulingQueue,
        cycles: Sequence[SchedulingCycle],
        placements: PlacementRecord,
        tables: TableRation,
        listener: WakeListener,
    ) -> None:
        """`cycles`: by scheduler of a pod."""
        self._cluster = cluster
        self._queue = queue
        self._cycles = cycles
        self._placements = placements
        self._tables = tables
        self._listener = listener

    def place(self, most: int) -> int:
        """Place the next pods, up to `most`; how many, 0 where the next one is to be looked at alone."""
        cluster = self._cluster
        if min(most, len(self._queue)) < _FEWEST or cluster.nominated_pods or not cluster.is_heard_together(_POD_BOUND):
            return 0
        first = self._alike_pods(_FEWEST)
        if len(first) < _FEWEST or self._listener.may_wake_for_new_pods():
            return 0
        spec = cluster.pod_specs[cluster.pods.spec.item(first[0])]
        cycle = self._cycles[spec.placement.scheduler]
        if not cycle.can_choose_in_turn(spec):
            return 0
        pods = self._alike_pods(most)
        rows, table = np.array(pods, np.int64), cluster.pods
        if (table.pinned[rows] != NONE).any() or (table.ordinal[rows] != NONE).any():
            return 0
        chosen = cycle.choose_in_turn(rows, spec, (self._tables.left(spec.index), OTHERS_RECORDED))
        if chosen is None:
            return 0
        plugins, choices = chosen
        placed = pods[: len(choices)]
        self._tables.take(spec.index, len(placed))
        self._queue.take(len(placed))
        self._placements.keep_all(placed, plugins, choices)
        cluster.bind_all(placed, [choice[0] for choice in choices])
        return len(placed)

    def _alike_pods(self, most: int) -> list[int]:
        """The next pods as far as they have the template of the first one and were never tried."""
        template_of, found, template = self._cluster.pods.spec.item, list[int](), NONE
        for queued in self._queue.upcoming(most):
            own = template_of(queued.pod)
            if queued.attempts or queued.errors or (found and own != template):
                break
            template = own
            found.append(queued.pod)
        return found
