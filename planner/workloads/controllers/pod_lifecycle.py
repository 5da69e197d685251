"""The kubelet's part of a pod's life: start-up after binding, termination after deletion, readiness."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.workloads.quota.gate import QuotaGate

# Looking up a member of an enum costs a call in Python 3.11, and comparing one with an array's number costs more.
_PENDING, _RUNNING, _GONE = int(PodPhase.PENDING), int(PodPhase.RUNNING), int(PodPhase.GONE)
_POD_BOUND, _POD_RUNNING = ClusterEventKind.POD_BOUND, ClusterEventKind.POD_RUNNING
_POD_READY, _POD_ENDS = Phase.POD_READY, Phase.POD_ENDS


def _no_work(pod: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class PodStarted:
    """A bound pod's start-up ends: it runs."""

    pod: int


@dataclass(frozen=True, slots=True)
class PodsStarted:
    """The same of pods that were bound together, one after the other."""

    pods: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PodStopped:
    """A terminating pod's processes have ended."""

    pod: int


@dataclass(frozen=True, slots=True)
class PodReadyAgain:
    """A running pod that was not Ready is Ready again, unless its readiness changed since `since_us`."""

    pod: int
    since_us: int


class PodLifecycle:
    """Starts pods that were bound and ends pods whose deletion was requested.

    On a machine that does not run nothing starts and nothing ends, until it runs again or its node is gone.
    """

    def __init__(self, cluster: Cluster, events: EventQueue, quotas: QuotaGate | None = None) -> None:
        self._cluster = cluster
        self.quotas = quotas
        self._events = events
        self.work_left_us: Callable[[int], int] = _no_work
        """How long a pod would take to finish the requests that it holds."""
        self.processes_end: Callable[[int], object] = _no_work
        """Called with running pods whose processes end although they are not deleted."""
        self.pull_delay_us: dict[int, int] = {}
        """What is added to the start-up of pods bound now, by workload row."""
        cluster.subscribe(self._on_change, (_POD_BOUND, ClusterEventKind.NODE_POWER), self._on_many_bound)

    def admitted(self, workload: int, count: int, revision: int | None = None, *, again: bool = True) -> int:
        """How many of so many pods a controller may create now; those that a quota refuses are tried again later.

        `revision`: of their template; None is the present one. `again`: False where no controller comes back.
        """
        return count if self.quotas is None else self.quotas.admitted(workload, count, revision, again=again)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind is _POD_BOUND:
            due_us = self._starts_us(self._cluster.pods.spec.item(event.pod), event.workload)
            self._events.push(due_us, _POD_READY, PodStarted(event.pod))
        elif not self._cluster.nodes.silent[event.node]:
            self._resume(event.node)

    def _on_many_bound(self, changes: PodChanges) -> None:
        templates = self._cluster.pods.spec[list(changes.pods)].tolist()
        keys = [*zip(templates, changes.workloads, strict=True)]
        due_us = {key: self._starts_us(*key) for key in dict.fromkeys(keys)}
        pods = zip((due_us[key] for key in keys), changes.pods, strict=True)
        self._events.push_all([
            (start_us, _POD_READY, PodsStarted(tuple([pod for _, pod in some])))
            for start_us, some in groupby(pods, itemgetter(0))
        ])  # fmt: skip

    def _starts_us(self, template: int, workload: int) -> int:
        """When a pod that is bound now has started."""
        wait_us = self._cluster.pod_specs[template].running.startup_us
        return self._due_us(wait_us + self.pull_delay_us.get(workload, 0))

    def on_pod_started(self, event: PodStarted) -> None:
        """The pod runs and turns Ready in its time, unless it was deleted meanwhile or its machine does not run."""
        pods = self._cluster.pods
        waits = pods.phase.item(event.pod) == _PENDING and pods.deletion_us.item(event.pod) == NONE
        if waits and not self._is_silent(event.pod):
            readiness_us = self._cluster.pod_specs[pods.spec[event.pod]].running.readiness_us
            self._cluster.mark_running(event.pod, ready=readiness_us == 0)
            if readiness_us:
                self.mark_not_ready(event.pod, for_us=readiness_us)

    def on_pods_started(self, event: PodsStarted) -> None:
        """The same for each of them; all that do begin to run are known together, where nobody acts in between."""
        cluster, table = self._cluster, self._cluster.pods
        rows = np.array(event.pods, np.int64)
        templates = np.flatnonzero(np.bincount(table.spec[rows])).tolist()
        if not cluster.is_heard_together(_POD_RUNNING) or any(map(self._takes_time, templates)):
            for pod in event.pods:
                self.on_pod_started(PodStarted(pod))
            return
        rows = rows[(table.phase[rows] == _PENDING) & (table.deletion_us[rows] == NONE)]
        rows = rows[~cluster.nodes.silent[table.node[rows]]]
        if len(rows):
            cluster.mark_all_running(rows.tolist())

    def _takes_time(self, template: int) -> bool:
        """Whether its pods turn Ready only some time after they have started."""
        return self._cluster.pod_specs[template].running.readiness_us != 0

    def on_pod_stopped(self, event: PodStopped) -> None:
        """The pod is gone, unless its node went first or its machine does not run."""
        if self._cluster.pods.phase.item(event.pod) != _GONE and not self._is_silent(event.pod):
            self._cluster.remove_pod(event.pod)

    def on_pod_ready_again(self, event: PodReadyAgain) -> None:
        """The pod serves again."""
        pods = self._cluster.pods
        same = pods.ready_change_us[event.pod] == event.since_us and not pods.ready[event.pod]
        runs = pods.phase.item(event.pod) == _RUNNING and pods.deletion_us[event.pod] == NONE
        if same and runs and not self._is_silent(event.pod):
            self._cluster.set_pod_ready(event.pod, True)

    def mark_not_ready(self, pod: int, for_us: int | None = None) -> None:
        """A running pod stops serving; after `for_us` it serves again, or (None) only when something makes it."""
        pods = self._cluster.pods
        if for_us is None:
            self.processes_end(pod)
        if pods.ready[pod]:
            self._cluster.set_pod_ready(pod, False)
        if for_us is not None:
            again = PodReadyAgain(pod, int(pods.ready_change_us[pod]))
            self._events.push(self._due_us(for_us), _POD_READY, again)

    def delete(self, pod: int, reason: EndReason, grace_cap_us: int | None = None) -> None:
        """Delete a pod: at once if it does not run yet, else when it has stopped, or its grace period ends.

        A pod takes its own time to stop, and longer if it has requests to finish. Without a grace period the API server
        does not wait for the kubelet, which may be dead (registry/core/pod/strategy.go, CheckGracefulDelete).

        `grace_cap_us` is the longest grace period the caller allows. A pod already terminating is left alone.
        """
        cluster, pods = self._cluster, self._cluster.pods
        if pods.phase.item(pod) == _GONE or pods.deletion_us.item(pod) != NONE:
            return
        grace_us = self._grace_us(pod, grace_cap_us)
        if grace_us and self._is_silent(pod):
            cluster.begin_deletion(pod, reason)  # no kubelet can end it
            return
        if pods.phase.item(pod) != _RUNNING:
            cluster.remove_pod(pod, reason)
            return
        wait_us = self._stop_us(pod, grace_us)
        cluster.begin_deletion(pod, reason)
        if wait_us == 0:
            cluster.remove_pod(pod)
        else:
            self._events.push(self._due_us(wait_us), _POD_ENDS, PodStopped(pod))

    def _grace_us(self, pod: int, grace_cap_us: int | None) -> int:
        own_us: int = self._cluster.pod_specs[self._cluster.pods.spec[pod]].running.grace_us
        return own_us if grace_cap_us is None else min(own_us, grace_cap_us)

    def _stop_us(self, pod: int, grace_us: int) -> int:
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        return int(min(max(spec.running.termination_us, self.work_left_us(pod)), grace_us))

    def _is_silent(self, pod: int) -> bool:
        node = self._cluster.pods.node.item(pod)
        return node != NONE and bool(self._cluster.nodes.silent[node])

    def _resume(self, node: int) -> None:
        """The machine runs again: its pods restart, and those being deleted terminate."""
        cluster, pods = self._cluster, self._cluster.pods
        for pod in list(cluster.node_pods[node]):
            spec = cluster.pod_specs[pods.spec[pod]]
            if pods.deletion_us[pod] != NONE:
                self._events.push(self._due_us(0), _POD_ENDS, PodStopped(pod))
            elif pods.phase.item(pod) == _RUNNING:
                cluster.count_restart(pod)
                self.processes_end(pod)
                self.mark_not_ready(pod, for_us=spec.running.startup_us)
            else:
                self._events.push(self._due_us(spec.running.startup_us), _POD_READY, PodStarted(pod))

    def _due_us(self, wait_us: int) -> int:
        return max(self._events.moment_us + wait_us, self._events.now_us)
