"""Containers that the kernel kills when they reach their limit or the node runs out of memory, and their restarts.

Source: Kubernetes 1.36, pkg/kubelet/kuberuntime/kuberuntime_manager.go, doBackOff (CrashLoopBackOff).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.language.translation import marked
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.oom import oom_badness, oom_score_adj
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import OomKill, OomScore
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.units import US_PER_S

INITIAL_BACKOFF_US = 10 * US_PER_S
FORGIVEN_AFTER_US = 600 * US_PER_S
_ABOVE_LIMIT = marked("memory limit of the container")
_ABOVE_POD_LIMIT = marked("memory limit of the pod")
_NODE_EXHAUSTED = marked("no memory left on the node")


@dataclass(frozen=True, slots=True)
class RestartBackoff:
    """State of one container: the next delay, and when its last restart was decided; microseconds."""

    delay_us: int
    decided_us: int


def next_restart(state: RestartBackoff | None, exited_us: int, longest_us: int) -> RestartBackoff:
    """State after the restart that follows an exit; its `decided_us` is when the container starts again.

    `state`: None at the first exit ever. A container that ran longer than ten minutes is forgiven.
    """
    initial_us = min(INITIAL_BACKOFF_US, longest_us)
    if state is None or exited_us - state.decided_us > FORGIVEN_AFTER_US:
        return RestartBackoff(initial_us, exited_us)
    return RestartBackoff(min(2 * state.delay_us, longest_us), exited_us + state.delay_us)


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A container, or its pod as a whole, goes above a memory limit, unless something was restarted since."""

    pod: int
    due_us: int


@dataclass(frozen=True, slots=True)
class ContainerRestarts:
    """A killed container starts again."""

    pod: int
    container: int


