"""How far a simulated course is from the measured one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from planner.measured.calibration.regression import Floats

_LONGEST_LAG = 15
"""Steps by which courses are moved against each other."""
LOW, HIGH = 0.05, 0.95
"""Ends of the band over seeds."""


class CourseErrors(NamedTuple):
    """Errors of one course; those in relation to the measured value leave out steps in which that is 0."""

    steps: int
    """In which both are known."""
    mae: float
    """Mean absolute error, in the unit of the course."""
    mape: float
    """Mean absolute error in relation to the measured value; nan without any."""
    p50: float
    """Absolute error that half of the steps do not exceed."""
    p95: float
    bias: float
    """Simulated over measured sum, minus 1."""
    measured_hours: float
    """Sum of the course in pod-hours, node-hours and the like."""
    simulated_hours: float
    lag_s: float
    """By how much the simulated course comes later than the measured one, as the best match shows."""
    coverage: float
    """Share of the steps in which the measured value is within the band over seeds; nan with one seed."""


class Actions(NamedTuple):
    """Changes in the number of pods."""

    measured: int
    simulated: int
    matched: int
    """Measured ones to which a simulated one in the same direction belongs."""


def course_errors(measured: Floats, runs: Sequence[Floats], step_s: int) -> CourseErrors | None:
    """Errors of the mean of runs with different seeds; None if no step is known in all."""
    stacked = np.stack(runs)
    known = np.isfinite(measured) & np.isfinite(stacked).all(axis=0)
    if not known.any():
        return None
    truth, middle = measured[known], stacked[:, known].mean(axis=0)
    errors = np.abs(stacked[:, known] - truth)
    positive = truth > 0
    total = float(truth.sum())
    return CourseErrors(
        int(known.sum()),
        float(errors.mean()),
        float((errors[:, positive] / truth[positive]).mean()) if positive.any() else float("nan"),
        float(np.quantile(errors, 0.5)),
        float(np.quantile(errors, 0.95)),
        float(middle.sum()) / total - 1 if total > 0 else float("nan"),
        total * step_s / 3600,
        float(middle.sum()) * step_s / 3600,
        _lag(measured, stacked.mean(axis=0)) * step_s,
        _coverage(truth, stacked[:, known]),
    )


def matched_actions(measured: Floats, simulated: Floats, tolerance: int) -> Actions:
    """Pairs of changes in the same direction that are at most `tolerance` steps apart, each used once."""
    real, ours = _changes(measured), _changes(simulated)
    free = list(range(len(ours)))
    matched = 0
    for at, direction in real:
        near = [index for index in free if ours[index][1] == direction and abs(ours[index][0] - at) <= tolerance]
        if near:
            free.remove(min(near, key=lambda index: abs(ours[index][0] - at)))
            matched += 1
    return Actions(len(real), len(ours), matched)


def _changes(course: Floats) -> list[tuple[int, int]]:
    """Step and direction of every change; gaps are no changes."""
    known = np.flatnonzero(np.isfinite(course))
    steps = np.diff(np.round(course[known]))
    return [(int(known[at + 1]), int(np.sign(steps[at]))) for at in np.flatnonzero(steps)]


def _coverage(truth: Floats, runs: Floats) -> float:
    if len(runs) < 2:
        return float("nan")
    low, high = np.quantile(runs, [LOW, HIGH], axis=0)
    return float(((truth >= low) & (truth <= high)).mean())


def _lag(measured: Floats, simulated: Floats) -> int:
    """Steps by which the simulated course has to come earlier to be nearest to the measured one."""
    best, found = np.inf, 0
    longest = min(_LONGEST_LAG, len(measured) // 4)
    for lag in sorted(range(-longest, longest + 1), key=abs):
        moved = simulated[max(0, lag) : len(simulated) + min(0, lag)]
        still = measured[max(0, -lag) : len(measured) - max(0, lag)]
        both = np.isfinite(moved) & np.isfinite(still)
        error = float(np.abs(moved[both] - still[both]).mean()) if both.any() else np.inf
        if error < best - 1e-12:
            best, found = error, lag
    return found
