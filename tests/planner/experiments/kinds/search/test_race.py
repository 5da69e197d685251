"""The race of a search against spaces of made-up plans whose best one is known exactly."""

from types import SimpleNamespace

import numpy as np
import pytest

from planner.engine.draws import Draws, key_of
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.search.candidates import Goal, SearchCandidate
from planner.experiments.kinds.search.race import Race, RaceSettings
from planner.plan.values.constraint_text import parse_constraint
from planner.record.result import Figure

GOAL = Goal("cost", (parse_constraint("slo_attainment[shop]>=1@0.95"),))
SEEDS = 60


class MadeUpRuns:
    """Two sizes per plan: both cost, and the demand of a seed, which all plans share, has to fit into them."""

    stopped = False

    def __init__(self, number):
        self.draws = Draws(number).of("test/search")
        self.made = 0

    def outcome(self, plan, seed):
        a, b = plan.sizes
        demand = 5.0 + 2.0 * self.draws.normal(key_of("demand"), seed)
        own = 0.05 * self.draws.normal(key_of(str(plan.sizes)), seed)
        fits = a + 0.5 * b + own >= demand
        cost = 3.0 * a + 1.7 * b + 0.3 * demand + own
        figures = {"cost": Figure(cost, ""), "slo_attainment[shop]": Figure(1.0 if fits else 0.9, "")}
        return RunOutcome("", seed, "", "", 0, figures)

    def outcomes(self, wanted):
        self.made += len(wanted)
        return [self.outcome(plan, seed) for plan, seed in wanted]


def space(rows, columns):
    return [
        SearchCandidate(SimpleNamespace(name=f"{a}/{b}", sizes=(float(a), float(b))), ())
        for a in range(rows)
        for b in range(columns)
    ]


def found_and_exact(number, rows=20, columns=10):
    """The search's best, the exhaustive best, the share of the exhaustive runs that the search made, the race."""
    runs, candidates = MadeUpRuns(number), space(rows, columns)
    race = Race(runs, candidates, GOAL, RaceSettings(SEEDS, 1, 0.95, 0.001))
    best = race.winner()
    share = runs.made / (len(candidates) * SEEDS)
    means = {}
    for one in space(rows, columns):
        outcomes = [runs.outcome(one.plan, seed) for seed in range(1, SEEDS + 1)]
        if np.mean([each.figures["slo_attainment[shop]"].value >= 1.0 for each in outcomes]) >= 0.95:
            means[one.plan.name] = np.mean([each.figures["cost"].value for each in outcomes])
    return best, min(means, key=means.get, default=None), share, race


@pytest.mark.parametrize("number", range(5))
def test_the_best_of_200_plans_is_found_with_a_quarter_of_the_runs(number):
    best, exact, share, race = found_and_exact(number)
    assert best.plan.name == exact
    assert share < 0.25
    assert 0.0 < race.chance_right(best) <= 1.0


def test_a_space_in_which_no_plan_is_good_has_no_best_and_takes_few_runs():
    runs, candidates = MadeUpRuns(1), space(4, 3)
    race = Race(runs, candidates, GOAL, RaceSettings(SEEDS, 1, 0.95, 0.01))
    assert race.winner() is None
    assert all(one.failed for one in candidates) and runs.made < 12 * SEEDS / 2


def test_a_plan_dropped_as_too_dear_comes_back_when_all_cheaper_ones_fail():
    """Three cheap plans keep the constraint with the first seeds and miss it later."""

    class Runs(MadeUpRuns):
        def outcome(self, plan, seed):
            kept = plan.sizes[0] == 9.0 or seed <= 4
            cost = plan.sizes[0]
            return RunOutcome("", seed, "", "", 0, {"cost": Figure(cost, ""),
                "slo_attainment[shop]": Figure(float(kept), "")})  # fmt: skip

    race = Race(Runs(1), space(10, 1), GOAL, RaceSettings(SEEDS, 1, 0.95, 0.01))
    assert race.winner().plan.name == "9/0"


class RunsOnTheEdge(MadeUpRuns):
    """Ten sizes are cheap and miss the constraint in every 15th run, one too often in 60; the others never miss it."""

    def __init__(self, columns):
        super().__init__(1)
        self.columns = columns
        """How many plans of a size differ from each other."""

    def outcome(self, plan, seed):
        a, b = plan.sizes[0], plan.sizes[1] % self.columns
        kept = a >= 10.0 or (seed + 3 * a + b) % 15 > 0
        figures = {"cost": Figure(100.0 + a + 0.05 * b, ""), "slo_attainment[shop]": Figure(float(kept), "")}
        return RunOutcome("", seed, "", "", 0, figures)


def test_plans_on_the_edge_that_are_the_same_in_all_runs_are_ruled_out_together():
    runs = RunsOnTheEdge(columns=1)
    race = Race(runs, space(20, 6), GOAL, RaceSettings(SEEDS, 1, 0.95, 0.001))
    assert race.winner().plan.name.startswith("10/")
    assert race.undecided == 0 and runs.made < 0.2 * 120 * SEEDS
    assert sum(one.alike for one in race.candidates) > 30


def test_a_search_among_many_different_plans_on_the_edge_ends_with_its_budget_and_says_that_it_is_not_sure():
    runs = RunsOnTheEdge(columns=4)
    race = Race(runs, space(20, 4), GOAL, RaceSettings(SEEDS, 1, 0.95, 0.001))
    best = race.winner()
    assert runs.made == race.budget == 80 * SEEDS // 4
    assert race.undecided > 0 and race.chance_right(best) < 0.5
