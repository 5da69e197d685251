"""Pools of Karpenter whose settings change while a run goes on."""

import json

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machines_of, names_of, pool, run
from tests.planner.nodes.small_plan import a_workload, decisions_of, seconds

K = Actor.KARPENTER


def changed(change: str, at: str = "5m", **parts: str) -> dict:
    return {"type": "change", "at": at, "changes": [f"karpenter.nodePools{change}"], **parts}


def scaled(at: str, replicas: int) -> dict:
    return {"type": "setReplicas", "at": at, "workload": "web", "replicas": replicas}


@pytest.mark.parametrize(
    ("change", "nodes"),
    [
        pytest.param('[general].limits.cpu = "4"', 1, id="a limit"),
        pytest.param("[general].limits.nodes = 1", 1, id="a number of nodes"),
        pytest.param("[general].limits.nodes = 9", 2, id="one that is not reached"),
    ],
)
def test_a_limit_that_comes_later_holds_for_new_nodes(change, nodes):
    plan = karpenter_plan(
        [pool(disruption={"consolidateAfter": None})], events=[changed(change, "1m"), scaled("5m", 6)]
    )
    assert len(names_of(run(plan, 600))) == nodes


@pytest.mark.parametrize(
    ("change", "left"),
    [
        pytest.param("[general].disruption.consolidateAfter = 0s", ["small"], id="it consolidates"),
        pytest.param("[general].disruption.consolidateAfter = 1h", ["large"], id="later"),
    ],
)
def test_a_pool_may_begin_to_consolidate(change, left):
    plan = karpenter_plan(
        [pool(disruption={"consolidateAfter": None})], workloads=[a_workload("web", 7)],
        events=[scaled("5m", 2), changed(change, "10m")],
    )  # fmt: skip
    assert machines_of(run(plan, 600)) == ["large"]
    assert machines_of(run(plan, 1200)) == left


def test_a_budget_that_changes_lets_nodes_go_as_long_as_it_holds():
    plan = karpenter_plan(
        [pool(disruption={"budgets": [{"nodes": 0}]})], workloads=[a_workload("web", 7)],
        events=[
            scaled("5m", 2),
            changed("[general].disruption.budgets[0].nodes = 1", "10m", duration="5m"),
            scaled("20m", 1),
        ],
    )  # fmt: skip
    assert machines_of(run(plan, 600)) == ["large"]
    assert machines_of(run(plan)) == ["small"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param('[general].labels = {"tier": "new"}', "NodePoolDrifted", id="a label"),
        pytest.param("[general].expireAfter = 7d", "NodePoolDrifted", id="an age"),
        pytest.param(
            '[general].taints = [{"key": "a", "effect": "PreferNoSchedule"}]', "NodePoolDrifted", id="a taint"
        ),
        pytest.param('[general].requirements[0].values = ["spot"]', "RequirementsDrifted", id="a requirement"),
        pytest.param("[general].weight = 7", None, id="a weight does not matter"),
        pytest.param("[general].limits.nodes = 9", None, id="nor a limit"),
    ],
)
def test_nodes_of_another_template_have_drifted_at_once_and_are_replaced(change, reason):
    machines = [
        {"name": "medium", "cpu": "4", "memory": "16Gi", "offerings": [
            {"zone": "a", "capacityType": market, "price": 0.2} for market in ("on-demand", "spot")
        ]},
    ]  # fmt: skip
    plan = karpenter_plan([pool()], machines, events=[changed(change)])
    sim = run(plan)
    drifted = decisions_of(sim, K, Verdict.HAPPENED)
    assert seconds(drifted) == ([300] if reason else [])
    assert [one.details.reason for one in drifted] == ([reason] if reason else [])
    assert names_of(sim) == (["general-0002"] if reason else ["general-0001"])


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"disruption": {"consolidateAfter": "4m"}}, id="rest"),
        pytest.param({"disruption": {"budgets": [{"nodes": "50%", "reasons": ["Empty"]}]}}, id="budgets"),
        pytest.param({"limits": {"cpu": "8"}}, id="limits"),
        pytest.param({"taints": [{"key": "a", "effect": "PreferNoSchedule"}], "expireAfter": "12m"}, id="template"),
    ],
)
def test_a_change_before_the_first_node_is_as_if_the_pool_had_been_so(parts):
    busy = {"workloads": [a_workload("web", 9)], "events": [scaled("5m", 2), scaled("12m", 14), scaled("20m", 3)]}
    changes = [changed(f"[general].{key} = {json.dumps(value)}", "0s") for key, value in parts.items()]
    later = karpenter_plan([pool()], **{**busy, "events": [*busy["events"], *changes]})
    series, others = run_plan(karpenter_plan([pool(**parts)], **busy)).series, run_plan(later).series
    assert [name for name in series if not np.array_equal(series[name], others[name], equal_nan=True)] == []
    plain = run_plan(karpenter_plan([pool()], **busy)).series
    assert any(not np.array_equal(plain[name], others[name], equal_nan=True) for name in plain), "the change matters"


def test_a_node_that_fits_again_has_drifted_no_more():
    plan = karpenter_plan(
        [pool(disruption={"budgets": [{"nodes": 0}]})],
        events=[changed('[general].labels = {"tier": "new"}', duration="5m"), changed("[general].weight = 1", "20m")],
    )
    assert names_of(run(plan)) == ["general-0001"]
    assert run(plan, 400).karpenter.world.claims["general-0001"].drifted_us is not None
    assert run(plan, 700).karpenter.world.claims["general-0001"].drifted_us is None


@pytest.mark.parametrize(
    "change", ["[general].name = other", "[general].initialNodes = []", "[general] = null", "[other].weight = 1"]
)
def test_what_of_a_pool_does_not_change_is_a_problem(change):
    found = check_plan(karpenter_plan(events=[changed(change)]))
    assert [one.where for one in found] == ["events[0].changes[0]"]
