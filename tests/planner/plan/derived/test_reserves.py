"""Reserves: number, size and cost of pause pods, and when they do not help."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.derived.reserves import HOURS_PER_MONTH, reserve_cost, resolved_reserve
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.workloads import RoomFor
from planner.units import GIB
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload

WEB = a_workload("web", pod=a_pod("1600m", "550Mi"), replicas=2)


def test_room_for_pods_of_a_workload_is_as_many_pause_pods_of_their_size() -> None:
    plan = a_plan(workloads=(WEB,), overprovisioning=(a_reserve(replicas=0, room_for=RoomFor(workload="web", pods=3)),))
    (reserve,) = (resolved_reserve(plan, each) for each in plan.overprovisioning)
    assert reserve.replicas == 3
    assert reserve.pod.containers[0].requests.cpu == 1600
    assert not list(check_plan(plan))


@pytest.mark.parametrize(("share", "pods"), [(20, 16), (20.1, 17), (100, 80)])
def test_a_share_of_the_cluster_is_rounded_up_to_whole_pods(share: float, pods: int) -> None:
    group = a_node_group(cpu=16_000, memory=64 * GIB, reserved_cpu=0, reserved_memory=0, initial_size=1)
    plan = a_plan(node_groups=(group,))
    reserve = a_reserve(replicas=0, cluster_share=share, pod=a_pod("200m", "128Mi"))
    assert resolved_reserve(plan, reserve).replicas == pods


def test_the_cost_is_that_of_the_cheapest_pool_with_room() -> None:
    size = {"cpu": 4000, "memory": 16 * GIB, "reserved_cpu": 0, "reserved_memory": 0}
    plan = a_plan(
        node_groups=(
            a_node_group("dear", price_per_hour=0.4, **size),
            a_node_group("cheap", price_per_hour=0.2, **size),
            a_node_group("small", price_per_hour=0.01, **(size | {"cpu": 500})),
        )
    )
    cost = reserve_cost(plan, a_reserve(replicas=2, pod=a_pod("1", "1Gi")))
    assert cost is not None and cost.group == "cheap"
    assert cost.per_month == pytest.approx(2 * 0.25 * 0.2 * HOURS_PER_MONTH)


@pytest.mark.parametrize(
    ("cpu", "helps"),
    [pytest.param("1600m", True, id="as large as the pod"), pytest.param("1500m", False, id="a little too small")],
)
def test_pause_pods_smaller_than_the_pods_they_reserve_for_are_pointed_out(cpu: str, helps: bool) -> None:
    plan = a_plan(workloads=(WEB,), overprovisioning=(a_reserve(pod=a_pod(cpu, "550Mi")),))
    said = [hint.text for hint in find_hints(plan) if hint.where == "overprovisioning[0].pod"]
    assert any("larger than one pause pod" in text for text in said) is not helps


def test_two_ways_to_give_the_size_are_refused() -> None:
    plan = a_plan(overprovisioning=(a_reserve(replicas=2, cluster_share=10),))
    assert [problem.where for problem in check_plan(plan)] == ["overprovisioning[0]"]


def test_room_for_an_unknown_workload_is_refused() -> None:
    plan = a_plan(overprovisioning=(a_reserve(replicas=0, room_for=RoomFor(workload="missing", pods=1)),))
    assert [problem.where for problem in check_plan(plan)] == ["overprovisioning[0].roomFor.workload"]
