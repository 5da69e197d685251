"""Which number of the plan matters: screening of all, Sobol indices of those that matter most, a tornado chart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.experiments.kinds.vary.points import RunPoints
from planner.experiments.statistics.morris import elementary_effects, trajectories
from planner.experiments.statistics.sobol import sobol_design, sobol_indices
from planner.experiments.variants.space import ParameterSpace, Point
from planner.plan.model.experiments.vary import Vary

MOST_INPUTS = 5
"""Of which Sobol indices are found."""
RunAt = Callable[[ParameterSpace, Sequence[Point]], RunPoints]


@dataclass(frozen=True)
class _Ranked:
    """The parameters of the space, the most important first."""

    rows: tuple[int, ...]
    screening: dict[str, list[dict[str, Any]]]


def sensitivity(
    space: ParameterSpace, experiment: Vary, seed: int, figures: Sequence[str], run: RunAt
) -> dict[str, Any]:
    """{"screening", "sobol", "tornado"}: each by figure, a list by parameter, the most important first.

    The first figure decides which parameters are looked at closely.
    """
    ranked = _screened(space, experiment, seed, figures, run)
    chosen = ParameterSpace(tuple(space.parameters[row] for row in ranked.rows[:MOST_INPUTS]))
    return {
        "screening": ranked.screening,
        "sobol": _sobol(chosen, experiment, seed, figures, run),
        "tornado": _tornado(chosen, figures, run),
    }


def sensitivity_count(space: ParameterSpace, experiment: Vary) -> int:
    """How many points it takes at most."""
    inputs = len(space.parameters)
    chosen = min(inputs, MOST_INPUTS)
    samples = 1 << max(2, (experiment.base_samples - 1).bit_length())
    return experiment.trajectories * (inputs + 1) + samples * (chosen + 2) + 2 * chosen


def _screened(space: ParameterSpace, experiment: Vary, seed: int, figures: Sequence[str], run: RunAt) -> _Ranked:
    paths = trajectories(len(space.parameters), experiment.trajectories, seed)
    points = [space.at(row) for row in paths.reshape(-1, paths.shape[2]).tolist()]
    found = run(space, points)
    screening: dict[str, list[dict[str, Any]]] = {}
    rows = tuple(range(len(space.parameters)))
    for name in figures:
        values = found.means(name, points).reshape(paths.shape[:2])
        effects = elementary_effects(paths, values)
        known = [(space.parameters[row].path, effect) for row in rows if (effect := effects[row]) is not None]
        screening[name] = [
            {"path": path, "importance": effect.importance, "mean": effect.mean, "spread": effect.spread}
            for path, effect in sorted(known, key=lambda one: (-one[1].importance, one[0]))
        ]
    listed = [one["path"] for one in screening[figures[0]]] if figures else []
    ranked = sorted(rows, key=lambda row: _rank(listed, space.parameters[row].path))
    return _Ranked(tuple(ranked), screening)


def _rank(listed: Sequence[str], path: str) -> int:
    return listed.index(path) if path in listed else len(listed)


def _sobol(chosen: ParameterSpace, experiment: Vary, seed: int, figures: Sequence[str], run: RunAt) -> dict[str, Any]:
    design = sobol_design(len(chosen.parameters), experiment.base_samples, seed)
    points = [chosen.at(row) for row in design.points.tolist()]
    found = run(chosen, points)
    indices = {name: sobol_indices(design, found.means(name, points)) for name in figures}
    return {
        name: [
            {"path": parameter.path, "first": one.first, "total": one.total}
            for parameter, one in sorted(
                zip(chosen.parameters, of, strict=True), key=lambda pair: (-pair[1].total, pair[0].path)
            )
        ]
        for name, of in indices.items()
        if of
    }


def _tornado(chosen: ParameterSpace, figures: Sequence[str], run: RunAt) -> dict[str, Any]:
    """Each parameter at its ends, all others as the plan has them; the widest bar first."""
    bars: dict[str, list[dict[str, Any]]] = {name: [] for name in figures}
    for parameter in chosen.parameters:
        alone, ends = ParameterSpace((parameter,)), ((parameter.at(0.0),), (parameter.at(1.0 - 2.0**-53),))
        found = run(alone, ends)
        for name in figures:
            low, high = found.means(name, ends)
            if np.isfinite(low) and np.isfinite(high):
                bar = {"path": parameter.path, "lowAt": ends[0][0], "low": float(low)}
                bars[name].append(bar | {"highAt": ends[1][0], "high": float(high)})
    return {
        name: sorted(found, key=lambda bar: (-abs(bar["high"] - bar["low"]), bar["path"]))
        for name, found in bars.items()
    }
