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
    ("autoscaler", "groups", "is_named"),
    [("karpenter", [], True), ("byPool", [{"name": "own", "cpu": "4", "memory": "16Gi", "maxSize": 3}], False)],
)
def test_a_buffer_that_only_the_cluster_autoscaler_knows_is_named(autoscaler, groups, is_named):
    plan = plan_with({"capacityBuffer": True}, nodeAutoscaler=autoscaler, nodeGroups=groups)
    assert any("CapacityBuffer" in hint.text for hint in karpenter_hints(plan)) == is_named


def test_without_the_cluster_autoscaler_a_buffer_launches_nothing():
    assert cores(run(plan_with({"capacityBuffer": True}, workloads=[a_workload("web", 0)]), 5 * 60)) == 0
