"""Placing equal pods the way the simulated scheduler of the Cluster Autoscaler searches: first fit, from
one position after the last match. For equal pods that is a walk in rounds, computed here in one step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.state.resources import Amounts

Counts = NDArray[np.int64]
_PLENTY = np.int64(1) << 31


@dataclass(slots=True)
class SearchCursor:
    """Where the next search begins; shared by all searches of an autoscaler (upstream `lastIndexOrderMapping`).

    One place behind the last match. The length of the list that is searched next folds it in, not that of the list
    of the match: lists grow and shrink between searches.
    """

    position: int = 1
    """No match yet counts as one at place 0."""


def room_for(free: NDArray[np.int64], need: Amounts) -> Counts:
    """How many equal pods fit on each node, resources only; shape (nodes,)."""
    room = np.full(len(free), _PLENTY)
    for column in np.flatnonzero(need):
        np.minimum(room, free[:, column] // need[column], out=room)
    return np.maximum(room, 0)


def fill_rounds(room: Counts, start: int, count: int) -> Counts:
    """How many of `count` equal pods each node takes; the search starts at `start` and goes on after each match."""
    rolled = np.roll(room, -start)
    count = min(count, int(rolled.sum()))
    rounds = _full_rounds(rolled, count)
    placed = np.minimum(rolled, rounds)
    left = count - int(placed.sum())
    if left:
        placed[np.flatnonzero(rolled > rounds)[:left]] += 1
    return np.roll(placed, start)


def _full_rounds(room: Counts, count: int) -> int:
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        if int(np.minimum(room, middle).sum()) <= count:
            low = middle
        else:
            high = middle - 1
    return low


def visiting_order(placed: Counts, start: int) -> NDArray[np.int64]:
    """The node of the first, second, ... pod placed, given how many each node took."""
    positions = np.repeat(np.arange(len(placed)), placed)
    if len(positions) < 2:
        return positions
    firsts = np.cumsum(placed) - placed
    rounds = np.arange(len(positions)) - np.repeat(firsts, placed)
    walked = (positions - start) % len(placed)
    order: NDArray[np.int64] = positions[np.lexsort((walked, rounds))]
    return order
