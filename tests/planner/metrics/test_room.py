"""Room at the worst moment: found whatever happens in between, and never looked for twice."""

from hypothesis import given, settings, strategies

from planner.metrics.room import RoomWatch
from planner.state.nodes import NONE
from tests.planner.metrics.small_run import HandClock, small_cluster, started

VERB = strategies.sampled_from(["pod", "end", "node", "cordon", "not ready", "wait"])
VERBS = strategies.lists(strategies.tuples(VERB, strategies.integers(0, 9)), max_size=30)


def act(cluster, verb, number):
    """One change of the cluster; nothing where it does not apply."""
    nodes = [node for node in range(cluster.nodes.count) if cluster.nodes.exists[node]]
    pods = [pod for pod in range(cluster.pods.count) if cluster.pods.node[pod] != NONE]
    if verb == "node" and cluster.nodes.count < 4:
        cluster.register_node(cluster.request_node(number % 2))
    elif verb == "pod" and nodes and len(pods) < 5:
        started(cluster, number % 2, nodes[number % len(nodes)])
    elif verb == "end" and pods:
        cluster.remove_pod(pods[number % len(pods)])
    elif verb == "cordon" and nodes:
        cluster.set_unschedulable(nodes[number % len(nodes)], number % 2 == 0)
    elif verb == "not ready" and nodes and cluster.nodes.ready[nodes[number % len(nodes)]]:
        cluster.mark_node_not_ready(nodes[number % len(nodes)])


@given(VERBS)
@settings(max_examples=40, deadline=None)
def test_the_worst_moment_is_the_same_whether_unchanged_moments_are_left_out_or_not(verbs):
    clock = HandClock()
    cluster = small_cluster(clock)
    quick, whole = (RoomWatch(cluster, cluster.pod_specs) for _ in range(2))
    for at_s, (verb, number) in enumerate(verbs, 1):
        clock.at(at_s)
        act(cluster, verb, number)
        quick.look(clock.now_us)
        whole._seen = -1
        whole.look(clock.now_us)
        assert (quick.at_us, quick.pods) == (whole.at_us, whole.pods)


def test_pods_that_end_give_room_back_but_the_worst_moment_stays():
    clock = HandClock()
    cluster = small_cluster(clock)
    watch = RoomWatch(cluster, cluster.pod_specs)
    watch.look(0)
    assert watch.at_us == NONE
    node = cluster.request_node(0)
    cluster.register_node(node)
    watch.look(1)
    empty = watch.pods
    pod = started(cluster, 0, node)
    watch.look(2)
    full = watch.pods
    cluster.remove_pod(pod)
    watch.look(3)
    assert watch.at_us == 2 and watch.pods == full and full[0] < empty[0]
