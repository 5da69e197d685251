"""Arithmetic on requests: which resources are short, how full a node gets, how its balance changes.

Pure functions on arrays of shape (nodes, resources) (kube-scheduler 1.36, plugins/noderesources).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import StrategyType
from planner.state.resources import PODS, Amounts

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
MAX_SCORE = 100


def shortages(requested: Ints, allocatable: Ints, request: Amounts, counted: Mask) -> Mask:
    """Which resources are short per node, shape (nodes, resources); the pods column means no room for one more.

    Only resources with a request above 0 count, so an overcommitted node refuses only who asks for more of it.
    """
    short = (request > allocatable - requested) & (request > 0) & counted
    short[:, PODS] = requested[:, PODS] + 1 > allocatable[:, PODS]
    return short


def never_enough(allocatable: Ints, request: Amounts, counted: Mask) -> Mask:
    """Which shortages an empty node would have as well: removing pods cannot help there."""
    never = (request > allocatable) & (request > 0) & counted
    never[:, PODS] = False
    return never


def allocation_scores(
    strategy: StrategyType, used: Ints, capacity: Ints, weights: Ints, shape: Sequence[tuple[int, int]]
) -> Ints:
    """Weighted mean score of the resources; a column with capacity 0 is left out of a node's mean.

    `used` includes the pod. Shapes (nodes, resources), weights (resources,).
    """
    known = capacity > 0
    cap = np.where(known, capacity, 1)
    if strategy == StrategyType.LEAST_ALLOCATED:
        scores = np.where(used > cap, 0, (cap - used) * MAX_SCORE // cap)
    elif strategy == StrategyType.MOST_ALLOCATED:
        scores = np.minimum(used, cap) * MAX_SCORE // cap
    else:
        utilisation = np.where(used > cap, 100, used * 100 // cap)
        scores = ratio_points(utilisation, shape)
        known &= scores > 0
    counted = known * weights
    weight = counted.sum(axis=1)
    total: Ints = (scores * counted).sum(axis=1)
    if strategy != StrategyType.REQUESTED_TO_CAPACITY_RATIO:
        mean_down: Ints = total // np.maximum(weight, 1)
        return mean_down
    mean = total / np.maximum(weight, 1)
    return round_half_away(mean)


def ratio_points(utilisation: Ints, shape: Sequence[tuple[int, int]]) -> Ints:
    """Score of a utilisation on the broken line through (percent, score 0-10), scaled to 0-100."""
    points = [(percent, score * 10) for percent, score in shape]
    out = np.full(utilisation.shape, points[-1][1], dtype=np.int64)
    for (u0, s0), (u1, s1) in reversed(list(zip(points, points[1:], strict=False))):
        rise = (s1 - s0) * (utilisation - u0)
        # Go's division truncates towards zero, which matters on falling lines.
        step = np.sign(rise) * (np.abs(rise) // (u1 - u0))
        out = np.where(utilisation <= u1, s0 + step, out)
    return np.where(utilisation < points[0][0], points[0][1], out)


def round_half_away(values: NDArray[np.float64]) -> Ints:
    """Go's math.Round for values of at least 0, as integers."""
    whole = np.floor(values)
    return (whole + (values - whole >= 0.5)).astype(np.int64)


def balance(used: Ints, capacity: Ints) -> Ints:
    """int((1 - standard deviation of the used fractions) * 100); columns with capacity 0 are left out."""
    known = capacity > 0
    fractions = np.where(known, np.minimum(1.0, used / np.where(known, capacity, 1)), 0.0)
    number = known.sum(axis=1)
    if used.shape[1] == 2:
        deviation = np.where(number == 2, np.abs((fractions[:, 0] - fractions[:, 1]) / 2), 0.0)
    else:
        deviation = _deviation(fractions, known, number)
    return ((1 - deviation) * float(MAX_SCORE)).astype(np.int64)


def _deviation(fractions: NDArray[np.float64], known: Mask, number: NDArray[np.int64]) -> NDArray[np.float64]:
    """Two fractions: half their distance; more: the population standard deviation, summed in order."""
    total = np.zeros(len(fractions))
    distance = np.zeros(len(fractions))
    seen = np.zeros(len(fractions), dtype=np.int64)
    for column in range(fractions.shape[1]):
        total = total + fractions[:, column]
        distance = distance + np.where(known[:, column], np.where(seen == 0, 1.0, -1.0) * fractions[:, column], 0.0)
        seen = seen + known[:, column]
    mean = total / np.maximum(number, 1)
    squares = np.zeros(len(fractions))
    for column in range(fractions.shape[1]):
        off = np.where(known[:, column], fractions[:, column] - mean, 0.0)
        squares = squares + off * off
    many = np.sqrt(squares / np.maximum(number, 1))
    return np.where(number == 2, np.abs(distance / 2), np.where(number > 2, many, 0.0))


def balance_scores(requested: Ints, allocatable: Ints, request: Amounts) -> Ints:
    """Score of the change of balance: 75 when nothing changes."""
    return 50 + (50 + balance(requested + request, allocatable) - balance(requested, allocatable)) // 2


def placed_balance(requested: Ints, allocatable: Ints, request: Amounts) -> Ints:
    """Score of the balance after placement, as it was before 1.36."""
    return balance(requested + request, allocatable)


def normalised(raw: Ints, reverse: bool = False) -> Ints:
    """The common normalisation: the largest raw score becomes 100, or 0 if reversed."""
    top = int(raw.max(initial=0))
    if top == 0:
        return np.full(len(raw), MAX_SCORE if reverse else 0, dtype=np.int64)
    scaled = MAX_SCORE * raw // top
    return MAX_SCORE - scaled if reverse else scaled
