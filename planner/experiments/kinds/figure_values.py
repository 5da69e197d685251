"""The values of one figure in the runs of a plan, and their mean with its interval."""

from collections.abc import Iterable

import numpy as np

from planner.experiments.answers.figure_sense import natural_range, zero_if_absent
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.statistics.estimates import Floats, MeanEstimate, mean_interval
from planner.plan.model.plan import Plan
from planner.record.text.latency_bounds import LatencyBounds


def figure_values(name: str, outcomes: Iterable[RunOutcome]) -> Floats:
    """The figure by run; not a number where a run does not have it."""
    absent = 0.0 if zero_if_absent(name) else np.nan
    found = (one.figures.get(name) for one in outcomes)
    return np.array([absent if one is None else one.value for one in found], dtype=np.float64)


def figure_estimate(
    name: str, values: Floats, confidence: float, latencies: LatencyBounds | None
) -> MeanEstimate | None:
    """The mean over the runs that have the figure; None if none has it. The interval ends where the figure does."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    return mean_interval(known, confidence).within(*natural_range(name, latencies))


def latency_bounds(runs: Iterable[tuple[Plan, Iterable[RunOutcome]]]) -> LatencyBounds | None:
    """Of plans with their runs: what no latency exceeds; None without a run."""
    every = [LatencyBounds.of(plan, until_us) for plan, some in runs if (until_us := _longest(some))]
    return LatencyBounds.widest(every) if every else None


def _longest(outcomes: Iterable[RunOutcome]) -> int:
    return max((one.until_us for one in outcomes), default=0)
