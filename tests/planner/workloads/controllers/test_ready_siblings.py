"""How crowded a node is, counting all active pods or only the ready ones."""

import pytest

from planner.workloads.controllers.replicas import victims
from tests.planner.state.small_cluster import small_cluster


@pytest.mark.parametrize(("count_ready_siblings", "first"), [(False, 0), (True, 3)])
def test_the_crowded_node_gives_up_a_ready_pod_first(count_ready_siblings: bool, first: int) -> None:
    cluster = small_cluster(nodes=2)
    cluster.create_pods(0, 6)
    for pod, node in enumerate((0, 0, 0, 1, 1, 0)):
        cluster.bind(pod, node)
    for pod in (0, 3, 4):
        cluster.mark_running(pod)
    order = victims(cluster, 0, 5, count_ready_siblings)
    ready = [pod for pod in order if cluster.pods.ready[pod]]
    assert ready[0] == first
    assert not cluster.pods.ready[order[0]]
