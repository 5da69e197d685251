"""Search: the cheapest plan of a space that keeps its constraints, and how sure that is."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer, VariantAnswer
from planner.experiments.answers.answer_json import estimate_json
from planner.experiments.answers.figure_sense import headline_figures
from planner.experiments.answers.numbers import figure_text, percent
from planner.experiments.kinds.cells import PlanCell, bounds_of, figure_answers
from planner.experiments.kinds.sample import known_among, seeds_from
from planner.experiments.kinds.search.candidates import Goal, SearchCandidate
from planner.experiments.kinds.search.findings import (
    candidate_json,
    clairvoyant_bound,
    closest,
    lacking,
    pareto_front,
    regret_table,
)
from planner.experiments.kinds.search.proposals import proposed_candidates
from planner.experiments.kinds.search.race import FINALISTS, FIRST_SEEDS, Race, RaceSettings
from planner.experiments.kinds.uncertain_inputs import doubts_of_inputs, influence_json, influence_texts
from planner.experiments.runs import Runs
from planner.experiments.statistics.selection import chance_keeps
from planner.experiments.variants.space import ParameterSpace, Point, plans_at, space_of
from planner.language.phrases import joined, phrase
from planner.language.translation import tr
from planner.plan.model.experiments.search import Search, SearchSampling
from planner.plan.model.plan import Plan
from planner.plan.values.constraint_text import USUAL_SHARE, Constraint, parse_constraint

_MOST_REFUSED, _MOST_ROWS = 20, 20
_SAMPLED = MappingProxyType(
    {
        SearchSampling.LATIN_HYPERCUBE: phrase("as a Latin hypercube"),
        SearchSampling.OPTUNA: phrase("as Optuna proposed"),
    }
)


def search(plan: Plan, experiment: Search, runs: Runs) -> ExperimentAnswer:
    """The best plan of a space. Raises PlanProblem or PlanProblems for a space or constraints that do not fit."""
    space, confidence = space_of(plan, experiment.over), experiment.confidence / 100.0
    goal = Goal(experiment.minimise, constraints_of(plan, experiment))
    candidates, refused = _candidates(plan, space, experiment, goal, runs)
    settings = RaceSettings(experiment.seeds, plan.simulation.seed, confidence, experiment.indifference / 100.0)
    race = Race(runs, candidates, goal, settings)
    best = race.winner()
    shown = _shown(race, best)
    cells = [PlanCell(one.plan, tuple(one.outcomes)) for one in shown]
    names = _names_of(cells, experiment, goal)
    figures = figure_answers(cells, confidence, names)
    return ExperimentAnswer(
        kind="search",
        variants=tuple(VariantAnswer(one.plan.name, one.plan.digest, space.changes(one.point)) for one in shown),
        figures=figures,
        seeds=tuple(seeds_from(settings.first_seed, max((one.count for one in candidates), default=0))),
        confidence=confidence,
        looked_at=known_among(figures, experiment.figures) or names,
        sentence=_sentence(race, goal, best, runs),
        notes=(
            *_notes(space, experiment, len(candidates), [str(one) for one in refused]),
            *_doubts(race, goal, best, confidence),
        ),
        latencies=bounds_of(cells),
        outcomes={one.plan.name: tuple(one.outcomes) for one in candidates if one.outcomes},
        table=tuple(_table(race, goal, shown, best)),
        stopped=runs.stopped,
        more=_more(race, goal, best, settings, experiment),
    )


def search_count(plan: Plan, experiment: Search) -> int:
    """How many runs it takes at the start; most plans of the space get no more."""
    space = space_of(plan, experiment.over)
    return min(space.size, experiment.points) * min(experiment.seeds, 4)


def _candidates(
    plan: Plan, space: ParameterSpace, experiment: Search, goal: Goal, runs: Runs
) -> tuple[list[SearchCandidate], Sequence[PlanProblem]]:
    """The plans of the race, and what is wrong with those that are left out."""
    first_seed = plan.simulation.seed
    if experiment.sampling is SearchSampling.OPTUNA and space.size > experiment.points:
        seeds = seeds_from(first_seed, min(FIRST_SEEDS, experiment.seeds))
        return proposed_candidates(plan, space, experiment.points, goal, runs, seeds)
    points, plans = plans_at(plan, space, points_of(space, experiment, first_seed), runs.cancelled)
    return [SearchCandidate(one, point) for one, point in zip(plans.ready, points, strict=True)], plans.refused


def points_of(space: ParameterSpace, experiment: Search, seed: int) -> tuple[Point, ...]:
    """All points of a small space, a Latin hypercube of a large one."""
    if space.size <= experiment.points:
        return tuple(space.grid())
    from scipy.stats import qmc  # late: loading it takes longer than a small run

    return space.points(qmc.LatinHypercube(len(space.parameters), rng=seed).random(experiment.points))


def constraints_of(plan: Plan, experiment: Search) -> tuple[Constraint, ...]:
    """Those that are given, else that every SLO is met. Raises PlanProblem for a plan that has neither."""
    given = tuple(parse_constraint(text) for text in experiment.subject_to)
    if given:
        return given
    found = []
    for workload in plan.workloads:
        if workload.slo is not None:
            found.append(Constraint(f"slo_attainment[{workload.name}]", True, 1.0, USUAL_SHARE))
            if workload.slo.end_to_end_target is not None:
                found.append(Constraint(f"slo_attainment_end_to_end[{workload.name}]", True, 1.0, USUAL_SHARE))
    if not found:
        problem = tr("The plan has no SLO, so the cheapest plan would be an empty one.")
        raise PlanProblem("subjectTo", problem, tr("Give a constraint, or an SLO to a workload with traffic."))
    return tuple(found)


def _shown(race: Race, best: SearchCandidate | None) -> list[SearchCandidate]:
    """The best plan first, then those with most runs; of equally many the cheapest."""
    others = [one for one in race.candidates if one is not best and one.count]
    ranked = sorted(others, key=lambda one: (bool(one.failed), -one.count, race.cost(one)))
    return [*([best] if best is not None else []), *ranked][:_MOST_ROWS]


def _names_of(cells: Sequence[PlanCell], experiment: Search, goal: Goal) -> tuple[str, ...]:
    known = dict.fromkeys(name for cell in cells for one in cell.outcomes for name in one.figures)
    wanted = (goal.minimise, *(one.figure for one in goal.constraints), *experiment.figures, *headline_figures(known))
    return tuple(dict.fromkeys(name for name in wanted if name in known))


def _notes(space: ParameterSpace, experiment: Search, points: int, refused: Sequence[str]) -> Iterator[str]:
    if space.size > experiment.points:
        yield phrase(
            "The space has {size:,} points; {points:,} of them were tried, {sampled}.",
            size=space.size,
            points=points,
            sampled=_SAMPLED[experiment.sampling],
        )
    yield from refused[:_MOST_REFUSED]


def _doubts(race: Race, goal: Goal, best: SearchCandidate | None, confidence: float) -> Iterator[str]:
    """What keeps the answer from being as sure as was asked for."""
    if best is not None:
        yield from doubts_of_inputs(best.plan, best.outcomes)
    if best is not None and goal.constraints and not goal.is_sure(best, confidence):
        yield phrase(
            "{count} runs are too few to be sure that {name} keeps its constraints: give more seeds.",
            count=best.count,
            name=best.plan.name,
        )
    if race.undecided:
        yield phrase(
            "The budget of {budget:,} runs is spent; cheaper plans that may keep the constraints: {count}.",
            budget=race.budget,
            count=race.undecided,
        )


def _more(
    race: Race, goal: Goal, best: SearchCandidate | None, settings: RaceSettings, experiment: Search
) -> dict[str, Any]:
    near = closest(race, goal) if best is None else None
    bound = None
    if best is not None and experiment.minimise == "cost":
        bound = clairvoyant_bound(best, settings.confidence)
    return {
        "minimise": goal.minimise,
        "subjectTo": [str(one) for one in goal.constraints],
        "best": None if best is None else best.plan.name,
        "probabilityCorrect": None if best is None else race.chance_right(best),
        "closest": None if near is None else {"name": near.plan.name, "lacks": list(lacking(near, goal))},
        "runs": sum(one.count for one in race.candidates),
        "runsOfAll": len(race.candidates) * settings.most_seeds,
        "candidates": [
            candidate_json(one, race, goal, settings.confidence, best=one is best) for one in race.candidates
        ],
        "pareto": pareto_front(race, goal),
        "regret": regret_table(race, goal),
        "clairvoyant": None if bound is None else estimate_json(bound),
        "influence": {} if best is None else _influence(best, goal, settings),
    }


def _influence(best: SearchCandidate, goal: Goal, settings: RaceSettings) -> dict[str, Any]:
    """Which uncertain input matters most to the figures of the goal, with the best plan."""
    figures = dict.fromkeys((goal.minimise, *(one.figure for one in goal.constraints)))
    seeds = seeds_from(settings.first_seed, best.count)
    return influence_json(best.plan, seeds, {name: best.values(name) for name in figures})


def _table(
    race: Race, goal: Goal, shown: Sequence[SearchCandidate], best: SearchCandidate | None
) -> Iterator[tuple[str, ...]]:
    """A row per plan that was looked at closely."""
    yield (phrase("Plan"), phrase("Verdict"), goal.minimise, phrase("Keeps its constraints"), phrase("Runs"))
    for one in shown:
        kept = phrase("{kept} of {count}", kept=int(goal.kept_together(one).sum()), count=one.count)
        status = phrase("best") if one is best else one.failed or one.dropped or phrase("cannot be told from the best")
        yield (one.plan.name, status, _objective(race, goal, one), kept, str(one.count))


def _objective(race: Race, goal: Goal, one: SearchCandidate) -> str:
    """What is minimised, as a table has it."""
    found = (outcome.figures.get(goal.minimise) for outcome in one.outcomes)
    unit = next((figure.unit for figure in found if figure is not None), "")
    return figure_text(goal.minimise, race.cost(one), unit, None)


def _sentence(race: Race, goal: Goal, best: SearchCandidate | None, runs: Runs) -> str:
    made, size = sum(one.count for one in race.candidates), len(race.candidates)
    if best is None:
        if runs.stopped:
            return phrase("The search was cancelled before a plan was found.")
        near = closest(race, goal)
        if near is None:
            return phrase("No run was finished, so there is nothing to say yet.")
        return phrase(
            "None of {size} plans keeps the constraints; closest is {name}, which keeps {lacking}.",
            size=size, name=near.plan.name, lacking=joined("; ", lacking(near, goal)),
        )  # fmt: skip
    kept = int(goal.kept_together(best).sum())
    sure = min((chance_keeps(goal.kept(best, one), best.count, one.share) for one in goal.constraints), default=1.0)
    wanted = ", ".join(str(one) for one in goal.constraints)
    parts: list[str] = [
        phrase(
            "Cheapest of {size} plans is {name}: {figure} is {value}",
            size=size,
            name=best.plan.name,
            figure=goal.minimise,
            value=_objective(race, goal, best),
        ),
        phrase("it kept {wanted} in {kept} of {count} runs", wanted=wanted, kept=kept, count=best.count)
        if wanted
        else phrase("there are no constraints"),
        phrase("correct with a probability of about {share}", share=percent(race.chance_right(best))),
    ]
    if wanted:
        reached = phrase(" (the share wanted is reached with a probability of {share})", share=percent(sure))
        parts[1] = joined("", (parts[1], reached))
    rivals = [one for one in race.finalists if one is not best and not one.failed and not one.dropped]
    parts += influence_texts(_influence(best, goal, race.settings))
    if rivals and len(rivals) < FINALISTS:
        parts.append(phrase("{names} cannot be told from it", names=", ".join(one.plan.name for one in rivals)))
    return phrase("{said} ({made:,} runs).", said=joined("; ", parts), made=made)
