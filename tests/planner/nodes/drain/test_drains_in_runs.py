"""Drains, upgrades, budgets and taints as events of the plan."""

import pytest

from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from planner.state.pods import EndReason
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds

BUDGET = {"name": "web", "selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": 1}
DRAIN = {"type": "drain", "nodeGroup": "pool", "at": "100s"}
TAINT = {"type": "taint", "nodeGroup": "pool", "at": "100s", "count": 4}
CUSTOM = {"key": "maintenance", "effect": "NoExecute"}


def ended(sim: Simulation, reason: EndReason) -> int:
    return int((sim.cluster.pods.end_reason == reason).sum())


def test_a_drain_cordons_evicts_and_leaves_the_node_empty() -> None:
    sim = run_of(a_plan(events=[DRAIN]))
    (end,) = decisions_of(sim, Actor.DRAIN, Verdict.DRAINED)
    assert end.details.evicted == 1
    assert end.details.took_s == 5, "the pod needs 5 s to stop; looked at every second"
    assert sim.cluster.nodes.unschedulable[0]
    assert not sim.cluster.node_pods[0]
    assert int(sim.cluster.workloads.ready[0]) == 4


def test_a_drained_node_takes_pods_again_after_the_uncordon() -> None:
    sim = run_of(a_plan(events=[{**DRAIN, "uncordonAfter": "1m"}]))
    assert not sim.cluster.nodes.unschedulable[0]


def test_a_budget_makes_a_drain_take_turns() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 2)],
        workloads=[a_workload("web", 4, pod={"startupDelay": "20s"})],
        podDisruptionBudgets=[BUDGET],
        events=[DRAIN],
    )
    sim = run_of(plan)
    (end,) = decisions_of(sim, Actor.DRAIN, Verdict.DRAINED)
    refusals = decisions_of(sim, Actor.EVICTION, Verdict.REFUSED)
    # One after the other: 20 s until the successor is Ready, on the grid of 5 s; then 5 s to stop.
    assert end.details.took_s == pytest.approx(25)
    assert {one.details.budget for one in refusals} == {"web"}
    assert min(seconds(refusals)) == 100


def test_a_drain_gives_up_when_two_budgets_cover_a_pod() -> None:
    sim = run_of(a_plan(podDisruptionBudgets=[BUDGET, {**BUDGET, "name": "other"}], events=[DRAIN]))
    assert len(decisions_of(sim, Actor.DRAIN, Verdict.FAILED)) == 1
    assert ended(sim, EndReason.EVICTED) == 0


def test_a_pod_that_no_eviction_can_remove_does_not_hold_up_the_others_of_its_node() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 2)],
        workloads=[a_workload("web", 2), a_workload("batch", 2)],
        podDisruptionBudgets=[BUDGET, {**BUDGET, "name": "other"}],
        events=[DRAIN],
    )
    sim = run_of(plan)
    (end,) = decisions_of(sim, Actor.DRAIN, Verdict.FAILED)
    assert (end.details.evicted, end.details.left) == (1, 1)
    assert end.details.took_s == 5, "the drain waits for the pod that goes"
    assert ended(sim, EndReason.EVICTED) == 1


def test_a_drain_gives_up_after_its_time_out() -> None:
    stuck = {**BUDGET, "maxUnavailable": 0}
    sim = run_of(a_plan(podDisruptionBudgets=[stuck], events=[{**DRAIN, "timeout": "2m"}]))
    (end,) = decisions_of(sim, Actor.DRAIN, Verdict.FAILED)
    assert end.details.took_s == 120


def test_an_upgrade_replaces_every_node_one_by_one_and_reports_its_duration() -> None:
    plan = a_plan(
        podDisruptionBudgets=[BUDGET],
        events=[{"type": "nodeUpgrade", "nodeGroup": "pool", "at": "100s"}],
    )
    sim = run_of(plan)
    (end,) = decisions_of(sim, Actor.DRAIN, Verdict.ENDED)
    nodes = sim.cluster.nodes
    assert end.details.nodes == 4
    assert [sim.cluster.node_name(node) for node in range(nodes.count) if nodes.exists[node]] == [
        "pool-0005", "pool-0006", "pool-0007", "pool-0008",
    ]  # fmt: skip
    # Four times a minute of boot and five seconds of drain.
    assert end.details.took_s == pytest.approx(4 * (60 + 5), abs=4)
    assert int(sim.cluster.workloads.ready[0]) == 4


def test_an_upgrade_without_surge_takes_nodes_away_first() -> None:
    event = {"type": "nodeUpgrade", "nodeGroup": "pool", "at": "100s", "maxSurge": 0, "maxUnavailable": 2}
    sim = run_of(a_plan(events=[event]))
    assert decisions_of(sim, Actor.DRAIN, Verdict.ENDED)[0].details.nodes == 4
    assert int(sim.cluster.groups.registered[0]) == 4


@pytest.mark.parametrize(
    ("tolerations", "gone_s"),
    [
        pytest.param([], 100, id="a pod without toleration goes at once"),
        pytest.param([{"key": "maintenance", "operator": "Exists", "tolerationSeconds": "90s"}], 190, id="later"),
        pytest.param([{"key": "maintenance", "operator": "Exists"}], None, id="a full toleration keeps it"),
    ],
)
def test_a_no_execute_taint_deletes_pods_by_their_tolerations(
    tolerations: list[dict[str, str]], gone_s: float | None
) -> None:
    pod = {"tolerations": tolerations}
    sim = run_of(a_plan(workloads=[a_workload("web", 4, pod=pod)], events=[{**TAINT, "taint": CUSTOM}]), 400)
    evicted = seconds(decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED))
    assert set(evicted[:4]) == (set() if gone_s is None else {gone_s})


def test_a_taint_that_is_removed_in_time_deletes_no_pod() -> None:
    pod = {"tolerations": [{"key": "maintenance", "operator": "Exists", "tolerationSeconds": "90s"}]}
    event = {**TAINT, "taint": CUSTOM, "duration": "60s"}
    sim = run_of(a_plan(workloads=[a_workload("web", 4, pod=pod)], events=[event]))
    assert decisions_of(sim, Actor.TAINT_EVICTION, Verdict.EVICTED) == []


def test_a_cordoned_pool_takes_no_new_pods_until_it_is_uncordoned() -> None:
    cordon = {"type": "cordon", "nodeGroup": "pool", "at": "50s", "count": 4, "duration": "5m"}
    flip = {"type": "taint", "nodeGroup": "pool", "at": "100s", "count": 1, "taint": CUSTOM, "duration": "1s"}
    plan = a_plan(events=[cordon, flip])
    assert int(run_of(plan, 300).cluster.workloads.unbound[0]) == 1
    assert int(run_of(plan, 400).cluster.workloads.ready[0]) == 4
