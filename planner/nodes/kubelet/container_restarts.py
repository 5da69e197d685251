"""Containers that the kernel kills for their memory: limits, nodes that run out, and restarts with back-off."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.kubelet.memory_use import PodMemory
from planner.nodes.kubelet.oom import PodMemory as ScoredPod
from planner.nodes.kubelet.oom import oom_badness, oom_score_adj
from planner.nodes.kubelet.restart_backoff import RestartBackoff, next_restart
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import OomKill
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason, PodPhase
from planner.units import US_PER_S

NODE_CRITICAL_PRIORITY = 2_000_001_000
"""Of the class system-node-critical."""
_ABOVE_LIMIT = "memory limit of the container"


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A container goes above its memory limit, unless it was restarted since."""

    pod: int
    container: int
    due_us: int


@dataclass(frozen=True, slots=True)
class ContainerRestarts:
    """A killed container starts again."""

    pod: int
    container: int


@dataclass
class RestartSettings:
    """What restarts depend on, by group row and by workload row; microseconds."""

    longest_us: Mapping[int, int]
    startup_us: Mapping[int, int]


class OomKiller:
    """Kills containers and restarts them; the pod stays where it is."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        memory: PodMemory,
        settings: RestartSettings,
        mark_not_ready: Callable[[int, int | None], None],
        decide: Callable[[Decision], None],
    ) -> None:
        """`mark_not_ready(pod, for_us)` takes a pod out of service."""
        self._cluster = cluster
        self._events = events
        self._memory = memory
        self._settings = settings
        self._mark_not_ready = mark_not_ready
        self._decide = decide
        self._backoff: dict[tuple[int, int], RestartBackoff] = {}
        """By pod and place of the container."""
        self._due_us: dict[int, int] = {}

    def watch(self, pod: int) -> None:
        """Find out when the first of a pod's containers goes above its limit."""
        first = self._memory.first_above_limit(pod, self._events.now_us)
        if first is None:
            self._due_us.pop(pod, None)
            return
        due_us, container = first
        self._due_us[pod] = due_us
        self._events.push(due_us, Phase.NODE_STATUS, LimitReached(pod, container, due_us))

    def on_limit(self, event: LimitReached) -> None:
        """The container is killed inside its own cgroup, whatever the node has left."""
        if self._due_us.get(event.pod) == event.due_us and self._lives(event.pod):
            if (event.pod, event.container) in self._memory.above_limit(np.array([event.pod]), self._events.now_us):
                self.kill(event.pod, event.container, _ABOVE_LIMIT)
            self.watch(event.pod)

    def check_limits(self, pods: NDArray[np.int64]) -> None:
        """The working sets of these pods have changed at a stroke: kill what is above its limit now."""
        for pod, container in self._memory.above_limit(pods, self._events.now_us):
            if self._lives(pod):
                self.kill(pod, container, _ABOVE_LIMIT)
                self.watch(pod)

    def on_restart(self, event: ContainerRestarts) -> None:
        """It starts with the working set of a fresh container and is Ready after its start-up."""
        if self._cluster.pods.phase[event.pod] != PodPhase.RUNNING:
            return
        self._cluster.count_restart(event.pod)
        self._memory.start_container(event.pod, event.container)
        if self._cluster.pods.deletion_us[event.pod] == NONE and self._memory.is_whole(event.pod):
            spec_row = int(self._cluster.pods.workload[event.pod])
            self._mark_not_ready(event.pod, self._settings.startup_us[spec_row])

    def kill_worst_of(self, node: int, capacity: int) -> int | None:
        """The node has no memory left: the kernel kills the container with the worst score. Its pod."""
        pods = list(self._cluster.node_pods[node])
        resident = self._memory.resident(np.array(pods, np.int64), self._events.now_us)
        alive = [
            (self._badness(pod, container, int(resident[container, at]), capacity), -pod, -container)
            for at, pod in enumerate(pods)
            for container in range(len(self._memory.profile(pod).containers))
            if resident[container, at] > 0
        ]
        if not alive:
            return None
        _, pod, container = max(alive)
        self.kill(-pod, -container, "no memory left on the node")
        return -pod

    def kill(self, pod: int, container: int, why: str) -> None:
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
        details = OomKill(used, why, which, wait_s)
        self._decide(Decision(now_us, Actor.KUBELET, Verdict.OOM_KILLED, name, on, details))
        if not profile.restarts:
            cluster.remove_pod(pod, EndReason.FAILED)

    def _plan_restart(self, pod: int, container: int, node: int) -> int:
        """The pod serves no more; when its container starts again."""
        longest_us = self._settings.longest_us[int(self._cluster.nodes.group[node])]
        state = next_restart(self._backoff.get((pod, container)), self._events.now_us, longest_us)
        self._backoff[pod, container] = state
        if self._cluster.pods.deletion_us[pod] == NONE:
            self._mark_not_ready(pod, None)
        self._events.push(state.decided_us, Phase.NODE_STATUS, ContainerRestarts(pod, container))
        return state.decided_us

    def _badness(self, pod: int, container: int, resident: int, capacity: int) -> float:
        profile, priority = self._memory.profile(pod), self._cluster.pods.priority[pod]
        one = profile.containers[container]
        ordinary = [each.request for each in profile.containers if not each.is_sidecar]
        scored = ScoredPod(
            profile.qos,
            priority >= NODE_CRITICAL_PRIORITY,
            ordinary,
            profile.init_count,
            profile.pod_level or None,
            profile.aggregate,
        )
        adjustment = oom_score_adj(scored, one.request, one.is_sidecar, capacity)
        return oom_badness(resident, capacity, adjustment)

    def _lives(self, pod: int) -> bool:
        node = int(self._cluster.pods.node[pod])
        return bool(
            self._cluster.pods.phase[pod] == PodPhase.RUNNING and node != NONE and not self._cluster.nodes.silent[node]
        )
