"""Entries that are taken smallest first, most of which come in that order already."""

import heapq
from collections import deque
from collections.abc import Iterator
from itertools import islice
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

    def upcoming(self, most: int) -> Iterator[Entry]:
        """The smallest entries, up to `most` and as far as none comes between that came out of turn; they stay."""
        first_of_heap = self._heap[0] if self._heap else None
        for entry in islice(self._sorted, most):
            if first_of_heap is not None and first_of_heap < entry:
                return
            yield entry

    def drop(self, count: int) -> None:
        """Take so many of the `upcoming` entries out."""
        for _ in range(count):
            self._sorted.popleft()
