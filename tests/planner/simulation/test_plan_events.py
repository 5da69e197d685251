"""Every kind of event has an effect, and events may name the nodes they mean."""

from typing import get_args

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.events.plan_event import PlanEvent
from planner.record.decisions import Actor, Verdict
from planner.record.details.work import PlanEventEffect
from planner.simulation.plan_events.player import EFFECTS
from tests.planner.nodes.small_plan import Json, a_group, a_plan, decisions_of, run_of

TAINT = {"key": "maintenance", "effect": "NoSchedule"}


def test_every_kind_of_event_has_one_effect() -> None:
    kinds = get_args(get_args(PlanEvent)[0])
    assert set(EFFECTS) == set(kinds)


@pytest.mark.parametrize(
    "event",
    [
        pytest.param({"type": "cordon"}, id="cordon"),
        pytest.param({"type": "drain"}, id="drain"),
        pytest.param({"type": "taint", "taint": TAINT}, id="taint"),
        pytest.param({"type": "nodeLoss"}, id="loss"),
        pytest.param({"type": "spotReclaim"}, id="reclaim"),
    ],
)
def test_events_hit_the_nodes_they_name(event: Json) -> None:
    named = {**event, "nodeGroup": "pool", "at": "10s", "nodes": ["pool-0002", "pool-0004", "pool-0009"]}
    plan = a_plan(events=[named])
    assert list(check_plan(plan)) == []
    sim = run_of(plan, 20)
    (happened,) = decisions_of(sim, Actor.PLAN_EVENT, Verdict.HAPPENED)
    assert happened.details == PlanEventEffect(event["type"], ("pool-0002", "pool-0004"), missing=("pool-0009",))
    cluster = sim.cluster
    hit = [bool(n.unschedulable[i] or n.silent[i] or cluster.node_taints(i)) for n in [cluster.nodes] for i in range(4)]
    assert hit == [False, True, False, True]


@pytest.mark.parametrize("disabled", [True, False])
def test_the_annotation_against_removal_is_set_or_taken_off_for_a_while(disabled: bool) -> None:
    pool = {**a_group("pool", 2), "scaling": {"scaleDownDisabled": not disabled}}
    event = {"type": "scaleDownDisabled", "nodeGroup": "pool", "at": "10s", "nodes": ["pool-0002"], "duration": "20s"}
    plan = a_plan(nodeGroups=[pool], events=[{**event, "disabled": disabled}])
    during = run_of(plan, 20).cluster.nodes.scale_down_disabled
    assert during[:2].tolist() == [not disabled, disabled]
    after = run_of(plan, 40).cluster.nodes.scale_down_disabled
    assert after[:2].tolist() == [not disabled, not disabled]


def test_a_node_that_is_cordoned_already_can_be_drained_by_name() -> None:
    cordon = {"type": "cordon", "nodeGroup": "pool", "at": "10s", "nodes": ["pool-0003"]}
    drain = {"type": "drain", "nodeGroup": "pool", "at": "20s", "nodes": ["pool-0003"]}
    sim = run_of(a_plan(events=[cordon, drain]))
    (drained,) = decisions_of(sim, Actor.DRAIN, Verdict.DRAINED)
    assert drained.subject == "pool-0003"
    assert sim.cluster.node_pods[2] == {}


@pytest.mark.parametrize(
    ("nodes", "where"),
    [
        pytest.param(["pool-2"], "nodes[0]", id="a number too short"),
        pytest.param(["pool-0001", "other-0001"], "nodes[1]", id="a node of another pool"),
        pytest.param(["pool-0001", "pool-0001"], "nodes[1]", id="the same twice"),
    ],
)
def test_names_that_no_node_of_the_pool_can_have_are_refused(nodes: list[str], where: str) -> None:
    groups = [a_group("pool", 4), a_group("other", 1)]
    event = {"type": "cordon", "nodeGroup": "pool", "nodes": nodes}
    problems = [problem.where for problem in check_plan(a_plan(nodeGroups=groups, events=[event]))]
    assert problems == [f"events[0].{where}"]
