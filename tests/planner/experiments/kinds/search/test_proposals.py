"""Large mixed spaces: points that Optuna proposes, with made-up runs whose best plan is known."""

import sys

import pytest

from planner.engine.loop import never
from planner.errors import PlanProblem
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.search.search import search
from planner.plan.model.experiments.search import Search
from planner.record.result import Figure
from tests.planner.experiments.small_plans import a_small_plan

PLAN = a_small_plan()
SPACE = (
    "nodeGroups[pool].maxSize = 5..500:1",
    "workloads[shop].replicas = 1..100:1",
    "nodeGroups[pool].provisioningDelay = 10s..300s",
    'clusterAutoscaler.expander = ["random"], ["least-waste"], ["most-pods"]',
)
POINTS = 64


class MadeUpRuns:
    """Good with at least 60 pods; every pod, node and second beyond that costs, and each expander something else."""

    stopped = False
    cancelled = staticmethod(never)

    def outcomes(self, wanted):
        return [self.outcome(one.plan, seed) for one, seed in wanted]

    def outcome(self, plan, seed):
        pool, pods = plan.node_groups[0], plan.workloads[0].replicas
        fee = {"random": 0.5, "least-waste": 0.0, "most-pods": 1.0}[plan.cluster_autoscaler.expander[0]]
        cost = 1.0 + pool.max_size / 100.0 + pods / 20.0 + pool.provisioning_delay / 100e6 + fee
        figures = {"cost": Figure(cost, ""), "slo_attainment[shop]": Figure(min(1.0, pods / 60.0), "")}
        return RunOutcome("", seed, "", "", 0, figures)


def best_cost(**settings):
    asked = {"type": "search", "name": "s", "over": SPACE, "points": POINTS, "seeds": 40}
    answer = search(PLAN, Search.model_validate(asked | settings), MadeUpRuns())
    best = next(one for one in answer.more["candidates"] if one["status"] == "best")
    return best["objective"], answer


def test_proposals_come_closer_to_the_best_than_as_many_points_spread_evenly():
    """The best costs 4.15: 60 pods, 5 nodes, 10 s."""
    spread, _ = best_cost()
    proposed, answer = best_cost(sampling="optuna")
    assert proposed < 5.2 < spread
    assert answer.notes[0].endswith(f"points; {POINTS} of them were tried, as Optuna proposed.")
    assert len({tuple(one["values"]) for one in answer.more["candidates"]}) == POINTS


def test_the_same_search_proposes_the_same_points():
    first, second = (best_cost(sampling="optuna", points=40)[1].more["candidates"] for _ in range(2))
    assert first == second


def test_points_that_the_plan_refuses_are_named_and_the_search_goes_on():
    over = ("nodeGroups[pool].minSize = 0..9:1", "workloads[shop].replicas = 1..100:1")
    _, answer = best_cost(sampling="optuna", points=40, over=over)
    assert any("minSize" in note for note in answer.notes[1:])
    assert 0 < len(answer.more["candidates"]) < 40


def test_without_optuna_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(PlanProblem, match=r"pip install 'headroom\[optuna\]'"):
        best_cost(sampling="optuna")
    assert best_cost(points=4)[1].notes, "another sampling does without"
