"""Entries that are taken smallest first, most of which come in that order already."""

import heapq
from collections import deque
from typing import Generic, TypeVar

Entry = TypeVar("Entry", bound=tuple[int, ...])


class InTurn(Generic[Entry]):
    """A heap for those that come out of turn only; the others are a sorted queue."""

    def __init__(self) -> None:
        self._heap: list[Entry] = []
        self._sorted: deque[Entry] = deque()

    def __bool__(self) -> bool:
        return bool(self._sorted or self._heap)

    def push(self, entry: Entry) -> None:
        """Add an entry."""
        if not self._sorted or entry > self._sorted[-1]:
            self._sorted.append(entry)
        else:
            heapq.heappush(self._heap, entry)

    def first(self) -> Entry:
        """The smallest entry, which stays. Raises IndexError if there is none."""
        heap = self._heap
        return heap[0] if heap and not (self._sorted and self._sorted[0] < heap[0]) else self._sorted[0]

    def pop(self) -> Entry | None:
        """Take the smallest entry out; None if there is none."""
        heap, in_order = self._heap, self._sorted
        if heap and not (in_order and in_order[0] < heap[0]):
            return heapq.heappop(heap)
        return in_order.popleft() if in_order else None
