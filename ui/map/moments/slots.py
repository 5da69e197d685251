"""Which place every node has on the map: the same as long as it lives, so that nothing jumps when the time moves."""

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from planner.record.history import NEVER, NodeHistory

Lane = tuple[int, int]
"""Node group and zone."""


@dataclass(frozen=True)
class Slots:
    """A place for every node: its lane, and its number in it. A node takes the lowest that is free."""

    lanes: tuple[Lane, ...]
    """By group, then zone; those that never had a node are left out."""
    counts: tuple[int, ...]
    """Places per lane: as many as there were nodes at once."""
    lane: NDArray[np.int32]
    """Per node row, a position in `lanes`."""
    number: NDArray[np.int32]


def slots_of(nodes: NodeHistory) -> Slots:
    """The places of all nodes of a run; nodes to come leave those of earlier ones as they are."""
    pairs = sorted({(int(group), int(zone)) for group, zone in zip(nodes.group, nodes.zone, strict=True)})
    position = {pair: at for at, pair in enumerate(pairs)}
    lane = np.array([position[int(g), int(z)] for g, z in zip(nodes.group, nodes.zone, strict=True)], np.int32)
    number = np.zeros(len(nodes), np.int32)
    counts = [_fill(np.flatnonzero(lane == at), nodes, number) for at in range(len(pairs))]
    return Slots(tuple(pairs), tuple(counts), lane, number)


def _fill(rows: NDArray[np.intp], nodes: NodeHistory, number: NDArray[np.int32]) -> int:
    """Number the nodes of one lane; how many places that takes."""
    free: list[int] = []
    leaving: list[tuple[int, int]] = []
    count = 0
    requested, removed = nodes.requested_us[rows].tolist(), nodes.removed_us[rows].tolist()
    for row, begin, end in zip(rows.tolist(), requested, removed, strict=True):
        while leaving and leaving[0][0] <= begin:
            heappush(free, heappop(leaving)[1])
        if free:
            place = heappop(free)
        else:
            place, count = count, count + 1
        number[row] = place
        if end != NEVER:
            heappush(leaving, (end, place))
    return count
