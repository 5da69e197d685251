"""The rules of `resource_rules` for a single node, in plain numbers: faster than arrays of length one.

Each function is the scalar twin of a rule there; a property test compares them.
"""

from collections.abc import Sequence

from planner.state.resources import PODS

MAX_SCORE = 100
UNCHANGED = 75
"""Balance score where nothing changes."""


def fits_one(requested: Sequence[int], allocatable: Sequence[int], asked: Sequence[tuple[int, int]]) -> bool:
    """Twin of `shortages(...).any()`; `asked`: columns with a request above 0 that count."""
    if requested[PODS] + 1 > allocatable[PODS]:
        return False
    for column, value in asked:
        if value > allocatable[column] - requested[column]:
            return False
    return True


def least_allocated_one(used: Sequence[int], capacity: Sequence[int], scored: Sequence[tuple[int, int, int]]) -> int:
    """Twin of `allocation_scores` with LeastAllocated; `scored`: column, what the pod asks for, weight."""
    total = weight = 0
    for column, more, importance in scored:
        cap = capacity[column]
        if cap > 0:
            weight += importance
            room = cap - used[column] - more
            if room >= 0:
                total += room * MAX_SCORE // cap * importance
    return total // weight if weight else 0


def balance_score_one(requested: Sequence[int], capacity: Sequence[int], balanced: Sequence[tuple[int, int]]) -> int:
    """Twin of `balance_scores` for two resources; `balanced`: column and what the pod asks for."""
    (one, more_one), (other, more_other) = balanced
    cap_one, cap_other = capacity[one], capacity[other]
    if cap_one <= 0 or cap_other <= 0:
        return UNCHANGED
    have_one, have_other = requested[one], requested[other]
    with_one, with_other = (have_one + more_one) / cap_one, (have_other + more_other) / cap_other
    now_one, now_other = have_one / cap_one, have_other / cap_other
    if with_one > 1.0 or with_other > 1.0:
        with_one, with_other = min(1.0, with_one), min(1.0, with_other)
        now_one, now_other = min(1.0, now_one), min(1.0, now_other)
    after, before = abs((with_one - with_other) / 2), abs((now_one - now_other) / 2)
    return 50 + (50 + int((1 - after) * 100.0) - int((1 - before) * 100.0)) // 2
