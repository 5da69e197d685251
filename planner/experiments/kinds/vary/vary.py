"""Vary: the figures over a space of numbers of the plan, and which number matters most."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from planner.experiments.answers.answer import ExperimentAnswer, VariantAnswer
from planner.experiments.answers.figure_sense import headline_figures
from planner.experiments.answers.numbers import percent
from planner.experiments.kinds.cells import PlanCell, bounds_of, figure_answers, left_out
from planner.experiments.kinds.sample import doubts_of_seeds, known_among, seeds_from
from planner.experiments.kinds.uncertain_inputs import doubts_of_inputs, influence_json, influence_texts
from planner.experiments.kinds.vary.points import RunPoints, point_count, points_of, run_points
from planner.experiments.kinds.vary.responses import curves, heat_map, table
from planner.experiments.kinds.vary.sensitivity import sensitivity, sensitivity_count
from planner.experiments.runs import Runs
from planner.experiments.variants.space import ParameterSpace, Point, space_of
from planner.language.phrases import joined, phrase, phrase_count
from planner.plan.model.experiments.vary import SpaceSampling, Vary
from planner.plan.model.plan import Plan

_MOST_REFUSED, _MOST_COLUMNS = 20, 6


def vary(plan: Plan, experiment: Vary, runs: Runs) -> ExperimentAnswer:
    """A plan over a space. Raises PlanProblem or PlanProblems for a space that does not fit the plan."""
    space, first = space_of(plan, experiment.over), plan.simulation.seed
    seeds, confidence = tuple(seeds_from(first, experiment.seeds)), experiment.confidence / 100.0

    def run(of: ParameterSpace, points: Sequence[Point]) -> RunPoints:
        return run_points(plan, of, points, runs, seeds)

    found = run(space, points_of(space, experiment, first))
    cells = list(found.cells.values())
    figures = figure_answers(cells, confidence)
    looked_at = known_among(figures, experiment.figures) or headline_figures(figures)
    on_grid = experiment.sampling is SpaceSampling.GRID
    more: dict[str, Any] = {
        "parameters": [{"path": one.path, "values": list(one.levels)} for one in space.parameters],
        "points": table(space, found, looked_at),
        "curves": curves(space, found, looked_at, confidence) if on_grid else {},
        "heatMap": heat_map(space, found, looked_at) if on_grid and len(space.parameters) == 2 else None,
        "influence": _influence(cells, looked_at),
        "sensitivity": sensitivity(space, experiment, first, looked_at, run) if experiment.sensitivity else None,
    }
    return ExperimentAnswer(
        kind="vary",
        variants=tuple(VariantAnswer(cell.plan.name, cell.plan.digest) for cell in cells),
        figures=figures,
        seeds=seeds,
        confidence=confidence,
        looked_at=looked_at,
        sentence=_sentence(space, found, looked_at, more),
        notes=(
            *(str(one) for one in found.refused[:_MOST_REFUSED]),
            *left_out(cells),
            *doubts_of_seeds(seeds),
            *doubts_of_inputs(next((cell.plan for cell in cells), None), seeds),
        ),
        latencies=bounds_of(cells),
        outcomes={cell.plan.name: cell.outcomes for cell in cells},
        table=tuple(_table(space, found, looked_at[:_MOST_COLUMNS])),
        stopped=runs.stopped,
        more=more,
    )


def vary_count(plan: Plan, experiment: Vary) -> int:
    """How many runs it takes at most. Raises PlanProblem for a space that does not fit the plan."""
    space = space_of(plan, experiment.over)
    points = point_count(space, experiment)
    if experiment.sensitivity:
        points += sensitivity_count(space, experiment)
    return points * experiment.seeds


def _table(space: ParameterSpace, found: RunPoints, figures: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row per point: its values, and the means of the figures that matter most."""
    yield (*(parameter.path for parameter in space.parameters), *figures)
    for point in found.cells:
        yield (*point, *(found.mean_text(name, point) for name in figures))


def _sentence(space: ParameterSpace, found: RunPoints, looked_at: Sequence[str], more: dict[str, Any]) -> str:
    """The range of the figure that matters most, where its ends are, and what it depends on."""
    for name in looked_at:
        means = {point: found.mean(name, point) for point in found.cells}
        known = {point: mean for point, mean in means.items() if mean == mean}
        if not known:
            continue
        low, high = min(known, key=lambda point: known[point]), max(known, key=lambda point: known[point])
        if known[low] == known[high]:
            text = phrase_count(
                "{name} is {value} at the only point", "{name} is {value} at all {count} points", len(known),
                name=name, value=found.mean_text(name, low), count=len(known),
            )  # fmt: skip
        else:
            begin, end = (
                joined("", (found.mean_text(name, at), f" ({', '.join(space.changes(at))})")) for at in (low, high)
            )
            text = phrase(
                "Over {count} points {name} goes from {begin} to {end}",
                count=len(known), name=name, begin=begin, end=end,
            )  # fmt: skip
        parts = (text, *_matters(name, more), *influence_texts(more["influence"]))
        return joined("", (joined("; ", parts), "."))
    return phrase("No run was finished, so there is nothing to say yet.")


def _influence(cells: Sequence[PlanCell], figures: Sequence[str]) -> dict[str, Any]:
    """Which uncertain input matters most to the means over all points, seed by seed."""
    whole = [cell for cell in cells if cell.outcomes and not cell.unfinished]
    if not whole:
        return {}
    by_seed = {name: np.mean([cell.values(name) for cell in whole], axis=0) for name in figures}
    return influence_json(whole[0].plan, whole[0].seeds, by_seed)


def _matters(name: str, more: dict[str, Any]) -> list[str]:
    indices = (more["sensitivity"] or {}).get("sobol", {}).get(name, [])
    if not indices:
        return []
    share = percent(max(0.0, min(1.0, indices[0]["total"])))
    return [phrase("it depends most on {path} ({share} of its variance)", path=indices[0]["path"], share=share)]
