"""Volumes that nodes can attach, by CSI driver: a filter of the scheduler, and so of the autoscaler's simulations."""

from typing import Any

import pytest

from planner.record.decisions import Actor, Verdict
from planner.scheduler.reasons import Reason
from planner.simulation.run import run_plan
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of

EBS = "ebs.csi.aws.com"


def a_store(replicas: int, volumes: dict[str, int], **settings: Any) -> dict[str, Any]:
    """Small pods with volumes."""
    pod = {"containers": [{"requests": {"cpu": "100m", "memory": "64Mi"}}], "volumes": volumes}
    return a_workload("store", replicas, pod=pod, **settings)


@pytest.mark.parametrize(
    ("limits", "volumes", "running"),
    [
        ({EBS: 3}, {EBS: 1}, 6),
        ({EBS: 3}, {EBS: 2}, 2),
        ({EBS: 3}, {"other.example.com": 1}, 10),
        ({EBS: 3}, {}, 10),
        ({}, {EBS: 1}, 10),
        ({EBS: 3, "other.example.com": 1}, {EBS: 1, "other.example.com": 1}, 2),
    ],
)
def test_a_node_takes_pods_up_to_its_limit_of_every_driver(
    limits: dict[str, int], volumes: dict[str, int], running: int
) -> None:
    plan = a_plan(nodeGroups=[a_group("pool", 2, volumeLimits=limits)], workloads=[a_store(10, volumes)])
    sim = run_of(plan, 60)
    assert int(sim.cluster.workloads.ready[0]) == running
    refused = {decision.details.refused.get(Reason.VOLUME_COUNT)
               for decision in decisions_of(sim, Actor.SCHEDULER, Verdict.UNSCHEDULABLE)}  # fmt: skip
    assert refused == ({2} if running < 10 else set())


def test_the_autoscaler_counts_volumes_on_new_nodes() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 1, volumeLimits={EBS: 3})],
        workloads=[a_store(8, {EBS: 1})],
        clusterAutoscaler={},
    )
    sim = run_of(plan)
    assert int(sim.cluster.workloads.ready[0]) == 8 and int(sim.cluster.nodes.exists.sum()) == 3
    assert len(decisions_of(sim, Actor.SCALE_UP, Verdict.TRIGGERED)) == 1


def test_no_node_is_added_for_a_pod_with_more_volumes_than_a_node_can_attach() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 1, volumeLimits={EBS: 3})],
        workloads=[a_store(1, {EBS: 4})],
        clusterAutoscaler={},
    )
    sim = run_of(plan)
    assert int(sim.cluster.groups.created[0]) == 1
    assert not decisions_of(sim, Actor.SCALE_UP, Verdict.TRIGGERED)


def test_a_pod_that_goes_makes_room_for_a_volume() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 1, volumeLimits={EBS: 3})],
        workloads=[a_store(3, {EBS: 1}), {**a_store(1, {EBS: 1}), "name": "late"}],
        events=[{"type": "setReplicas", "at": "5m", "workload": "store", "replicas": 2}],
    )
    result = run_plan(plan)
    assert result.series["pods_pending_count"][0] == 1 and result.series["pods_pending_count"][-1] == 0
