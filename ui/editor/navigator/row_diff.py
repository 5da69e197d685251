"""What changed between two versions of a list, so that views keep their place: rows are compared by identity."""

from collections.abc import Sequence
from typing import NamedTuple


class RowDiff(NamedTuple):
    """Rows [first, first + removed) were replaced by `added` rows; with equal numbers they only changed."""

    first: int
    removed: int
    added: int


def difference(before: Sequence[object], after: Sequence[object]) -> RowDiff:
    """The smallest range that differs."""
    shorter = min(len(before), len(after))
    first = 0
    while first < shorter and before[first] is after[first]:
        first += 1
    last = 0
    while last < shorter - first and before[-1 - last] is after[-1 - last]:
        last += 1
    return RowDiff(first, len(before) - last - first, len(after) - last - first)
