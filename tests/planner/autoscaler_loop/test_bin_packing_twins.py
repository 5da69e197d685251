"""Equal pods placed in one step go where they would go one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.estimator.bin_packing import Estimate, PodBatch, estimate_nodes
from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.groups.templates import group_template
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.resources import pod_amounts
from planner.state.specs import HOSTNAME_LABEL, PodSpec, PortClaim
from tests.planner.autoscaler_loop.world import World


class OneByOne(NewNodeRules):
    """Says of every template that more than room decides."""

    def is_plain(self, spec: PodSpec) -> bool:
        return False


def estimate(world: World, counts: list[tuple[PodSpec, int]], limit: int | None, *, singly: bool) -> Estimate:
    """The nodes that so many pods of the templates need."""
    cluster = world.cluster
    template = group_template(cluster.node_specs[0], (), world.axis)
    nowhere = np.zeros(0, dtype=np.int64)
    snapshot = Snapshot(cluster, nowhere, (), StaticFit(cluster), lambda spec, template: (True, True, True))
    kind = OneByOne if singly else NewNodeRules
    return estimate_nodes(
        [PodBatch(pod_amounts(spec.request), count, spec=spec) for spec, count in counts],
        template.node.allocatable,
        template.free,
        limit,
        SearchCursor(),
        rules=kind(snapshot, template, [spec for spec, _ in counts]),
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 14)), min_size=1, max_size=5),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_one_step_equals_one_by_one(batches: list[tuple[int, int]], limit: int | None) -> None:
    world = World()
    world.add_group("pool")
    counts = [(world.add_workload(f"w{at}", cpu=cpu * 500), count) for at, (cpu, count) in enumerate(batches)]
    assert estimate(world, counts, limit, singly=True) == estimate(world, counts, limit, singly=False)


def test_pods_that_repel_each_other_get_a_node_each() -> None:
    world = World()
    world.add_group("pool")
    away = PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=LabelSelector(match_labels={"app": "web"}))
    web = world.add_workload("web", cpu=100, required_anti_affinity=(away,))
    assert estimate(world, [(web, 3)], None, singly=False) == Estimate(3, (3,))


def test_pods_with_the_same_host_port_get_a_node_each() -> None:
    world = World()
    world.add_group("pool")
    web = world.add_workload("web", cpu=100, host_ports=(PortClaim(8080),))
    assert estimate(world, [(web, 2)], None, singly=False) == Estimate(2, (2,))


def test_pods_that_seek_each_other_share_one_node() -> None:
    world = World()
    world.add_group("pool")
    near = PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=LabelSelector(match_labels={"app": "web"}))
    web = world.add_workload("web", cpu=1500, required_affinity=(near,))
    assert estimate(world, [(web, 5)], None, singly=False) == Estimate(1, (2,))
