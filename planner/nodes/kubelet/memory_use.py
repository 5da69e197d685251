"""Working sets of the pods of a run: base, growth, requests in flight and page cache.

Columns are indexed by pod row, and those of single containers also by place in the pod. Amounts are bytes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.nodes.kubelet.oom import OomClaims
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.units import MIB, US_PER_H

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
DEFAULT_START = 100 * MIB
DEFAULT_SHARE_PCT = 80
_UNLIMITED = (1 << 62) - 1
_STOPPED = -1


@dataclass(frozen=True, slots=True)
class ContainerMemory:
    """One running container of a pod: its part of the pod's working set, its request and its limit, bytes."""

    name: str = "main"
    share: float = 1.0
    request: int = 0
    limit: int | None = None
    is_sidecar: bool = False


@dataclass(frozen=True, slots=True)
class MemoryProfile:
    """Memory of the pods of one workload, bytes."""

    request: int
    """What the kubelet compares the working set with when it ranks pods."""
    start: int
    oom: OomClaims
    growth_per_hour: int = 0
    growth_from_us: int = 0
    spread: float = 0.0
    containers: tuple[ContainerMemory, ...] = (ContainerMemory(),)
    """Those that run as long as the pod; their shares add up to 1."""
    limit: int | None = None
    """Of the pod as a whole."""
    active_file: int = 0
    """Page cache in use: it counts as used, but the kernel takes it back before it kills."""
    restarts: bool = True
    """Whether a killed container starts again; a pod of a Job (restartPolicy Never) fails instead."""


class AboveLimit(NamedTuple):
    """A container to be killed, because it or (`is_of_pod`) its pod as a whole is above a memory limit."""

    pod: int
    container: int
    is_of_pod: bool


def default_start(request: int) -> int:
    """Working set of a pod whose use is not known."""
    return request * DEFAULT_SHARE_PCT // 100 if request else DEFAULT_START


def working_set(resident: Ints, cache: Ints, limit: Ints) -> Ints:
    """What counts as used: pages that cannot be taken back, and as much page cache as the limit leaves room for."""
    return np.asarray(resident + np.minimum(cache, np.maximum(0, limit - resident)), np.int64)


