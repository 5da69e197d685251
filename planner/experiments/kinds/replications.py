"""Adds seeds until the intervals are as narrow as asked for."""

from collections.abc import Callable, Iterable, Sequence

from planner.experiments.kinds.sample import SeededRuns, sample_of, seeds_from
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.stopping import FEWEST, next_count
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.plan.model.experiments.seeded import SeededExperiment

Widths = Callable[[SeededRuns], Iterable[tuple[MeanEstimate, float]]]
"""Of a sample the estimates that have to be narrow, each with the value that the width is a share of."""


def replicated(
    runs: Runs, plans: Sequence[RunnablePlan], experiment: SeededExperiment, first_seed: int, widths: Widths
) -> SeededRuns:
    """A sample of the seeds that the experiment asks for, or of as many as its half-width takes."""
    if experiment.half_width is None:
        return sample_of(runs, plans, seeds_from(first_seed, experiment.seeds))
    ratio, count = experiment.half_width / 100.0, min(FEWEST, experiment.seeds)
    while True:
        sample = sample_of(runs, plans, seeds_from(first_seed, count))
        more = next_count(widths(sample), ratio, experiment.seeds) if len(sample.seeds) > 1 else count
        if runs.stopped or more <= count:
            return sample
        count = more
