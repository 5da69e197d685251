"""Where the search for feasible nodes begins when nodes have gone since it was noted."""

import pytest

from planner.kernels import switch
from planner.record.recorder import Recorder
from planner.scheduler.scheduler import Scheduler
from planner.state.cluster import Cluster
from tests.planner.state.small_cluster import small_cluster


def _place(cluster: Cluster, scheduler: Scheduler) -> int:
    pod = cluster.create_pods(0, 1)
    assert scheduler.schedule()
    return int(cluster.pods.node[pod])


def test_all_remaining_nodes_are_searched_after_nodes_have_gone() -> None:
    cluster = small_cluster(nodes=5, cpu_milli=500)
    scheduler = Scheduler(cluster, Recorder())
    scheduler.search.start = 4
    for node in (1, 2):
        cluster.remove_node(node)
    placed = {_place(cluster, scheduler) for _ in range(3)}
    assert placed == {0, 3, 4}


@pytest.mark.parametrize("kernels", ["on", switch.OFF])
def test_a_search_that_finds_nothing_goes_all_the_way_round_the_remaining_nodes(kernels, monkeypatch) -> None:
    monkeypatch.setenv(switch.VARIABLE, kernels)
    cluster = small_cluster(nodes=5, cpu_milli=1)
    scheduler = Scheduler(cluster, Recorder())
    scheduler.search.start = 4
    for node in (0, 1):
        cluster.remove_node(node)
    cluster.create_pods(0, 1)
    assert scheduler.schedule()
    assert scheduler.search.start == 4 % 3
