"""Boot times and the life of instances."""

from typing import Any

import numpy as np
import pytest

from planner.engine.draws import Draws
from planner.nodes.cloud.provisioning import Cloud, Delays, InstanceDeleted, NodeBooted, boot_time_us
from planner.state.pods import EndReason
from tests.planner.state.small_cluster import small_cluster

MEAN_US, SPREAD_US = 210_000_000, 30_000_000


def test_boot_times_have_the_mean_and_spread_of_the_group() -> None:
    draws, delays = Draws(1).of("test"), Delays(MEAN_US, SPREAD_US, 0)
    times = np.array([boot_time_us(delays, draws, node) for node in range(20_000)])
    assert times.mean() == pytest.approx(MEAN_US, rel=0.01)
    assert times.std() == pytest.approx(SPREAD_US, rel=0.05)
    assert (times > 0).all()


def test_without_spread_every_node_takes_the_same_time() -> None:
    assert boot_time_us(Delays(MEAN_US, 0, 0), Draws(1).of("test"), 1) == MEAN_US


def test_a_deleted_instance_takes_its_pods_along_and_lowers_the_target_at_once() -> None:
    cluster = small_cluster()
    cloud = Cloud(cluster, cluster.clock, {0: Delays(MEAN_US, 0, 30_000_000)}, Draws(1))
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, 0)
    cloud.delete_node(0)
    assert cluster.groups.target[0] == 1
    assert cluster.nodes.exists[0]
    event = cluster.clock.pop()  # type: ignore[attr-defined]
    assert event == InstanceDeleted(0) and cluster.clock.now_us == 30_000_000
    cloud.on_instance_deleted(event)
    assert cluster.pods.end_reason[pod] == EndReason.NODE_REMOVED
    assert not cluster.nodes.exists[0]


def test_an_instance_that_two_controllers_delete_goes_once() -> None:
    cluster = small_cluster()
    clock: Any = cluster.clock
    cloud = Cloud(cluster, clock, {0: Delays(MEAN_US, 0, 30_000_000)}, Draws(1))
    cloud.delete_node(0)
    clock.advance(5_000_000)
    cloud.delete_node(0)
    assert cluster.groups.target[0] == 1
    assert cluster.nodes.delete_requested_us[0] == 0
    assert clock.pop() == InstanceDeleted(0)
    assert clock.peek() is None


def test_an_instance_deleted_while_booting_never_joins() -> None:
    cluster = small_cluster(nodes=0)
    cloud = Cloud(cluster, cluster.clock, {0: Delays(MEAN_US, 0, 0)}, Draws(1))
    cloud.increase_size(0, 1)
    cloud.delete_node(0)
    cloud.on_instance_deleted(InstanceDeleted(0))
    cloud.on_node_booted(NodeBooted(0))
    assert cluster.groups.registered[0] == 0


def test_delays_of_what_the_autoscaler_asks_for_end_with_the_moments_of_the_others() -> None:
    cluster = small_cluster(nodes=1)
    clock: Any = cluster.clock
    cloud = Cloud(cluster, clock, {0: Delays(MEAN_US, 0, 0)}, Draws(1))
    clock.advance(5_000_500)
    cloud.increase_size(0, 1)
    cloud.delete_node(0)
    due = []
    while clock.peek() is not None:
        due.append((clock.pop(), clock.now_us))
    assert due == [(InstanceDeleted(0), 6_000_000), (NodeBooted(1), 5_000_000 + MEAN_US)]


def test_a_node_without_boot_time_joins_at_once() -> None:
    cluster = small_cluster(nodes=0)
    clock: Any = cluster.clock
    clock.advance(5_000_500)
    Cloud(cluster, clock, {0: Delays(0, 0, 0)}, Draws(1)).increase_size(0, 1)
    assert clock.pop() == NodeBooted(0) and clock.now_us == 5_000_500
