"""Response curves and heat maps: what a figure does as one or two numbers of the plan change."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.experiments.answers.answer_json import estimate_json
from planner.experiments.answers.figure_sense import natural_range
from planner.experiments.kinds.vary.points import RunPoints
from planner.experiments.statistics.estimates import mean_interval
from planner.experiments.variants.space import ParameterSpace


def curves(space: ParameterSpace, found: RunPoints, figures: Sequence[str], confidence: float) -> dict[str, Any]:
    """{figure: [{"path", "points": [{"value", "mean", "low", "high", "n"}]}]}: by each parameter of a grid.

    With several parameters a point is the mean over all values of the others, seed by seed.
    """
    return {
        name: [
            {"path": parameter.path, "points": _curve(at, parameter.levels, found, name, confidence)}
            for at, parameter in enumerate(space.parameters)
        ]
        for name in figures
    }


def _curve(at: int, levels: Sequence[str], found: RunPoints, figure: str, confidence: float) -> list[dict[str, Any]]:
    points = []
    for level in levels:
        cells = [cell for point, cell in found.cells.items() if point[at] == level and cell.outcomes]
        seeds = [seed for seed in (cells[0].seeds if cells else ()) if all(seed in cell.seeds for cell in cells)]
        rows = [cell.values(figure)[[cell.seeds.index(seed) for seed in seeds]] for cell in cells]
        values = np.mean(rows, axis=0) if rows and seeds else np.array([])
        values = values[np.isfinite(values)]
        if len(values):
            mean = mean_interval(values, confidence).within(*natural_range(figure, cells[0].latencies))
            points.append({"value": level, **estimate_json(mean)})
    return points


def heat_map(space: ParameterSpace, found: RunPoints, figures: Sequence[str]) -> dict[str, Any]:
    """{"x", "y", "figures": {figure: rows of means, one per value of y}} for a grid of two parameters."""
    x, y = space.parameters
    return {
        "x": {"path": x.path, "values": list(x.levels)},
        "y": {"path": y.path, "values": list(y.levels)},
        "figures": {
            name: [[_plain(found.mean(name, (across, down))) for across in x.levels] for down in y.levels]
            for name in figures
        },
    }


def table(space: ParameterSpace, found: RunPoints, figures: Sequence[str]) -> list[dict[str, Any]]:
    """One row per point: {"name", "values": {path: value}, "figures": {figure: mean}}."""
    return [
        {
            "name": cell.plan.name,
            "values": {parameter.path: value for parameter, value in zip(space.parameters, point, strict=True)},
            "figures": {name: _plain(found.mean(name, point)) for name in figures},
        }
        for point, cell in found.cells.items()
    ]


def _plain(number: float) -> float | None:
    return number if np.isfinite(number) else None
