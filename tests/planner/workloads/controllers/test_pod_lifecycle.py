"""Start-up and termination of pods."""

from dataclasses import replace
from typing import Any

from planner.state.pods import EndReason
from planner.state.specs import PodRunning
from planner.workloads.controllers.pod_lifecycle import PodLifecycle, PodStarted, PodStopped
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
