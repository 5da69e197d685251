"""Stress: what breaks first under faults and loads beyond the planned ones, when, and which variant holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer, VariantAnswer
from planner.experiments.answers.answer_json import estimate_json
from planner.experiments.answers.figure_sense import headline_figures
from planner.experiments.answers.numbers import percent
from planner.experiments.execution.breaks import Break
from planner.experiments.kinds.cells import PlanCell, bounds_of, cells_of, figure_answers, first_break_json, left_out
from planner.experiments.kinds.sample import seeds_from
from planner.experiments.kinds.stress.ordeals import PutUnder, ordeals_of
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan, runnable_variants
from planner.language.phrases import joined, phrase
from planner.language.translation import tr
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.plan import Plan
from planner.units import US_PER_S, format_duration

CALM = phrase("as planned")
"""The row of the table without any ordeal."""


@dataclass(frozen=True)
class _Row:
    """An ordeal, and what it did to each variant."""

    name: str
    what: str
    cells: tuple[PlanCell, ...]
    """One per variant that has the ordeal."""


def stress(plan: Plan, experiment: Stress, runs: Runs) -> ExperimentAnswer:
    """A plan and its variants under ordeals. Raises PlanProblem or PlanProblems if there is nothing to run."""
    found = runnable_variants(plan, experiment.variants)
    plans, confidence = (runnable_plan(plan), *found.ready), experiment.confidence / 100.0
    put = [_put_under(one, experiment, runs) for one in plans]
    if not any(put):
        raise PlanProblem(
            "ordeals", tr("No ordeal of the list concerns this plan."), tr("Choose others, or leave the list empty.")
        )
    wanted = [*plans, *(under for ordeals in put for under, _ in ordeals)]
    cells = {
        cell.plan.name: cell for cell in cells_of(runs, wanted, seeds_from(plan.simulation.seed, experiment.seeds))
    }
    rows = _rows(plans, put, cells)
    figures = figure_answers(list(cells.values()), confidence)
    return ExperimentAnswer(
        kind="stress",
        variants=tuple(VariantAnswer(one.name, one.digest) for one in plans),
        figures=figures,
        seeds=tuple(seeds_from(plan.simulation.seed, experiment.seeds)),
        confidence=confidence,
        looked_at=headline_figures(figures),
        sentence=_sentence(plans[0].name, rows),
        notes=(*(str(one) for one in found.refused), *left_out(list(cells.values()))),
        latencies=bounds_of(list(cells.values())),
        outcomes={name: cell.outcomes for name, cell in cells.items()},
        table=tuple(_table(plans, rows)),
        stopped=runs.stopped,
        more={"ordeals": [_row_json(row, confidence) for row in rows]},
    )


def _put_under(one: RunnablePlan, experiment: Stress, runs: Runs) -> list[tuple[RunnablePlan, PutUnder]]:
    """The plan under each ordeal; names join plan and ordeal."""
    until_us = runs.time_of(one)
    return [
        (RunnablePlan(f"{one.name}, {under.name}", under.plan, one.inputs), under)
        for under in ordeals_of(one.plan, experiment, until_us)
    ]


def _rows(
    plans: Sequence[RunnablePlan], put: Sequence[list[tuple[RunnablePlan, PutUnder]]], cells: dict[str, PlanCell]
) -> tuple[_Row, ...]:
    """The calm row first, then the ordeals in their order; a variant may lack one."""
    whats = {under.name: under.what for ordeals in put for _, under in ordeals}
    rows = [_Row(CALM, phrase("no fault, the planned load"), tuple(cells[one.name] for one in plans))]
    for name, what in whats.items():
        of = tuple(cells[tested.name] for ordeals in put for tested, under in ordeals if under.name == name)
        rows.append(_Row(name, what, of))
    return tuple(rows)


def _table(plans: Sequence[RunnablePlan], rows: Sequence[_Row]) -> Iterator[tuple[str, ...]]:
    """A row per ordeal, a column per variant: what breaks first, and when."""
    yield (phrase("Ordeal"), phrase("What happens"), *(one.name for one in plans))
    for row in rows:
        by_variant = {_variant(row, cell): _broken_text(cell) for cell in row.cells}
        yield (row.name, row.what, *(by_variant.get(one.name, "–") for one in plans))


def _broken_text(cell: PlanCell) -> str:
    if not cell.outcomes:
        return "–"
    first = cell.first_break()
    if first is None:
        return phrase("holds")
    share = sum(bool(one.breaks) for one in cell.outcomes) / len(cell.outcomes)
    often = "" if share == 1.0 else phrase(", in {share} of runs", share=percent(share))
    return joined("", (first.what, ", ", _when(first), often))


def _when(first: Break) -> str:
    """How long after the start of the run."""
    seconds = round(first.at_s)
    return phrase("after {time}", time=format_duration(seconds * US_PER_S)) if seconds else phrase("from the start")


def _row_json(row: _Row, confidence: float) -> dict[str, Any]:
    finished = [cell for cell in row.cells if cell.outcomes]
    return {
        "name": row.name,
        "what": row.what,
        "variants": {_variant(row, cell): _cell_json(cell, confidence) for cell in finished},
        "heldBy": [_variant(row, cell) for cell in finished if cell.first_break() is None],
    }


def _variant(row: _Row, cell: PlanCell) -> str:
    return cell.plan.name if row.name == CALM else cell.plan.name.removesuffix(f", {row.name}")


def _cell_json(cell: PlanCell, confidence: float) -> dict[str, Any]:
    cost = cell.estimate("cost", confidence)
    return {
        "plan": cell.plan.name,
        "broken": estimate_json(cell.broken(confidence)),
        "breaksFirst": first_break_json(cell),
        "alsoBreaks": sorted(dict.fromkeys(one.what for found in cell.outcomes for one in found.breaks[1:])),
        "lowestAttainment": cell.attainment(),
        "cost": None if cost is None else estimate_json(cost),
    }


def _sentence(plan: str, rows: Sequence[_Row]) -> str:
    """What the plan itself bears, and which ordeal breaks it earliest."""
    own = [(row, cell) for row in rows for cell in row.cells if _variant(row, cell) == plan and cell.outcomes]
    if not own:
        return phrase("No run was finished, so there is nothing to say yet.")
    broken = [(row, cell, first) for row, cell in own if (first := cell.first_break()) is not None]
    ordeals = [row for row, _ in own if row.name != CALM]
    if not broken:
        return phrase(
            "The plan holds under all {count} faults and loads: every SLO is met, no pool or quota is full.",
            count=len(ordeals),
        )
    row, cell, first = min(broken, key=lambda one: (one[0].name != CALM, one[2].at_s))
    moment = _when(first)
    if row.name == CALM:
        return phrase("Even without a fault, {what} breaks {when}.", what=first.what, when=moment)
    text = phrase(
        "The plan breaks under {count} of {ordeals} faults and loads ({names}); earliest under {name}: {what}, "
        "{when}.",
        count=len(broken), ordeals=len(ordeals), names=joined(", ", (one.name for one, _, _ in broken)),
        name=row.name, what=first.what, when=moment,
    )  # fmt: skip
    holders = [_variant(row, other) for other in row.cells if other is not cell and other.first_break() is None]
    if not holders:
        return text
    return joined("", (text, phrase(" There, {holders} would have held.", holders=", ".join(holders))))