class OomKiller:
    """Kills containers and restarts them; the pod stays where it is."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        memory: PodMemory,
        longest_us: Mapping[int, int],
        mark_not_ready: Callable[[int, int | None], None],
        decide: Callable[[Decision], None],
    ) -> None:
        """`longest_us`: between two restarts, by group row.

        `mark_not_ready(pod, for_us)` takes a pod out of service.
        """
        self._cluster = cluster
        self._events = events
        self._memory = memory
        self._longest_us = longest_us
        self._mark_not_ready = mark_not_ready
        self._decide = decide
        self._backoff: dict[tuple[int, int], RestartBackoff] = {}
        """By pod and place of the container."""
        self._due_us: dict[int, int] = {}
        self._started_us: dict[tuple[int, int], int] = {}
        """Last restart of a container, by pod and place."""
        self._on_kill: list[Callable[[int, int, int], None]] = []

    def subscribe(self, listener: Callable[[int, int, int], None]) -> None:
        """Call `listener` with every killed container: pod, place, and how long after its start, microseconds."""
        self._on_kill.append(listener)

    def watch(self, pod: int) -> None:
        """Find out when the first memory limit of a pod or of its containers is exceeded."""
        due_us = self._memory.first_above_limit_us(pod, self._events.now_us)
        if due_us is None:
            self._due_us.pop(pod, None)
            return
        self._due_us[pod] = due_us
        self._events.push(due_us, Phase.NODE_STATUS, LimitReached(pod, due_us))

    def on_limit(self, event: LimitReached) -> None:
        """The kernel kills inside the cgroup that is full, whatever the node has left."""
        if self._due_us.get(event.pod) == event.due_us and self._lives(event.pod):
            self._kill_above_limit(np.array([event.pod]))
            self.watch(event.pod)

    def check_limits(self, pods: NDArray[np.int64]) -> None:
        """The working sets of these pods have changed at a stroke: kill what is above its limit now."""
        for pod in self._kill_above_limit(pods):
            self.watch(pod)

    def _kill_above_limit(self, pods: NDArray[np.int64]) -> dict[int, None]:
        """The pods of which containers were killed."""
        killed: dict[int, None] = {}
        for over in self._memory.above_limit(pods, self._events.now_us):
            if self._lives(over.pod):
                self.kill(over.pod, over.container, _ABOVE_POD_LIMIT if over.is_of_pod else _ABOVE_LIMIT)
                killed[over.pod] = None
        return killed

    def on_restart(self, event: ContainerRestarts) -> None:
        """It starts with the working set of a fresh container and is Ready after its start-up."""
        if self._cluster.pods.phase[event.pod] != PodPhase.RUNNING:
            return
        self._cluster.count_restart(event.pod)
        self._started_us[event.pod, event.container] = self._events.now_us
        self._memory.start_container(event.pod, event.container)
        if self._cluster.pods.deletion_us[event.pod] == NONE and self._memory.is_whole(event.pod):
            spec = self._cluster.pod_specs[self._cluster.pods.spec[event.pod]]
            self._mark_not_ready(event.pod, spec.running.startup_us)

    def kill_worst_of(self, node: int, capacity: int) -> int | None:
        """The node has no memory left: the kernel kills the container with the worst score. Its pod."""
        pods = list(self._cluster.node_pods[node])
        resident = self._memory.resident(np.array(pods, np.int64), self._events.now_us)
        alive = [
            (*self._badness(pod, container, int(resident[container, at]), capacity), -pod, -container)
            for at, pod in enumerate(pods)
            for container in range(len(self._memory.profile(pod).containers))
            if resident[container, at] > 0
        ]
        if not alive:
            return None
        (score, adjustment, pod, container), *others = nlargest(2, alive)
        oom = OomScore(score, adjustment, len(alive))
        for next_score, _, next_pod, _ in others:
            oom = oom._replace(next_pod=self._cluster.pod_name(-next_pod), next_score=next_score)
        self.kill(-pod, -container, _NODE_EXHAUSTED, oom)
        return -pod

    def kill(self, pod: int, container: int, why: str, oom: OomScore | None = None) -> None:
        """OOMKilled: the container waits out its back-off and restarts, or the pod fails."""
        cluster, now_us = self._cluster, self._events.now_us
        profile, node = self._memory.profile(pod), int(cluster.pods.node[pod])
        used, wait_s = int(self._memory.container_use(pod, container, now_us)), None
        self._due_us.pop(pod, None)
        self._memory.stop(pod, container)
        if profile.restarts:
            wait_s = (self._plan_restart(pod, container, node) - now_us) / US_PER_S
        name, on = cluster.pod_name(pod), cluster.node_name(node)
        which = profile.containers[container].name if len(profile.containers) > 1 else ""
        details = OomKill(used, why, which, wait_s, oom)
        self._decide(Decision(now_us, Actor.KUBELET, Verdict.OOM_KILLED, name, on, details))
        started_us = self._started_us.get((pod, container), int(cluster.pods.running_us[pod]))
        for listener in self._on_kill:
            listener(pod, container, now_us - started_us)
        if not profile.restarts:
            cluster.remove_pod(pod, EndReason.FAILED)

    def _plan_restart(self, pod: int, container: int, node: int) -> int:
        """The pod serves no more; when its container starts again."""
        longest_us = self._longest_us[int(self._cluster.nodes.group[node])]
        state = next_restart(self._backoff.get((pod, container)), self._events.now_us, longest_us)
        self._backoff[pod, container] = state
        self._mark_not_ready(pod, None)
        self._events.push(state.decided_us, Phase.NODE_STATUS, ContainerRestarts(pod, container))
        return state.decided_us

    def _badness(self, pod: int, container: int, resident: int, capacity: int) -> tuple[float, int]:
        """The container's score and the adjustment in it."""
        profile = self._memory.profile(pod)
        one = profile.containers[container]
        adjustment = oom_score_adj(profile.oom, one.request, one.is_sidecar, capacity)
        return oom_badness(resident, capacity, adjustment), adjustment

    def _lives(self, pod: int) -> bool:
        node = int(self._cluster.pods.node[pod])
        return bool(
            self._cluster.pods.phase[pod] == PodPhase.RUNNING and node != NONE and not self._cluster.nodes.silent[node]
        )