class PodMemory:
    """Memory by pod row. Pods that do not run use nothing, nor do containers that wait for their restart."""

    def __init__(
        self,
        cluster: Cluster,
        profiles: Mapping[int, MemoryProfile],
        draws: Draws,
    ) -> None:
        """`profiles`: by workload row."""
        self._cluster = cluster
        self._profiles = profiles
        self._spread_draws = draws.of("memory/spread")
        self._listeners: list[Callable[[int], None]] = []
        width = max((len(one.containers) for one in profiles.values()), default=1)
        count = max(profiles, default=-1) + 1
        self._share, self._limit = np.zeros((width, count)), np.full((width, count), _UNLIMITED, np.int64)
        self._base, self._busy, self._growth = np.zeros(count), np.zeros(count), np.zeros(count)
        self._growth_from_us, self._cache = np.zeros(count, np.int64), np.zeros(count)
        self._pod_limit = np.full(count, _UNLIMITED, np.int64)
        for row, profile in profiles.items():
            self._pod_limit[row] = _UNLIMITED if profile.limit is None else profile.limit
            self._base[row], self._cache[row] = profile.start, profile.active_file
            self._growth[row], self._growth_from_us[row] = profile.growth_per_hour, profile.growth_from_us
            for place, one in enumerate(profile.containers):
                self._share[place, row] = one.share
                self._limit[place, row] = _UNLIMITED if one.limit is None else one.limit
        self._has_pod_limits = bool((self._pod_limit != _UNLIMITED).any())
        self._factor: Floats = np.full(0, np.nan)
        """How much more than others of its workload a pod starts with; nan before its first start."""
        self._since_us: Ints = np.full((width, 0), _STOPPED, np.int64)
        """When each container started; -1 while it does not run."""

    def profile(self, pod: int) -> MemoryProfile:
        """The profile of a pod's workload."""
        return self._profiles[int(self._cluster.pods.workload[pod])]

    def subscribe(self, listener: Callable[[int], None]) -> None:
        """Call `listener(pod)` whenever containers of a pod have started, after those that subscribed before."""
        self._listeners.append(listener)

    def _notify_start(self, pod: int) -> None:
        for listener in self._listeners:
            listener(pod)

    # -- life of containers -------------------------------------------------------------------

    def start(self, pod: int) -> None:
        """The containers of a pod start with a fresh working set."""
        self._reserve(pod + 1)
        profile = self.profile(pod)
        if np.isnan(self._factor[pod]):
            self._factor[pod] = self._drawn(profile, pod)
        self._since_us[: len(profile.containers), pod] = self._cluster.clock.now_us
        self._notify_start(pod)

    def start_container(self, pod: int, container: int) -> None:
        """One container restarts."""
        self._since_us[container, pod] = self._cluster.clock.now_us
        self._notify_start(pod)

    def stop(self, pod: int, container: int) -> None:
        """The container was killed and waits for its restart."""
        self._since_us[container, pod] = _STOPPED

    def is_whole(self, pod: int) -> bool:
        """Whether all containers run."""
        return bool((self._since_us[: len(self.profile(pod).containers), pod] != _STOPPED).all())

    def set_levels(self, workload: int, base: float | None, busy: float) -> bool:
        """New levels of a workload: the base of each pod (None: as it was), what requests add to a ready pod, bytes.

        Whether something changed.
        """
        before = self._base[workload], self._busy[workload]
        self._base[workload], self._busy[workload] = before[0] if base is None else base, busy
        return bool(before != (self._base[workload], self._busy[workload]))

    # -- how much -----------------------------------------------------------------------------

    def use(self, pod: int, now_us: int) -> int:
        """Working set of the pod now."""
        return int(self.working_sets(np.array([pod]), now_us)[0])

    def working_sets(self, rows: Ints, now_us: int) -> Ints:
        """Working sets of pods now."""
        return np.asarray(self.by_container(rows, now_us).sum(axis=0), np.int64)

    def used_by(self, rows: Sequence[int], now_us: int) -> int:
        """Working sets of pods together."""
        return int(self.by_container(np.fromiter(rows, np.int64, len(rows)), now_us).sum()) if rows else 0

    def container_use(self, pod: int, container: int, now_us: int) -> int:
        """Working set of one container now."""
        return int(self.by_container(np.array([pod]), now_us)[container, 0])

    def by_container(self, rows: Ints, now_us: int) -> Ints:
        """Working sets by place of the container and pod."""
        self._reserve(self._cluster.pods.count)
        workload = self._cluster.pods.workload[rows]
        resident = self._resident(rows, workload, now_us)
        if not self._cache[workload].any():
            return resident
        cache = np.rint(self._cache[workload] * self._share[:, workload]).astype(np.int64)
        alive = self._alive(rows)
        return np.where(alive, working_set(resident, cache, self._limit[:, workload]), 0)

    def resident(self, rows: Ints, now_us: int) -> Ints:
        """What cannot be taken back, by place of the container and pod: the kernel kills for it."""
        self._reserve(self._cluster.pods.count)
        return self._resident(rows, self._cluster.pods.workload[rows], now_us)

    def above_limit(self, rows: Ints, now_us: int) -> list[AboveLimit]:
        """Containers above their limits; of a pod above its own limit the largest container."""
        workload, resident = self._cluster.pods.workload[rows], self.resident(rows, now_us)
        places, positions = np.nonzero(resident > self._limit[:, workload])
        found = [AboveLimit(pod, at, False) for pod, at in zip(rows[positions].tolist(), places.tolist(), strict=True)]
        if self._has_pod_limits:
            found += self._above_pod_limit(rows, resident, {over.pod: None for over in found})
        return sorted(found)

    def _above_pod_limit(self, rows: Ints, resident: Ints, others: Mapping[int, None]) -> list[AboveLimit]:
        """The largest container of each pod above its own limit; not of `others`, where a container goes anyway."""
        full = np.flatnonzero(resident.sum(axis=0) > self._pod_limit[self._cluster.pods.workload[rows]])
        largest = resident[:, full].argmax(axis=0).tolist()
        whole = [AboveLimit(pod, at, True) for pod, at in zip(rows[full].tolist(), largest, strict=True)]
        return [over for over in whole if over.pod not in others]

    def growth_per_s(self, rows: Sequence[int]) -> float:
        """How fast pods grow together, bytes per second; growth that begins later counts already."""
        self._reserve(self._cluster.pods.count)
        pods = np.fromiter(rows, np.int64, len(rows))
        workload = self._cluster.pods.workload[pods]
        shares = np.where(self._since_us[:, pods] != _STOPPED, self._share[:, workload], 0.0).sum(axis=0)
        return float((self._growth[workload] * shares).sum()) / 3600

    def first_above_limit_us(self, pod: int, now_us: int) -> int | None:
        """When the first limit of a pod or of its containers is exceeded as things grow; None: never."""
        profile = self.profile(pod)
        resident = self.resident(np.array([pod]), now_us)[:, 0].tolist()
        running = (self._since_us[:, pod] != _STOPPED).tolist()
        alive = [(one, used) for one, used, runs in zip(profile.containers, resident, running, strict=False) if runs]
        found = [_exceeded_us(profile, one.share, used, one.limit, now_us) for one, used in alive]
        whole = sum(one.share for one, _ in alive), sum(used for _, used in alive)
        found.append(_exceeded_us(profile, *whole, profile.limit, now_us))
        return min((at_us for at_us in found if at_us is not None), default=None)

    def _resident(self, rows: Ints, workload: NDArray[np.int32], now_us: int) -> Ints:
        """Base, growth since the start and what requests in flight take, by place and pod."""
        pods, since_us = self._cluster.pods, self._since_us[:, rows]
        grown_us = np.maximum(0, now_us - np.maximum(since_us, self._growth_from_us[workload]))
        whole = np.rint(self._base[workload] * self._factor[rows]) + np.where(pods.ready[rows], self._busy[workload], 0)
        whole = whole + np.floor(self._growth[workload] * (grown_us / US_PER_H))
        return np.where(self._alive(rows), np.rint(whole * self._share[:, workload]), 0).astype(np.int64)

    def _alive(self, rows: Ints) -> NDArray[np.bool_]:
        running = self._cluster.pods.phase[rows] == PodPhase.RUNNING
        return np.asarray((self._since_us[:, rows] != _STOPPED) & running, np.bool_)

    def _drawn(self, profile: MemoryProfile, pod: int) -> float:
        if profile.spread == 0:
            return 1.0
        variance = math.log1p(profile.spread**2)
        deviate = self._spread_draws.normal(self._cluster.pods.draw_key.item(pod))
        return math.exp(math.sqrt(variance) * deviate - variance / 2)

    def _reserve(self, count: int) -> None:
        """Room for pod rows below `count`."""
        missing = count - len(self._factor)
        if missing > 0:
            missing = max(missing, len(self._factor), 64)
            self._factor = np.concatenate([self._factor, np.full(missing, np.nan)])
            more = np.full((len(self._since_us), missing), _STOPPED, np.int64)
            self._since_us = np.concatenate([self._since_us, more], axis=1)


def _exceeded_us(profile: MemoryProfile, share: float, used: int, limit: int | None, now_us: int) -> int | None:
    """When something that has a share of the pod's growth, and uses so much now, exceeds a limit; None: never."""
    if limit is None:
        return None
    if used > limit:
        return now_us
    growth_per_hour = profile.growth_per_hour * share
    if growth_per_hour == 0:
        return None
    begins_us = max(now_us, profile.growth_from_us)
    return begins_us + math.ceil((limit + 1 - used) * US_PER_H / growth_per_hour)
