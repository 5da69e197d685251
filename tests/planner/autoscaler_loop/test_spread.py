"""Hard topology spread in the autoscaler's imagined cluster."""

import pytest

from planner.plan.model.pods.placement import LabelSelector, TopologySpreadConstraint
from planner.record.decisions import Verdict
from planner.state.specs import HOSTNAME_LABEL
from tests.planner.autoscaler_loop.world import World, acted


def spread_over(key: str, skew: int = 1) -> tuple[TopologySpreadConstraint, ...]:
    return (
        TopologySpreadConstraint(
            max_skew=skew, topology_key=key, label_selector=LabelSelector(match_labels={"app": "web"})
        ),
    )


def test_a_pod_that_spread_keeps_off_a_roomy_node_gets_a_new_one() -> None:
    world = World()
    one, other = world.add_group("one", nodes=1), world.add_group("other", nodes=1)
    web = world.add_workload("web", cpu=100, spread_constraints=spread_over("pool"))
    world.run_pods(world.add_workload("full", cpu=4000), [1])
    world.run_pods(web, [0])
    world.leave_pending(web, 1)
    world.start().loop_at(10)
    assert (world.target(one), world.target(other)) == (1, 2)


@pytest.mark.parametrize(("skew", "nodes"), [(1, 4), (2, 2)], ids=["one pod per node", "two pods per node"])
def test_new_nodes_are_filled_only_as_far_as_spread_over_nodes_allows(skew: int, nodes: int) -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    world.run_pods(world.add_workload("full", cpu=4000), [0])
    world.leave_pending(world.add_workload("web", cpu=100, spread_constraints=spread_over(HOSTNAME_LABEL, skew)), 4)
    world.start().loop_at(10)
    assert world.target(group) == 1 + nodes


def test_pods_learn_that_spread_keeps_them_off_a_new_node() -> None:
    world = World()
    world.add_group("one", nodes=1)
    world.add_group("other", nodes=1, most=1)
    web = world.add_workload("web", cpu=4000, spread_constraints=spread_over("pool"))
    world.run_pods(world.add_workload("full", cpu=4000), [1])
    world.run_pods(web, [0])
    world.leave_pending(web, 1)
    assert not acted(world.start().loop_at(10))
    (decision,) = world.decisions(Verdict.NOT_TRIGGERED)
    assert decision.details.refused == {
        "node(s) didn't match pod topology spread constraints": 1,
        "max node group size reached": 1,
    }


def test_a_node_stays_when_spread_keeps_its_pods_off_the_others() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    web = world.add_workload("web", cpu=100, spread_constraints=spread_over(HOSTNAME_LABEL))
    world.run_pods(web, [0, 1])
    world.start().loop_at(10)
    said = {d.subject: d.details.reason for d in world.decisions(Verdict.UNREMOVABLE)}
    assert said == dict.fromkeys(("pool-0001", "pool-0002"), "NoPlaceToMovePods")


def test_a_zone_whose_nodes_are_all_to_go_no_longer_draws_pods() -> None:
    """With the empty zone counted, the pod could move there alone, and its nodes are no destinations any more."""
    world = World()
    world.add_group("empty", nodes=1)
    world.add_group("used", nodes=2)
    web = world.add_workload("web", cpu=1000, spread_constraints=spread_over("pool"))
    world.run_pods(web, [1, 2, 2, 2])
    world.start().loop_at(10)
    assert {d.subject for d in world.decisions(Verdict.UNNEEDED)} == {"empty-0001", "used-0001"}
