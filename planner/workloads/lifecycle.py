"""The kubelet's part of a pod's life: start-up after binding, termination after deletion."""

from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase


@dataclass(frozen=True, slots=True)
class PodStarted:
    """A bound pod's start-up ends: it runs and is Ready."""

    pod: int


@dataclass(frozen=True, slots=True)
class PodStopped:
    """A terminating pod's processes have ended."""

    pod: int


class PodLifecycle:
    """Starts pods that were bound and ends pods whose deletion was asked for."""

    def __init__(self, cluster: Cluster, events: EventQueue) -> None:
        self._cluster = cluster
        self._events = events
        cluster.subscribe(self._on_change)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind == ClusterEventKind.POD_BOUND:
            spec = self._cluster.pod_specs[self._cluster.pods.spec[event.pod]]
            due_us = max(self._events.moment_us + spec.startup_us, self._events.now_us)
            self._events.push(due_us, Phase.POD_READY, PodStarted(event.pod))

    def on_pod_started(self, event: PodStarted) -> None:
        """The pod turns Ready, unless it was deleted while it started."""
        pods = self._cluster.pods
        if pods.phase[event.pod] == PodPhase.PENDING and pods.deletion_us[event.pod] == NONE:
            self._cluster.mark_running(event.pod)

    def on_pod_stopped(self, event: PodStopped) -> None:
        """The pod is gone, unless its node went first."""
        if self._cluster.pods.phase[event.pod] != PodPhase.GONE:
            self._cluster.remove_pod(event.pod)

    def delete(self, pod: int, reason: EndReason, grace_cap_us: int | None = None) -> None:
        """Delete a pod: at once if it does not run yet, else after min(own time, grace period).

        `grace_cap_us` is the longest grace period the caller allows. A pod already terminating is left alone.
        """
        cluster, pods = self._cluster, self._cluster.pods
        if pods.phase[pod] == PodPhase.GONE or pods.deletion_us[pod] != NONE:
            return
        if pods.phase[pod] != PodPhase.RUNNING:
            cluster.remove_pod(pod, reason)
            return
        spec = cluster.pod_specs[pods.spec[pod]]
        grace_us = spec.grace_us if grace_cap_us is None else min(spec.grace_us, grace_cap_us)
        wait_us = min(spec.termination_us, grace_us)
        cluster.begin_deletion(pod, reason)
        if wait_us == 0:
            cluster.remove_pod(pod)
        else:
            due_us = max(self._events.moment_us + wait_us, self._events.now_us)
            self._events.push(due_us, Phase.POD_ENDS, PodStopped(pod))
