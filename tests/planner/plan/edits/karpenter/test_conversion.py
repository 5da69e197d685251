"""Node groups become node pools of Karpenter, and back."""

import pytest

from planner.errors import PlanProblem
from planner.plan.checks.validate import check_plan
from planner.plan.edits.karpenter.conversion import to_karpenter, to_node_groups
from planner.plan.model.plan import NodeAutoscaler, Plan
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, names_of, pool, run
from tests.planner.nodes.small_plan import a_group, a_workload


def grouped(*groups, **parts):
    whole = {"simulation": {"duration": "20m"}, "nodeGroups": list(groups), "workloads": [a_workload("web", 3)]}
    return Plan.model_validate({**whole, **parts})


def test_a_group_becomes_a_pool_of_its_machines_zones_market_and_limits():
    plan = grouped(a_group("general", 0, maxSize=5, zone="a", machineType="m", labels={"tier": "web"}))
    done = to_karpenter(plan)
    assert (done.plan.node_groups, done.lost) == ((), ())
    [made] = done.plan.karpenter.node_pools
    wanted = {each.key: each.values for each in made.requirements}
    assert wanted == {
        "node.kubernetes.io/instance-type": ("m",),
        "karpenter.sh/capacity-type": ("on-demand",),
        "topology.kubernetes.io/zone": ("a",),
    }
    assert (made.name, made.labels, made.limits.nodes) == ("general", {"tier": "web"}, 5)
    assert done.plan.node_autoscaler is NodeAutoscaler.KARPENTER
    assert not list(check_plan(done.plan))


def test_the_minimum_of_a_group_stays_as_fixed_nodes_and_the_pool_is_for_the_rest():
    done = to_karpenter(grouped(a_group("general", 4, minSize=2, maxSize=5)))
    [fixed], [made] = done.plan.node_groups, done.plan.karpenter.node_pools
    assert (fixed.min_size, fixed.max_size, fixed.initial_size) == (2, 2, 2)
    assert (made.name, made.limits.nodes) == ("general-karpenter", 3)
    assert [(some.machine_type, some.count) for some in made.initial_nodes] == [("general-machine", 2)]
    assert done.lost == ()
    assert not list(check_plan(done.plan))


def test_groups_of_one_machine_type_share_it_and_differing_sizes_are_refused():
    a, b = (a_group(name, 0, machineType="m", zone=name) for name in "ab")
    [made] = to_karpenter(grouped(a, b)).plan.karpenter.instance_types
    assert [offer.zone for offer in made.offerings] == ["a", "b"]
    with pytest.raises(PlanProblem, match="type m of different sizes"):
        to_karpenter(grouped(a, {**b, "cpu": "64"}))


def test_a_converted_plan_gives_its_pods_room():
    sim = run(to_karpenter(grouped(a_group("general", 0, maxSize=5))).plan)
    assert int(sim.cluster.workloads.ready[0]) == 3
    assert names_of(sim) == ["general-0001"]
    assert names_of(run(to_node_groups(to_karpenter(grouped(a_group("general", 2))).plan).plan, 1)) == [
        "general-general-machine-0001",
        "general-general-machine-0002",
    ]


def test_a_pool_becomes_a_group_of_the_cheapest_type_for_every_size_and_market():
    machines = [machine("m", 4, 0.2, ("on-demand", "spot")), machine("dear", 4, 0.3), machine("l", 8, 0.4)]
    both = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
    done = to_node_groups(karpenter_plan([pool(requirements=[both], limits={"cpu": "16"})], machines))
    made = {group.name: (group.max_size, group.node_price) for group in done.plan.node_groups}
    assert made == {"general-m": (4, 0.2), "general-l": (2, 0.4), "general-m-spot": (4, pytest.approx(0.2 / 3))}
    assert done.lost[-1] == "general: consolidation, budgets and expiry"
    assert not list(check_plan(done.plan))
    assert names_of(run(done.plan)), "the Cluster Autoscaler buys what the pods need"


@pytest.mark.parametrize("convert", [to_karpenter, to_node_groups])
def test_a_plan_without_pools_cannot_be_converted(convert):
    with pytest.raises(PlanProblem, match="to convert"):
        convert(Plan.model_validate({}))
