"""The rules of `resource_rules` for a single node, in plain numbers: faster than arrays of length one.

Each function is the twin of the rule of the same meaning there; a property test compares them.
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
    return all(value <= allocatable[column] - requested[column] for column, value in asked)


def least_allocated_one(
    used: Sequence[int], capacity: Sequence[int], scored: Sequence[tuple[int, int, int]]
) -> int:
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
    with_one, with_other = min(1.0, (have_one + more_one) / cap_one), min(1.0, (have_other + more_other) / cap_other)
    after = abs((with_one - with_other) / 2)
    before = abs((min(1.0, have_one / cap_one) - min(1.0, have_other / cap_other)) / 2)
    return 50 + (50 + int((1 - after) * 100.0) - int((1 - before) * 100.0)) // 2
