"""A warm start begins with nodes and pods that have existed for a while: nothing counts as newborn."""

from typing import Any

import pytest

from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, run_of

AGED: list[Any] = [
    pytest.param({}, True, id="warm start"),
    pytest.param({"initialNodeAge": "0s", "initialPodAge": "0s"}, False, id="newborn"),
    pytest.param({"warmStart": False}, False, id="cold start"),
]


def _plan(simulation: dict[str, Any], **parts: Any) -> Plan:
    return a_plan(**({"simulation": {"duration": "40m", "seed": 1, **simulation}} | parts))


def _readiness(sim: Simulation) -> tuple[int, int]:
    """Nodes of the pool that the autoscaler counts as unready, and as starting."""
    seen = sim.autoscaler._autoscaler.group_state.groups[0]
    return seen.unready, len(seen.not_started)


@pytest.mark.parametrize(("simulation", "is_old"), AGED)
def test_a_node_that_dies_in_the_first_minutes_is_broken_and_not_about_to_start(
    simulation: dict[str, Any], is_old: bool
) -> None:
    loss = {"type": "nodeLoss", "nodeGroup": "pool", "at": "1m", "nodeRemovedAfter": "0s"}
    sim = run_of(_plan(simulation, clusterAutoscaler={"enabled": True}, events=[loss]), until_s=300)
    assert _readiness(sim) == ((1, 0) if is_old else (0, 1))


@pytest.mark.parametrize(("simulation", "is_old"), AGED)
def test_system_pods_of_the_start_do_not_keep_their_node_for_an_hour(simulation: dict[str, Any], is_old: bool) -> None:
    plan = _plan(
        simulation,
        nodeGroups=[a_group("pool", 2, minSize=0)],
        workloads=[a_workload("dns", 1, namespace="kube-system")],
        clusterAutoscaler={"enabled": True, "scaleDownUnneededTime": "5m"},
    )
    decisions = run_plan(plan).decisions
    blocked = [one for one in decisions if getattr(one.details, "pod", "").startswith("dns")]
    assert bool(blocked) is not is_old
    assert any(one.actor is Actor.SCALE_DOWN and one.verdict is Verdict.REMOVED for one in decisions)


@pytest.mark.parametrize("age", ["0s", "1d", "300d"])
def test_the_time_before_the_run_is_neither_reported_nor_paid(age: str) -> None:
    plan = _plan({"initialNodeAge": age, "initialPodAge": age}, nodeGroups=[a_group("pool", 2, pricePerHour=3)])
    result = run_plan(plan)
    assert result.figures["cost"].value == pytest.approx(2 * 3 * 40 / 60)
    assert result.figures["pending_pod_time"].value == 0.0
    assert {(row["created_s"], row["scheduled_s"], row["ready_s"]) for row in result.pods} == {(0.0, 0.0, 0.0)}
    assert {(row["requested_s"], row["registered_s"], row["ready_s"]) for row in result.nodes} == {(0.0, 0.0, 0.0)}
    web = next(row for row in result.costs if row["kind"] == "workload")
    assert web["cost_currency"] == pytest.approx(2.0), "4 of 8 cores over the whole run"


def test_pools_and_workloads_can_have_an_age_of_their_own() -> None:
    own = [a_workload("old", 1, initialAge="3h"), a_workload("usual", 1)]
    sim = run_of(_plan({}, nodeGroups=[a_group("pool", 2, initialAge="2h"), a_group("b", 1)], workloads=own), until_s=0)
    cluster, hour = sim.cluster, 3_600_000_000
    ages = dict(zip(cluster.workload_names, -cluster.pods.created_us // hour, strict=True))
    assert ages == {"old": 3, "usual": 24}
    assert (-cluster.nodes.registered_us // hour).tolist() == [2, 2, 24]
