"""Which pods a ReplicaSet deletes first."""

from planner.state.cluster import Cluster
from planner.workloads.controllers.replicas import victims
from tests.planner.state.small_cluster import small_cluster


def _running(cluster: Cluster, node: int, at_s: int) -> int:
    cluster.clock.advance(at_s * 1_000_000)  # type: ignore[attr-defined]
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, node)
    cluster.mark_running(pod)
    return pod


def test_unbound_then_pending_then_running() -> None:
    cluster = small_cluster()
    ready = _running(cluster, 0, 0)
    starting = cluster.create_pods(0, 1)
    cluster.bind(starting, 1)
    unbound = cluster.create_pods(0, 1)
    assert victims(cluster, 0, 2) == [unbound, starting]
    assert victims(cluster, 0, 3) == [ready, starting, unbound]


def test_more_ready_siblings_on_the_node_go_first() -> None:
    cluster = small_cluster()
    alone = _running(cluster, 0, 0)
    pair = [_running(cluster, 1, 0), _running(cluster, 1, 0)]
    assert victims(cluster, 0, 2) == pair
    assert alone not in victims(cluster, 0, 2)


def test_younger_goes_first_but_only_by_powers_of_two() -> None:
    cluster = small_cluster(nodes=3)
    old, older, young = _running(cluster, 0, 10), _running(cluster, 1, 12), _running(cluster, 2, 100)
    cluster.clock.advance(110_000_000)  # type: ignore[attr-defined]
    assert victims(cluster, 0, 1) == [young]
    assert victims(cluster, 0, 2) == [young, old]
    assert older == old + 1


def test_asking_for_more_than_there_are_gives_all() -> None:
    cluster = small_cluster()
    cluster.create_pods(0, 2)
    assert victims(cluster, 0, 9) == [0, 1]


def test_of_pods_equally_old_the_one_that_restarted_more_goes_first() -> None:
    cluster = small_cluster(nodes=2)
    for node in range(2):
        cluster.bind(cluster.create_pods(0, 1), node)
    cluster.count_restart(1)
    assert victims(cluster, 0, 1) == [1]
