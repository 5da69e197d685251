"""The rules of `resource_rules` for a single node, in plain numbers: faster than arrays of length one.

Each function is the twin of the rule of the same meaning there; a property test compares them.
"""

from collections.abc import Sequence

from planner.state.resources import PODS

MAX_SCORE = 100


def fits_one(requested: Sequence[int], allocatable: Sequence[int], asked: Sequence[tuple[int, int]]) -> bool:
    """Twin of `shortages(...).any()`; `asked`: columns with a request above 0 that count."""
    if requested[PODS] + 1 > allocatable[PODS]:
        return False
    return all(value <= allocatable[column] - requested[column] for column, value in asked)


def least_allocated_one(used: Sequence[int], capacity: Sequence[int], weights: Sequence[int]) -> int:
    """Twin of `allocation_scores` with LeastAllocated."""
    total = weight = 0
    for have, cap, importance in zip(used, capacity, weights, strict=True):
        if cap > 0:
            weight += importance
            if have <= cap:
                total += (cap - have) * MAX_SCORE // cap * importance
    return total // weight if weight else 0


def balance_one(used: Sequence[int], capacity: Sequence[int]) -> int:
    """Twin of `balance` for two resources."""
    if capacity[0] <= 0 or capacity[1] <= 0:
        return MAX_SCORE
    first, second = min(1.0, used[0] / capacity[0]), min(1.0, used[1] / capacity[1])
    return int((1 - abs((first - second) / 2)) * 100.0)


def balance_score_one(requested: Sequence[int], capacity: Sequence[int], request: Sequence[int]) -> int:
    """Twin of `balance_scores` for two resources."""
    after = [have + more for have, more in zip(requested, request, strict=True)]
    return 50 + (50 + balance_one(after, capacity) - balance_one(requested, capacity)) // 2
