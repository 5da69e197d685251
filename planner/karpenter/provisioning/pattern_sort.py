"""The order that Go's sort leaves equal elements in: pattern-defeating quicksort, not stable from 13 elements on.

Source: Go 1.22, sort.Slice; the algorithm: O. R. L. Peters, Pattern-defeating Quicksort, 2021. Every choice of the
library shows in the order of equal elements, so that all are the same here: pivots, partitions, repairs and the numbers
that break patterns. Its heap sort, for orders made to be hard, is left out: numbers of pods do not come near them.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

_Element = TypeVar("_Element")
_Keyed = list[tuple[int, _Element]]
_SHORT = 12
"""Ranges up to this length are sorted by insertion, which keeps equal elements in their order."""
_LONG = 50
"""From this length on a pivot is chosen from nine elements, and a few elements out of order are put right."""
_MOST_REPAIRS = 5
_LEAST_SHARE = 8
"""A partition is balanced if no part is less than an eighth."""
_WORD = (1 << 64) - 1


def sort_as_go(elements: list[_Element], key: Callable[[_Element], int]) -> None:
    """Sort in place as `sort.Slice` does."""
    keys = list(map(key, elements))
    if all(map(int.__le__, keys, keys[1:])):
        return
    keyed = list(zip(keys, elements, strict=True))
    _sort(keyed, 0, len(keyed))
    elements[:] = [element for _, element in keyed]


def _sort(keyed: _Keyed[_Element], low: int, high: int) -> None:
    is_balanced = is_partitioned = True
    while high - low > _SHORT:
        if not is_balanced:
            _break_patterns(keyed, low, high)
        pivot, is_rising, is_falling = _pivot(keyed, low, high)
        if is_falling:
            keyed[low:high] = keyed[low:high][::-1]
            pivot, is_rising = high - 1 - (pivot - low), True
        if is_balanced and is_partitioned and is_rising and _is_repaired(keyed, low, high):
            return
        if low > 0 and not keyed[low - 1][0] < keyed[pivot][0]:
            low = _after_equal(keyed, low, high, pivot)
            continue
        middle, is_partitioned = _partition(keyed, low, high, pivot)
        shorter = min(middle - low, high - middle)
        is_balanced = shorter >= (high - low) // _LEAST_SHARE
        if middle - low < high - middle:
            _sort(keyed, low, middle)
            low = middle + 1
        else:
            _sort(keyed, middle + 1, high)
            high = middle
    _sort_by_insertion(keyed, low, high)


def _sort_by_insertion(keyed: _Keyed[_Element], low: int, high: int) -> None:
    keyed[low:high] = sorted(keyed[low:high], key=lambda item: item[0])


class _Pivot(NamedTuple):
    at: int
    is_rising: bool
    """No comparison has found the range out of order."""
    is_falling: bool
    """All have."""


def _pivot(keyed: _Keyed[_Element], low: int, high: int) -> _Pivot:
    """The median of three elements a quarter apart, of each with its neighbours in long ranges."""
    quarter = (high - low) // 4
    places = [low + quarter * number for number in (1, 2, 3)]
    swaps = 0
    if high - low >= _LONG:
        for number, at in enumerate(places):
            places[number], some = _median(keyed, at - 1, at, at + 1)
            swaps += some
    at, some = _median(keyed, *places)
    swaps += some
    return _Pivot(at, swaps == 0, swaps == 12)


def _median(keyed: _Keyed[_Element], first: int, second: int, third: int) -> tuple[int, int]:
    """The place of the median, and how many comparisons found the wrong order."""
    swaps = 0
    if keyed[second][0] < keyed[first][0]:
        first, second, swaps = second, first, swaps + 1
    if keyed[third][0] < keyed[second][0]:
        second, third, swaps = third, second, swaps + 1
    if keyed[second][0] < keyed[first][0]:
        first, second, swaps = second, first, swaps + 1
    return second, swaps


def _partition(keyed: _Keyed[_Element], low: int, high: int, pivot: int) -> tuple[int, bool]:
    """Bring smaller elements before the pivot; its new place, and whether they were there already."""
    _swap(keyed, low, pivot)
    key = keyed[low][0]
    left, right, swaps = low + 1, high - 1, 0
    while True:
        while left <= right and keyed[left][0] < key:
            left += 1
        while left <= right and not keyed[right][0] < key:
            right -= 1
        if left > right:
            break
        _swap(keyed, left, right)
        left, right, swaps = left + 1, right - 1, swaps + 1
    _swap(keyed, right, low)
    return right, swaps == 0


def _after_equal(keyed: _Keyed[_Element], low: int, high: int, pivot: int) -> int:
    """Bring elements that equal the pivot, than which none is smaller, to the front; the place after them."""
    _swap(keyed, low, pivot)
    key = keyed[low][0]
    left, right = low + 1, high - 1
    while True:
        while left <= right and not key < keyed[left][0]:
            left += 1
        while left <= right and key < keyed[right][0]:
            right -= 1
        if left > right:
            return left
        _swap(keyed, left, right)
        left, right = left + 1, right - 1


def _is_repaired(keyed: _Keyed[_Element], low: int, high: int) -> bool:
    """Whether the range is in order now, after a few elements have been put right if it is long."""
    at = low + 1
    for _ in range(_MOST_REPAIRS):
        while at < high and not keyed[at][0] < keyed[at - 1][0]:
            at += 1
        if at == high:
            return True
        if high - low < _LONG:
            return False
        _swap(keyed, at, at - 1)
        if at - low >= 2:
            _sink(keyed, range(at - 1, 0, -1))
        if high - at >= 2:
            _sink(keyed, range(at + 1, high))
    return False


def _sink(keyed: _Keyed[_Element], places: range) -> None:
    """Exchange neighbours along the way until two are in order."""
    for at in places:
        if not keyed[at][0] < keyed[at - 1][0]:
            return
        _swap(keyed, at, at - 1)


def _break_patterns(keyed: _Keyed[_Element], low: int, high: int) -> None:
    """Exchange three elements of the middle with others, drawn from the length alone."""
    length = high - low
    number, mask = length, (1 << length.bit_length()) - 1
    for at in range(3):
        number ^= number << 13 & _WORD
        number ^= number >> 7
        number ^= number << 17 & _WORD
        other = number & mask
        _swap(keyed, low + length // 4 * 2 - 1 + at, low + (other - length if other >= length else other))


def _swap(keyed: _Keyed[_Element], one: int, other: int) -> None:
    keyed[one], keyed[other] = keyed[other], keyed[one]
