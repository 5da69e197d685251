"""Where the search for feasible nodes begins when nodes have gone since it was noted."""

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
