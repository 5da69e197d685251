"""Twenty-four random plans are simulated under the laws; `make soak` takes two thousand."""

import pytest

from planner.plan.model.workloads import WorkloadKind
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.properties.laws import broken_laws
from tests.properties.random_plans import random_plan
from tests.properties.watched_run import watched

PLANS, BLOCK = 24, 3
LONGEST_US = 15 * US_PER_MIN


@pytest.mark.parametrize("first", range(0, PLANS, BLOCK))
def test_nothing_appears_or_vanishes_and_no_figure_is_negative_in_a_random_plan(first: int) -> None:
    for number in range(first, first + BLOCK):
        plan = random_plan(number)
        with watched(plan, min(plan.simulation.duration, LONGEST_US)) as (sim, result):
            assert broken_laws(plan, sim, result) == [], f"random_plan({number})"
        assert result.stopped is None, f"random_plan({number})"


@pytest.mark.parametrize("number", [3, 42])
def test_a_random_plan_and_its_seed_give_the_same_run_twice(number: int) -> None:
    plan = random_plan(number)
    assert run_plan(plan).digest() == run_plan(plan).digest()


def test_random_plans_have_something_of_everything() -> None:
    plans = [random_plan(number) for number in range(100)]
    events = {event.type for plan in plans for event in plan.events}
    kinds = {item.kind for plan in plans for item in plan.workloads}
    assert len(events) == 22 and kinds == set(WorkloadKind)
    assert any(event.pod for plan in plans for event in plan.events if event.type == "rollout")
    assert any(space.resource_quotas for plan in plans for space in plan.namespaces)
    assert any(item.pod.volumes for plan in plans for item in plan.workloads)
    assert any(plan.runs_karpenter and plan.runs_cluster_autoscaler for plan in plans)
    assert {group.pricing.billed_from.value for plan in plans for group in plan.node_groups} == {"request", "ready"}
