"""Working sets of the pods of a run: what each starts with, and how it grows until its container restarts."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from planner.nodes.qos import QosClass
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.units import MIB, US_PER_H

DEFAULT_START = 100 * MIB
DEFAULT_SHARE_PCT = 80


@dataclass(frozen=True, slots=True)
class ContainerMemory:
    """One running container of a pod: its part of the pod's working set, and what it asks for, bytes."""

    name: str = "main"
    share: float = 1.0
    request: int = 0
    limit: int | None = None
    is_sidecar: bool = False


@dataclass(frozen=True, slots=True)
class MemoryProfile:
    """Memory of the pods of one workload, bytes."""

    request: int
    start: int
    growth_per_hour: int = 0
    growth_from_us: int = 0
    spread: float = 0.0
    qos: QosClass = QosClass.BURSTABLE
    containers: tuple[ContainerMemory, ...] = (ContainerMemory(),)
    """Those that run as long as the pod; their shares add up to 1."""
    init_count: int = 0
    pod_level: int | None = None
    """Request of the pod as a whole, if it is given."""
    aggregate: int = 0
    """What the containers ask for together."""


def default_start(request: int) -> int:
    """Working set of a pod nothing is known of (spec/node-lifecycle.md section 4)."""
    return request * DEFAULT_SHARE_PCT // 100 if request else DEFAULT_START


class PodMemory:
    """Working sets by pod row. Pods that do not run use nothing."""

    def __init__(
        self,
        cluster: Cluster,
        profiles: Mapping[int, MemoryProfile],
        draws: np.random.Generator,
        changed: Callable[[int], None],
    ) -> None:
        """`profiles`: by workload row; `changed` is called with a pod whose working set was set anew."""
        self._cluster = cluster
        self._profiles = profiles
        self._draws = draws
        self._changed = changed
        self._start: dict[int, int] = {}
        self._since_us: dict[int, list[int]] = {}
        """When each container of a pod started."""
        self._stopped: dict[tuple[int, int], None] = {}
        """Containers, by pod and place, that wait for their restart."""

    def profile(self, pod: int) -> MemoryProfile:
        """The profile of a pod's workload."""
        return self._profiles[int(self._cluster.pods.workload[pod])]

    def start(self, pod: int) -> None:
        """The containers of a pod start with a fresh working set."""
        if pod not in self._start:
            self._start[pod] = self._drawn(self.profile(pod))
        count = len(self.profile(pod).containers)
        for container in range(count):
            self._stopped.pop((pod, container), None)
        self._since_us[pod] = [self._cluster.clock.now_us] * count
        self._changed(pod)

    def start_container(self, pod: int, container: int) -> None:
        """One container starts anew."""
        self._stopped.pop((pod, container), None)
        self._since_us[pod][container] = self._cluster.clock.now_us
        self._changed(pod)

    def stop(self, pod: int, container: int) -> None:
        """The container was killed and waits for its restart."""
        self._stopped[pod, container] = None

    def is_whole(self, pod: int) -> bool:
        """Whether all containers run."""
        return not any((pod, container) in self._stopped for container in range(len(self.profile(pod).containers)))

    def use(self, pod: int, now_us: int) -> int:
        """Working set of the pod now."""
        containers = self.profile(pod).containers
        if len(containers) == 1:
            return self.container_use(pod, 0, now_us)
        return sum(self.container_use(pod, container, now_us) for container in range(len(containers)))

    def container_use(self, pod: int, container: int, now_us: int) -> int:
        """Working set of one container now."""
        if pod not in self._start or self._cluster.pods.phase[pod] != PodPhase.RUNNING:
            return 0
        if (pod, container) in self._stopped:
            return 0
        profile = self.profile(pod)
        grown_us = max(0, now_us - max(self._since_us[pod][container], profile.growth_from_us))
        whole = self._start[pod] + profile.growth_per_hour * grown_us // US_PER_H
        share = profile.containers[container].share
        return whole if share == 1.0 else round(whole * share)

    def growth_per_s(self, pod: int, now_us: int) -> float:
        """How fast it grows from now on, bytes per second; growth that begins later counts already."""
        profile = self.profile(pod)
        if profile.growth_per_hour == 0:
            return 0.0
        shares = [one.share for at, one in enumerate(profile.containers) if (pod, at) not in self._stopped]
        return profile.growth_per_hour * sum(shares) / 3600

    def first_above_limit(self, pod: int, now_us: int) -> tuple[int, int] | None:
        """When the first container of a pod exceeds its limit, and its place; None: never."""
        found = []
        for container, one in enumerate(self.profile(pod).containers):
            if one.limit is not None and (pod, container) not in self._stopped:
                at_us = self._reaches_us(pod, container, one.limit, now_us)
                if at_us is not None:
                    found.append((at_us, container))
        return min(found, default=None)

    def _reaches_us(self, pod: int, container: int, level: int, now_us: int) -> int | None:
        """When the working set of a container exceeds a level; None: never."""
        profile, used = self.profile(pod), self.container_use(pod, container, now_us)
        if used > level:
            return now_us
        growth_per_hour = profile.growth_per_hour * profile.containers[container].share
        if growth_per_hour == 0:
            return None
        begins_us = max(now_us, profile.growth_from_us)
        return begins_us + math.ceil((level + 1 - used) * US_PER_H / growth_per_hour)

    def _drawn(self, profile: MemoryProfile) -> int:
        if profile.spread == 0 or profile.start == 0:
            return profile.start
        variance = math.log1p(profile.spread**2)
        return round(profile.start * math.exp(math.sqrt(variance) * self._draws.standard_normal() - variance / 2))
