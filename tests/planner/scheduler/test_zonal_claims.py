"""A StatefulSet pod with a volume stays in the zone of its first node."""

from planner.record.recorder import Recorder
from planner.scheduler.reasons import Reason
from planner.scheduler.scheduler import Scheduler
from tests.planner.scheduler.builders import a_cluster, a_group, a_node, a_template


def run(scheduler):
    while scheduler.schedule():
        pass


def test_the_successor_of_a_pod_goes_to_its_zone_and_waits_if_there_is_no_room():
    cluster, recorder = a_cluster(), Recorder()
    scheduler = Scheduler(cluster, recorder)
    nodes = {zone: a_node(cluster, a_group(cluster, zone, cpu=1_000, zone=zone)) for zone in "ab"}
    data = a_template(cluster, "data", zonal_claim=True)
    first = [cluster.create_pods(data.index, 1, ordinals=[ordinal]) for ordinal in (0, 1)]
    run(scheduler)
    homes = [int(cluster.pods.node[pod]) for pod in first]
    assert sorted(homes) == sorted(nodes.values())
    for pod in first:
        cluster.remove_pod(pod)
    successor = cluster.create_pods(data.index, 1, ordinals=[1])
    run(scheduler)
    assert cluster.pods.node[successor] == homes[1]
    cluster.remove_pod(successor)
    cluster.bind(cluster.create_pods(a_template(cluster, "other").index, 1), homes[1])
    waiting = cluster.create_pods(data.index, 1, ordinals=[1])
    run(scheduler)
    assert cluster.pods.node[waiting] == -1
    assert recorder.decisions[-1].details.refused == {Reason.INSUFFICIENT_CPU: 1, Reason.VOLUME_AFFINITY: 1}


def test_a_pod_on_a_node_without_zone_is_bound_to_none():
    cluster = a_cluster()
    node = a_node(cluster, a_group(cluster))
    data = a_template(cluster, "data", zonal_claim=True)
    cluster.bind(cluster.create_pods(data.index, 1, ordinals=[0]), node)
    assert cluster.claim_zones == {}
