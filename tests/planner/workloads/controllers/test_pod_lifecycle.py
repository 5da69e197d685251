"""Start-up and termination of pods."""

from dataclasses import replace
from typing import Any

import pytest

from planner.state.changes import ClusterEventKind
from planner.state.pods import EndReason, PodPhase
from planner.state.specs import PodRunning
from planner.workloads.controllers.pod_lifecycle import PodLifecycle, PodsStarted, PodStarted, PodStopped
from tests.planner.state.small_cluster import small_cluster


def test_a_pod_without_start_up_time_runs_at_once_even_between_two_milliseconds() -> None:
    cluster = small_cluster()
    clock: Any = cluster.clock
    lifecycle = PodLifecycle(cluster, clock)
    clock.advance(5_000_500)
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, 0)
    assert clock.pop() == PodStarted(pod) and clock.now_us == 5_000_500
    lifecycle.on_pod_started(PodStarted(pod))
    lifecycle.delete(pod, EndReason.SCALE_DOWN)
    assert cluster.pods.end_reason[pod] == EndReason.SCALE_DOWN


def test_the_grace_period_counts_from_the_whole_millisecond() -> None:
    """The autoscaler evicts after everything else of its second; its pods are gone in step with the rest."""
    cluster = small_cluster()
    clock: Any = cluster.clock
    lifecycle = PodLifecycle(cluster, clock)
    cluster.pod_specs[0] = replace(cluster.pod_specs[0], running=PodRunning(termination_us=20_000_000))
    pod = cluster.create_pods(0, 1)
    cluster.bind(pod, 0)
    lifecycle.on_pod_started(clock.pop())
    clock.advance(5_000_500)
    lifecycle.delete(pod, EndReason.EVICTED)
    assert clock.pop() == PodStopped(pod) and clock.now_us == 25_000_000


@pytest.mark.parametrize("together", [True, False])
def test_pods_that_were_bound_together_start_at_once_but_for_those_that_were_deleted(together: bool) -> None:
    cluster = small_cluster()
    clock: Any = cluster.clock
    lifecycle = PodLifecycle(cluster, clock)
    running: list[int] = []
    if together:
        cluster.subscribe(lambda _: None, (ClusterEventKind.POD_RUNNING,), lambda changes: running.extend(changes.pods))
    else:
        cluster.subscribe(lambda event: running.append(event.pod), (ClusterEventKind.POD_RUNNING,))
    first = cluster.create_pods(0, 4)
    pods = tuple(range(first, first + 4))
    cluster.bind_all(pods, [0] * 4)
    lifecycle.delete(pods[1], EndReason.SCALE_DOWN)
    event = clock.pop()
    assert event == PodsStarted(pods)
    lifecycle.on_pods_started(event)
    assert running == [pods[0], *pods[2:]]
    assert cluster.pods.ready[list(pods)].tolist() == [True, False, True, True]
    assert cluster.workloads.ready.tolist() == [3] and cluster.pods.phase[pods[1]] == PodPhase.GONE
