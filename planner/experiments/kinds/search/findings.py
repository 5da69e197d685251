"""What a search has found besides the best plan: the front of cost against SLO, regret, and the clairvoyant bound."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.experiments.answers.answer_json import estimate_json
from planner.experiments.kinds.search.candidates import Goal, SearchCandidate
from planner.experiments.kinds.search.race import Race
from planner.experiments.statistics.estimates import MeanEstimate, mean_interval
from planner.experiments.statistics.proportions import wilson_interval
from planner.experiments.statistics.selection import lowest_together
from planner.language.phrases import joined, phrase
from planner.plan.model.node_groups import NodeGroup
from planner.units import US_PER_H

_MOST_IN_REGRET = 10
_CPU = "cpu_used_cores"


def candidate_json(one: SearchCandidate, race: Race, goal: Goal, confidence: float, *, best: bool) -> dict[str, Any]:
    """{"name", "changes", "runs", "cost", "kept", "status"} of a plan of the space."""
    kept = wilson_interval(int(goal.kept_together(one).sum()), one.count, confidence) if one.count else None
    cost = race.cost(one)
    return {
        "name": one.plan.name,
        "values": list(one.point),
        "runs": one.count,
        "objective": cost if math.isfinite(cost) else None,
        "kept": None if kept is None else estimate_json(kept),
        "status": phrase("best") if best else one.failed or one.dropped or phrase("cannot be told from the best"),
    }


def pareto_front(race: Race, goal: Goal) -> list[dict[str, Any]]:
    """[{"name", "objective", "kept", "runs"}]: plans that no other beats in both, by rising cost."""
    known = [one for one in race.candidates if one.count and math.isfinite(race.cost(one))]
    if not known:
        return []
    costs = np.array([race.cost(one) for one in known])
    shares = np.array([_share_kept(one, goal) for one in known])
    return [
        {
            "name": known[row].plan.name,
            "objective": float(costs[row]),
            "kept": float(shares[row]),
            "runs": known[row].count,
        }
        for row in lowest_together(costs, shares)
    ]


def _share_kept(one: SearchCandidate, goal: Goal) -> float:
    return float(goal.kept_together(one).mean())


def regret_table(race: Race, goal: Goal) -> list[dict[str, Any]]:
    """[{"name", "mean", "worst", "missed"}] of the plans with most runs: how much dearer each was than the cheapest of
    them that kept the constraints with that seed; `missed`: the share of seeds in which it kept them not."""
    known = (one for one in race.candidates if one.count and np.isfinite(goal.costs(one)).all())
    chosen = sorted(known, key=lambda one: (-one.count, race.cost(one)))
    chosen = [one for one in chosen[:_MOST_IN_REGRET] if one.count >= min(chosen[0].count, 8)]
    if len(chosen) < 2:
        return []
    seeds = min(one.count for one in chosen)
    costs = np.stack([goal.costs(one)[:seeds] for one in chosen])
    kept = np.stack([goal.kept_together(one)[:seeds] for one in chosen]) > 0.0
    cheapest = np.where(kept, costs, np.inf).min(axis=0)
    cheapest = np.where(np.isfinite(cheapest), cheapest, costs.min(axis=0))
    regret = np.maximum(costs - cheapest, 0.0)
    rows = [
        {
            "name": one.plan.name,
            "mean": float(regret[row].mean()),
            "worst": float(regret[row].max()),
            "missed": float(1.0 - kept[row].mean()),
            "seeds": seeds,
        }
        for row, one in enumerate(chosen)
    ]
    return sorted(rows, key=lambda row: (row["missed"] > 0.5, row["mean"], row["name"]))


def clairvoyant_bound(best: SearchCandidate, confidence: float) -> MeanEstimate | None:
    """What the CPU that the plan used would have cost on its cheapest machines, had the load been known and nodes come
    at once and in any fraction; None where prices or use are unknown."""
    prices = [_core_price(group) for group in best.plan.plan.node_groups]
    priced = [price for price in prices if price > 0.0]
    found = []
    for outcome in best.outcomes:
        series = outcome.series
        if _CPU not in series.names or not priced or len(series.time_us) < 2:
            return None
        used = np.nan_to_num(series.table()[series.names.index(_CPU)])
        core_hours = float(np.trapezoid(used, np.array(series.time_us, dtype=np.float64))) / US_PER_H
        found.append(core_hours * min(priced))
    return mean_interval(np.array(found), confidence).within(0.0, math.inf) if found else None


def _core_price(group: NodeGroup) -> float:
    prices = [group.node_price]
    if group.pricing.reserved_nodes:
        prices.append(group.pricing.reserved_price_per_hour)
    known = [price for price in prices if price > 0.0]
    return min(known, default=0.0) / (group.cpu / 1000.0) if group.cpu else 0.0


def closest(race: Race, goal: Goal) -> SearchCandidate | None:
    """Of plans that all miss a constraint the one that keeps them most often; of several the cheapest."""
    known = [one for one in race.candidates if one.count]
    return min(known, key=lambda one: (-_best_guess(one, goal), -_margin(one, goal), race.cost(one)), default=None)


def _best_guess(one: SearchCandidate, goal: Goal) -> float:
    """The share of runs that keep the constraints; few runs say little."""
    return float((goal.kept_together(one).sum() + 0.5) / (one.count + 1.0))


def _margin(one: SearchCandidate, goal: Goal) -> float:
    """How far the figures are on the right side of their bounds, at the constraint that is worst; relative."""
    margins = [0.0]
    for each in goal.constraints:
        value = float(np.nan_to_num(one.values(each.figure), nan=0.0).mean())
        margins.append((value - each.bound if each.at_least else each.bound - value) / max(abs(each.bound), 1e-9))
    return min(margins)


def lacking(one: SearchCandidate, goal: Goal) -> Sequence[str]:
    """What it lacks, one text per constraint that it misses."""
    found = []
    for each in goal.constraints:
        kept = goal.kept(one, each)
        if kept < each.share * one.count:
            values = one.values(each.figure)
            known = values[np.isfinite(values)]
            sign = ">=" if each.at_least else "<="
            text = phrase(
                "{wanted} in {kept} of {count} runs instead of {share}",
                wanted=f"{each.figure}{sign}{each.bound:g}",
                kept=kept, count=one.count, share=f"{each.share:.0%}".replace("%", " %"),
            )  # fmt: skip
            if len(known):
                mean = phrase(", {figure} is {mean:.4g} on average", figure=each.figure, mean=known.mean())
                text = joined("", (text, mean))
            found.append(text)
    return found
