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
class MemoryProfile:
    """Memory of the pods of one workload, bytes."""

    request: int
    start: int
    limit: int | None = None
    growth_per_hour: int = 0
    growth_from_us: int = 0
    spread: float = 0.0
    qos: QosClass = QosClass.BURSTABLE


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
        self._since_us: dict[int, int] = {}
        self._stopped: dict[int, None] = {}

    def profile(self, pod: int) -> MemoryProfile:
        """The profile of a pod's workload."""
        return self._profiles[int(self._cluster.pods.workload[pod])]

    def start(self, pod: int) -> None:
        """The containers of a pod start with a fresh working set."""
        self._stopped.pop(pod, None)
        if pod not in self._start:
            self._start[pod] = self._drawn(self.profile(pod))
        self._since_us[pod] = self._cluster.clock.now_us
        self._changed(pod)

    def stop(self, pod: int) -> None:
        """The container was killed and waits for its restart."""
        self._stopped[pod] = None

    def use(self, pod: int, now_us: int) -> int:
        """Working set now."""
        if pod in self._stopped or pod not in self._start or self._cluster.pods.phase[pod] != PodPhase.RUNNING:
            return 0
        profile = self.profile(pod)
        grown_us = max(0, now_us - max(self._since_us[pod], profile.growth_from_us))
        return self._start[pod] + profile.growth_per_hour * grown_us // US_PER_H

    def growth_per_s(self, pod: int, now_us: int) -> float:
        """How fast it grows from now on, bytes per second; growth that begins later counts already."""
        return 0.0 if pod in self._stopped else self.profile(pod).growth_per_hour / 3600

    def reaches_us(self, pod: int, level: int, now_us: int) -> int | None:
        """When its working set exceeds a level; None: never."""
        profile, used = self.profile(pod), self.use(pod, now_us)
        if used > level:
            return now_us
        if profile.growth_per_hour == 0:
            return None
        begins_us = max(now_us, profile.growth_from_us)
        return begins_us + math.ceil((level + 1 - used) * US_PER_H / profile.growth_per_hour)

    def _drawn(self, profile: MemoryProfile) -> int:
        if profile.spread == 0 or profile.start == 0:
            return profile.start
        variance = math.log1p(profile.spread**2)
        return round(profile.start * math.exp(math.sqrt(variance) * self._draws.standard_normal() - variance / 2))
