"""Verbs of Cluster keep every sum true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.state.changes import ClusterEventKind
from planner.state.invariants import broken_invariants
from planner.state.pods import EndReason, PodPhase
from planner.state.resources import CPU, PODS
from tests.planner.state.small_cluster import small_cluster


def test_binding_counts_the_request_on_the_node() -> None:
    cluster = small_cluster()
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, 1)
    assert cluster.nodes.requested[1, CPU] == 500
    assert cluster.nodes.requested[1, PODS] == 1
    assert cluster.workloads.unbound[0] == 0
    assert broken_invariants(cluster) == []


def test_a_terminating_pod_holds_its_node_until_it_is_gone() -> None:
    cluster = small_cluster()
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, 0)
    cluster.mark_running(pod)
    cluster.begin_deletion(pod, EndReason.SCALE_DOWN)
    assert (cluster.workloads.ready[0], cluster.workloads.terminating[0]) == (0, 1)
    assert cluster.nodes.requested[0, CPU] == 500
    cluster.remove_pod(pod)
    assert cluster.nodes.requested[0, CPU] == 0
    assert cluster.pods.phase[pod] == PodPhase.GONE
    assert cluster.pods.end_reason[pod] == EndReason.SCALE_DOWN
    assert broken_invariants(cluster) == []


def test_names_count_per_workload_and_group() -> None:
    cluster = small_cluster()
    cluster.create_pods(0, 2)
    assert [cluster.pod_name(pod) for pod in range(2)] == ["web-0001", "web-0002"]
    assert cluster.node_name(1) == "pool-0002"


def test_state_arrays_are_read_only_for_everyone_else() -> None:
    cluster = small_cluster()
    with pytest.raises(ValueError, match="read-only"):
        cluster.nodes.requested[0, CPU] = 1


def test_a_node_with_pods_cannot_be_removed() -> None:
    cluster = small_cluster()
    cluster.bind(cluster.create_pods(0, 1), 0)
    with pytest.raises(ValueError, match="still holds 1 pods"):
        cluster.remove_node(0)


def test_a_nomination_ends_with_binding_and_with_the_node() -> None:
    cluster = small_cluster()
    first = cluster.create_pods(0, 2)
    cluster.nominate(first, 0)
    cluster.nominate(first + 1, 1)
    cluster.bind(first, 0)
    cluster.remove_node(1)
    assert cluster.nominated_pods == {}
    assert cluster.pods.nominated.tolist() == [-1, -1]


def test_listeners_hear_every_change_in_order() -> None:
    cluster, heard = small_cluster(), []
    cluster.subscribe(lambda event: heard.append(event.kind))
    pod = cluster.create_pods(0, 1)
    cluster.mark_unschedulable([pod], [None])
    cluster.bind(pod, 0)
    cluster.mark_running(pod)
    cluster.remove_pod(pod)
    kinds = ClusterEventKind
    assert heard == [kinds.POD_ADDED, kinds.POD_UNSCHEDULABLE, kinds.POD_BOUND, kinds.POD_RUNNING, kinds.POD_GONE]


def test_a_mark_is_published_again_only_with_another_message_and_keeps_its_time() -> None:
    cluster, heard = small_cluster(nodes=0), []
    pod = cluster.create_pods(0, 1)
    cluster.subscribe(lambda event: heard.append(event.kind))
    for at_us, message in enumerate(("a", "a", "b")):
        cluster.clock.advance(at_us)  # type: ignore[attr-defined]
        cluster.mark_unschedulable([pod], [message])
    assert heard == [ClusterEventKind.POD_UNSCHEDULABLE] * 2
    assert cluster.pods.unschedulable_us[pod] == 0


def test_of_several_pods_those_with_news_are_published() -> None:
    cluster, heard = small_cluster(nodes=0), []
    pods = [cluster.create_pods(0, 1) for _ in range(3)]
    cluster.mark_unschedulable([pods[1]], ["a"])
    cluster.subscribe(lambda event: heard.append(event.pod))
    cluster.clock.advance(5)  # type: ignore[attr-defined]
    cluster.mark_unschedulable(pods, ("a", "a", "b"))
    assert heard == [pods[0], pods[2]]
    assert cluster.pods.unschedulable_us.tolist() == cluster.pods.first_unschedulable_us.tolist() == [5, 0, 5]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(0, 3)), max_size=60))
def test_any_sequence_of_verbs_keeps_the_invariants(steps: list[tuple[int, int, int]]) -> None:
    cluster = small_cluster(nodes=4)
    for verb, pick, node in steps:
        pods = cluster.pods
        live = np.flatnonzero(pods.phase != PodPhase.GONE)
        if verb == 0 or not len(live):
            cluster.create_pods(0, 1 + pick % 3)
            continue
        pod = int(live[pick % len(live)])
        bound, deleting = pods.node[pod] >= 0, pods.deletion_us[pod] >= 0
        if verb == 1 and not bound and not deleting:
            cluster.bind(pod, node)
        elif verb == 2 and bound and not deleting and pods.phase[pod] == PodPhase.PENDING:
            cluster.mark_running(pod)
        elif verb == 3 and not deleting:
            cluster.begin_deletion(pod, EndReason.PREEMPTED)
        elif verb == 4:
            cluster.remove_pod(pod, EndReason.EVICTED)
        elif verb == 5 and not bound and not deleting:
            cluster.nominate(pod, node)
    assert broken_invariants(cluster) == []
