"""The points of a space that are run, and the mean of figures at each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.errors import PlanProblem
from planner.experiments.answers.numbers import figure_text
from planner.experiments.kinds.cells import PlanCell, cells_of
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import Floats
from planner.experiments.variants.space import ParameterSpace, Point, plans_at
from planner.plan.model.experiments.vary import SpaceSampling, Vary
from planner.plan.model.plan import Plan


@dataclass(frozen=True)
class RunPoints:
    """Points with their runs; points that the plan refuses are missing."""

    cells: dict[Point, PlanCell]
    refused: tuple[PlanProblem, ...] = ()

    def mean(self, figure: str, point: Point) -> float:
        """Over the seeds; not a number if no run has it."""
        cell = self.cells.get(point)
        values = np.array([]) if cell is None else cell.values(figure)
        values = values[np.isfinite(values)]
        return float(values.mean()) if len(values) else float("nan")

    def mean_text(self, figure: str, point: Point) -> str:
        """The same as a table has it; a dash if no run has it."""
        cell, mean = self.cells.get(point), self.mean(figure, point)
        if cell is None or mean != mean:
            return "–"
        unit = next((one.figures[figure].unit for one in cell.outcomes if figure in one.figures), "")
        return figure_text(figure, mean, unit, cell.latencies)

    def means(self, figure: str, points: Sequence[Point]) -> Floats:
        """At many points."""
        return np.array([self.mean(figure, point) for point in points])


def point_count(space: ParameterSpace, experiment: Vary) -> int:
    """How many points are run, each with every seed, apart from those for the sensitivity."""
    if experiment.sampling is SpaceSampling.GRID:
        return space.size
    if experiment.sampling is SpaceSampling.SOBOL:
        return 1 << max(1, (experiment.points - 1).bit_length())
    return experiment.points


def points_of(space: ParameterSpace, experiment: Vary, seed: int) -> tuple[Point, ...]:
    """The points that the experiment runs, each once."""
    if experiment.sampling is SpaceSampling.GRID:
        return tuple(space.grid())
    from scipy.stats import qmc  # late: loading it takes longer than a small run

    inputs, count = len(space.parameters), point_count(space, experiment)
    if experiment.sampling is SpaceSampling.SOBOL:
        shares = qmc.Sobol(inputs, rng=seed).random_base2(count.bit_length() - 1)
    else:
        shares = qmc.LatinHypercube(inputs, rng=seed).random(count)
    return space.points(shares)


def run_points(
    plan: Plan, space: ParameterSpace, points: Sequence[Point], runs: Runs, seeds: Sequence[int]
) -> RunPoints:
    """Run the plan at points, each once. Raises PlanProblems if the plan refuses all of them."""
    kept, plans = plans_at(plan, space, dict.fromkeys(points), runs.cancelled)
    cells = cells_of(runs, plans.ready, seeds)
    return RunPoints(dict(zip(kept, cells, strict=True)), plans.refused)
