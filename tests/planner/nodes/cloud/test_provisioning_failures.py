"""Ways in which new nodes fail, and the stages of those that come."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.simulation import Simulation
from planner.state.nodes import NONE
from planner.units import US_PER_S
from tests.planner.nodes.small_plan import Json, a_group, a_plan, a_workload, decisions_of, run_of

GPU, LABEL = "nvidia.com/gpu", "cloud.google.com/gke-accelerator"
SCALING = {"enabled": True, "maxNodeProvisionTime": "5m", "scaleDownUnreadyTime": "10m", "gpuLabel": LABEL}
TIGHT = a_workload("web", 2, pod={"containers": [{"name": "m", "requests": {"cpu": "3", "memory": "1Gi"}}]})
ON_GPU = a_workload("train", 1, pod={"containers": [{"name": "m", "requests": {"cpu": "1", "extended": {GPU: 1}}}]})


def failing(kind: str, **parts: object) -> Json:
    """An event after which all new nodes of the pool fail."""
    return {"type": "provisioningFailure", "nodeGroup": "pool", "kind": kind, **parts}


def one_more(event: Json | None = None, until_s: int | None = None, **pool: object) -> Simulation:
    """A pool of one node, with pods for two."""
    events = [] if event is None else [event]
    groups = [a_group("pool", 1, **pool)]
    plan = a_plan(nodeGroups=groups, workloads=[TIGHT], clusterAutoscaler=SCALING, events=events)
    assert list(check_plan(plan)) == []
    return run_of(plan, until_s)


def with_gpus(event: Json | None, until_s: int, labels: Json | None = None, **pool: object) -> Simulation:
    """An empty pool of GPU nodes, and a pod that wants one."""
    groups = [a_group("base", 1), a_group("pool", 0, extended={GPU: 1}, labels=labels or {}, **pool)]
    events = [] if event is None else [event]
    plan = a_plan(nodeGroups=groups, workloads=[ON_GPU], clusterAutoscaler=SCALING, events=events)
    return run_of(plan, until_s)


def test_without_failures_the_node_comes() -> None:
    sim = one_more(until_s=200)
    assert int(sim.cluster.workloads.ready[0]) == 2


def test_a_refused_request_makes_the_group_back_off() -> None:
    sim = one_more(failing("refused"), until_s=250)
    assert round((int(sim.cluster.nodes.failed_us[1]) - int(sim.cluster.nodes.requested_us[1])) / US_PER_S) == 10
    assert decisions_of(sim, Actor.SCALE_UP, Verdict.FAILED)
    assert sim.cluster.nodes.exists.sum() == 1


def test_after_the_failure_ends_the_group_grows_when_its_back_off_is_over() -> None:
    sim = one_more(failing("refused", duration="2m"))
    assert int(sim.cluster.workloads.ready[0]) == 2


def test_an_instance_that_never_registers_is_given_up_after_the_provision_time() -> None:
    sim = one_more(failing("neverRegisters", duration="1m"))
    nodes = sim.cluster.nodes
    assert nodes.registered_us[1] == NONE
    waited_s = (int(nodes.delete_requested_us[1]) - int(nodes.requested_us[1])) / US_PER_S
    assert 300 < waited_s < 330
    assert int(sim.cluster.workloads.ready[0]) == 2


def test_a_node_that_never_gets_ready_takes_no_pods_and_is_removed() -> None:
    sim = one_more(failing("neverReady", duration="1m"))
    nodes = sim.cluster.nodes
    assert nodes.registered_us[1] != NONE and nodes.ready_us[1] == NONE
    assert nodes.removed_us[1] != NONE
    assert int(sim.cluster.workloads.ready[0]) == 2


def test_a_node_registers_before_it_is_ready_and_before_its_devices_are_there() -> None:
    stages = {"provisioningDelay": "1m", "readyDelay": "20s", "driverDelay": "40s", "labels": {LABEL: "t4"}}
    early, late = with_gpus(None, 120, **stages), with_gpus(None, 200, **stages)
    gpu = early.cluster.axis.index(GPU)
    nodes = late.cluster.nodes
    requested_us = int(nodes.requested_us[1])
    stages_us = [int(nodes.registered_us[1]), int(nodes.ready_us[1])]
    assert [round((at_us - requested_us) / US_PER_S) for at_us in stages_us] == [60, 80]
    assert early.cluster.nodes.ready[1] and early.cluster.nodes.allocatable[1, gpu] == 0
    assert late.cluster.nodes.allocatable[1, gpu] == 1
    (pod,) = late.cluster.workload_pods[0]
    assert round((int(late.cluster.pods.bound_us[pod]) - requested_us) / US_PER_S) == 120
    assert nodes.count == 2, "the label makes the autoscaler wait for the device"


@pytest.mark.parametrize(
    ("labels", "again"),
    [
        pytest.param({LABEL: "t4"}, False, id="a labelled node counts as unready and is waited for"),
        pytest.param({}, True, id="one without label looks finished, so another is asked for again and again"),
    ],
)
def test_devices_that_never_appear(labels: Json, again: bool) -> None:
    sim = with_gpus(failing("resourceMissing"), 300, labels=labels)
    assert int(sim.cluster.workloads.ready[0]) == 0
    assert (int((sim.cluster.nodes.group == 1).sum()) > 1) == again


def test_some_of_many_fail_by_their_share() -> None:
    workload = a_workload("web", 200, pod={"containers": [{"name": "m", "requests": {"cpu": "3"}}]})
    event = failing("neverRegisters", ratio=0.3)
    groups = [a_group("pool", 1, maxSize=400)]
    plan = a_plan(nodeGroups=groups, workloads=[workload], clusterAutoscaler=SCALING, events=[event])
    registered = int(run_of(plan, 200).cluster.nodes.exists.sum())
    assert registered == pytest.approx(140, abs=25)


def test_a_quota_refuses_what_goes_beyond_it() -> None:
    workload = a_workload("web", 8, pod={"containers": [{"name": "m", "requests": {"cpu": "3"}}]})
    groups = [a_group("pool", 1, quota=4)]
    sim = run_of(a_plan(nodeGroups=groups, workloads=[workload], clusterAutoscaler=SCALING))
    assert int(sim.cluster.nodes.exists.sum()) == 4
    assert decisions_of(sim, Actor.SCALE_UP, Verdict.FAILED)


def test_a_missing_device_needs_a_pool_that_has_one() -> None:
    plan = a_plan(events=[failing("resourceMissing")])
    assert [problem.where for problem in check_plan(plan)] == ["events[0].kind"]


def test_several_troubles_of_a_pool_act_together() -> None:
    late = {"type": "slowProvisioning", "nodeGroup": "pool", "factor": 3}
    stock = {"type": "stockOut", "nodeGroup": "pool", "available": 1}
    groups = [a_group("pool", 1)]
    workload = a_workload("web", 3, pod=TIGHT["pod"])
    plan = a_plan(nodeGroups=groups, workloads=[workload], clusterAutoscaler=SCALING, events=[late, stock])
    nodes = run_of(plan, 240).cluster.nodes
    assert int((nodes.failed_us != NONE).sum()) == 1
    assert round((int(nodes.registered_us[1]) - int(nodes.requested_us[1])) / US_PER_S) == 180
