"""What a DaemonSet asks of new nodes is what its newest pod asks, which a VPA may have changed."""

from dataclasses import replace

from planner.karpenter.control.pod_views import PodViews
from planner.state.resources import CPU
from tests.planner.autoscaler_loop.world import World


def test_the_newest_pod_of_a_set_stands_for_its_pods():
    world = World()
    world.add_group("pool", nodes=4)
    planned = world.add_workload("agent", cpu=100, is_daemon=True)
    larger = replace(planned, index=len(world.cluster.pod_specs), request=planned.request * 5)
    world.cluster.pod_specs.append(larger)
    views = PodViews(world.cluster, [planned])
    assert list(views.daemons) == [planned] and views.bare_daemons == {planned.index}

    world.now_us = 10
    world.run_pods(planned, [0])
    before = views.daemons
    assert list(before) == [planned] and not views.bare_daemons

    world.run_pods(larger, [1])
    assert views.daemons is before, "of two that are equally old the first stands for them"
    world.now_us = 20
    world.run_pods(larger, [2])
    assert [spec.request[CPU] for spec in views.daemons] == [500] and views.daemons is not before
    world.now_us = 30
    world.run_pods(world.add_workload("web", cpu=900), [3])
    assert [spec.request[CPU] for spec in views.daemons] == [500]
