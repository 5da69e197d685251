"""Searches among made-up plans whose runs are numbers of a table, so that all of them are known."""

from types import SimpleNamespace

import numpy as np

from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.search.candidates import Goal, SearchCandidate
from planner.experiments.kinds.search.race import Race, RaceSettings
from planner.plan.values.constraint_text import parse_constraint
from planner.record.result import Figure


class MadeUpProblem:
    """Two sizes per plan: both cost and, with luck of their own, meet the demand of a seed, which all plans share.

    Every number is another problem: few or many plans and seeds, much or little luck of their own.
    """

    stopped = False

    def __init__(self, number, plans, seeds):
        rng = np.random.default_rng(number)
        self.plans, self.seeds = int(rng.choice(plans)), int(rng.choice(seeds))
        self.share, self.zone = float(rng.choice([0.8, 0.9, 0.95])), float(rng.choice([0.001, 0.02, 0.1]))
        own, dear = np.exp(rng.uniform(np.log([0.05, 0.02]), np.log([2.0, 1.5])))
        a, b = rng.uniform(0.0, 12.0, self.plans), rng.uniform(0.0, 6.0, self.plans)
        demand = 5.0 + 2.0 * rng.normal(size=self.seeds)
        luck, cost = rng.normal(size=(2, self.plans, self.seeds))
        self.kept = (a + 0.5 * b)[:, None] + own * luck >= demand
        price = rng.choice([0.1, 1.0]) * (3.0 * a + 1.7 * b)
        self.costs = 10.0 + price[:, None] + 0.3 * demand + dear * cost

    def outcomes(self, wanted):
        return [self.outcome(int(plan.name), seed) for plan, seed in wanted]

    def outcome(self, row, seed):
        cost, kept = float(self.costs[row, seed - 1]), float(self.kept[row, seed - 1])
        return RunOutcome("", seed, "", "", 0, {"cost": Figure(cost, ""), "kept": Figure(kept, "")})

    def searched(self):
        """The stated probability of being right, and whether all runs of all plans say so; None without a best plan."""
        candidates = [SearchCandidate(SimpleNamespace(name=str(row)), ()) for row in range(self.plans)]
        goal = Goal("cost", (parse_constraint(f"kept>=1@{self.share}"),))
        race = Race(self, candidates, goal, RaceSettings(self.seeds, 1, 0.95, self.zone))
        best = race.winner()
        if best is None:
            return None
        row, good = int(best.plan.name), self.kept.mean(axis=1) >= self.share - 1e-9
        cost, least = self.costs[row].mean(), self.costs[good].mean(axis=1).min(initial=np.inf)
        return race.chance_right(best), bool(good[row] and cost * (1.0 - self.zone) <= least)


class WholeNodes(MadeUpProblem):
    """Nodes are whole, so that many plans cost exactly the same in many runs, or in all."""

    def __init__(self, number, plans, seeds):
        super().__init__(number, plans, seeds)
        rng = np.random.default_rng([number, 1])
        price, common = rng.choice([3.0, 6.0, 12.0]), self.costs.mean(axis=0) - self.costs.mean()
        costs = self.costs.mean(axis=1, keepdims=True) + common if rng.random() < 0.5 else self.costs
        self.costs = np.ceil(costs / price) * price


def stated_and_right(numbers, plans, seeds, problem=MadeUpProblem):
    """Of many searches the stated probabilities, and which of them were right."""
    found = [one for number in numbers if (one := problem(number, plans, seeds).searched()) is not None]
    return np.array([stated for stated, _ in found]), np.array([right for _, right in found])
