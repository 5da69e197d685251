"""Room that a plan keeps free, where Karpenter launches the nodes."""

import pytest

from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machines_of, run
from tests.planner.nodes.small_plan import a_workload


def plan_with(reserve, **parts):
    pod = {"containers": [{"requests": {"cpu": "1", "memory": "1Gi"}}]}
    return karpenter_plan(overprovisioning=[{"name": "reserve", "replicas": 2, "pod": pod, **reserve}], **parts)


def running(sim, name):
    table = sim.cluster.workloads
    row = next(row for row, spec in enumerate(sim.plan.workloads) if spec.name == name)
    return int(table.ready[row])


def cores(sim):
    sizes = {"small": 2, "medium": 4, "large": 8}
    return sum(sizes[machine] for machine in machines_of(sim))


def test_machines_are_launched_for_pause_pods_and_give_way_to_others():
    grown = [{"type": "setReplicas", "at": "10m", "workload": "web", "replicas": 6}]
    sim = run(plan_with({}, events=grown), 9 * 60)
    assert cores(sim) >= 6, "four pods and two pause pods of a core each"
    before = cores(sim)
    sim = run(plan_with({}, events=grown), 10 * 60 + 45)
    assert running(sim, "web") == 6 and cores(sim) == before, "no machine had to boot"


@pytest.mark.parametrize(
    ("autoscaler", "groups", "gate", "is_named"),
    [
        ("karpenter", [], False, True),
        ("karpenter", [], True, False),
        ("byPool", [{"name": "own", "cpu": "4", "memory": "16Gi", "maxSize": 3}], False, False),
    ],
)
def test_a_buffer_that_no_autoscaler_knows_is_named(autoscaler, groups, gate, is_named):
    parts = {"nodeAutoscaler": autoscaler, "nodeGroups": groups, "karpenter": {"capacityBuffers": gate}}
    plan = plan_with({"capacityBuffer": True}, **parts)
    assert any("CapacityBuffer" in hint.text for hint in karpenter_hints(plan)) == is_named


def test_without_the_gate_a_buffer_launches_nothing():
    assert cores(run(plan_with({"capacityBuffer": True}, workloads=[a_workload("web", 0)]), 5 * 60)) == 0


def buffered(**parts):
    return plan_with({"capacityBuffer": True}, karpenter={"capacityBuffers": True}, **parts)


def test_machines_are_launched_for_a_buffer_and_do_not_count_as_empty():
    plan = buffered(workloads=[a_workload("web", 0)])
    assert cores(run(plan, 2 * 60)) == cores(run(plan, 25 * 60)) == 2, (
        "a core each, on the smallest type that holds both"
    )


def test_pods_take_the_room_of_a_buffer_at_once_and_it_is_bought_again():
    grown = [{"type": "setReplicas", "at": "10m", "workload": "web", "replicas": 2}]
    plan = buffered(workloads=[a_workload("web", 0)], events=grown)
    assert running(run(plan, 10 * 60 + 45), "web") == 2, "no machine had to boot"
    assert cores(run(plan, 12 * 60)) == 4, "and another one has come"


def test_a_node_with_nothing_but_a_buffer_goes_when_the_buffer_finds_room_elsewhere():
    """Consolidation looks for room for the buffer too, unlike emptiness."""
    shrunk = [{"type": "setReplicas", "at": "10m", "workload": "web", "replicas": 1}]
    sim = run(buffered(workloads=[a_workload("web", 4)], events=shrunk))
    assert cores(sim) == 4, "one pod and two cores of room on one machine"
