"""Working sets of the pods of a run: base, growth, requests in flight and page cache.

Columns are indexed by pod row, and those of single containers also by place in the pod. Amounts are bytes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws
from planner.kernels import switch
from planner.nodes.kubelet.memory_columns import MemoryColumns
from planner.nodes.kubelet.memory_profile import MemoryProfile
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.state.specs import PodSpec
from planner.units import US_PER_H

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_STOPPED = -1
_MANY = 64
_CHANGES = (ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_GONE, ClusterEventKind.POD_RESIZED)
_RUNNING = int(PodPhase.RUNNING)  # looking up a member of an enum costs a call in Python 3.11


class AboveLimit(NamedTuple):
    """A container to be killed, because it or (`is_of_pod`) its pod as a whole is above a memory limit."""

    pod: int
    container: int
    is_of_pod: bool


def working_set(resident: Ints, cache: Ints, limit: Ints) -> Ints:
    """What counts as used: pages that cannot be taken back, and as much page cache as the limit leaves room for."""
    return np.asarray(resident + np.minimum(cache, np.maximum(0, limit - resident)), np.int64)


class PodMemory:
    """Memory by pod row. Pods that do not run use nothing, nor do containers that wait for their restart."""

    def __init__(
        self,
        cluster: Cluster,
        profile_of: Callable[[PodSpec], MemoryProfile],
        draws: Draws,
    ) -> None:
        """`profile_of`: of the pods of a template."""
        self._cluster = cluster
        self._of = MemoryColumns(cluster, profile_of)
        self._spread_draws = draws.of("memory/spread")
        self._listeners: list[Callable[[int], None]] = []
        self._level: Floats = np.full(cluster.workloads.count, np.nan)
        """Base of the pods of each workload where it follows a profile over time; nan where templates say it."""
        self._has_levels = False
        self._busy: Floats = np.zeros(0)
        """What the requests of each pod take."""
        self._factor: Floats = np.full(0, np.nan)
        """How much more than others of its workload a pod starts with; nan before its first start."""
        self._since_us: Ints = np.full((1, 0), _STOPPED, np.int64)
        """When each container started; -1 while it does not run."""
        self._kernel = _kernel()
        self._revision = 0
        self._latest: tuple[int, Ints, Ints] | None = None
        """Of the latest question about many pods: revision, pods and working sets."""
        cluster.subscribe(self._on_change, _CHANGES)

    @property
    def revision(self) -> int | None:
        """Another number whenever the memory of some pod may have changed; None where it grows with time."""
        self._of.update()
        return None if self._of.some_grow else self._revision

    @property
    def has_cache(self) -> bool:
        """Whether some pods hold page cache, of which more counts as used where their limits are raised."""
        self._of.update()
        return self._of.some_cache

    def _on_change(self, _event: ClusterEvent) -> None:
        self._revision += 1

    def profile(self, pod: int) -> MemoryProfile:
        """The profile of a pod's template."""
        self._reserve(pod + 1)
        return self._of.profiles[self._cluster.pods.spec.item(pod)]

    def subscribe(self, listener: Callable[[int], None]) -> None:
        """Call `listener(pod)` whenever containers of a pod have started, after those that subscribed before."""
        self._listeners.append(listener)

    def _notify_start(self, pod: int) -> None:
        for listener in self._listeners:
            listener(pod)

    # -- life of containers -------------------------------------------------------------------

    def start(self, pod: int) -> None:
        """The containers of a pod start with a fresh working set."""
        profile = self.profile(pod)
        if np.isnan(self._factor[pod]):
            self._factor[pod] = self._drawn(profile, pod)
        self._since_us[: len(profile.containers), pod] = self._cluster.clock.now_us
        self._revision += 1
        self._notify_start(pod)

    def start_container(self, pod: int, container: int) -> None:
        """One container restarts."""
        self._since_us[container, pod] = self._cluster.clock.now_us
        self._revision += 1
        self._notify_start(pod)

    def stop(self, pod: int, container: int) -> None:
        """The container was killed and waits for its restart; requests of the pod are lost."""
        self._since_us[container, pod] = _STOPPED
        self._busy[pod] = 0.0
        self._revision += 1

    def is_whole(self, pod: int) -> bool:
        """Whether all containers run."""
        return bool((self._since_us[: len(self.profile(pod).containers), pod] != _STOPPED).all())

    def set_base(self, workload: int, base: float) -> bool:
        """Pods of a workload have this base from now on, whatever their template; whether it has changed."""
        before, self._level[workload], self._has_levels = self._level[workload], base, True
        self._revision += 1
        return bool(before != base)

    def set_busy(self, rows: Ints, busy: Floats) -> NDArray[np.bool_]:
        """What requests take in these pods from now on; which of them have changed."""
        self._reserve(self._cluster.pods.count)
        changed: NDArray[np.bool_] = self._busy[rows] != busy
        self._busy[rows] = busy
        self._revision += 1
        return changed

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
        """Working sets by place of the container and pod, not to be written to.

        Where nothing has changed since, those of many pods are not worked out again.
        """
        if len(rows) < _MANY or (revision := self.revision) is None:
            return self._by_container(rows, now_us)
        if self._latest is None or self._latest[0] != revision or not np.array_equal(self._latest[1], rows):
            self._latest = revision, rows.copy(), self._by_container(rows, now_us)
        return self._latest[2]

    def _by_container(self, rows: Ints, now_us: int) -> Ints:
        self._reserve(self._cluster.pods.count)
        of, template = self._of, self._cluster.pods.spec[rows]
        resident = self._resident(rows, template, now_us)
        if not of.some_cache or not of.cache[template].any():
            return resident
        cache = np.rint(of.cache[template] * of.share[:, template]).astype(np.int64)
        alive = self._alive(rows)
        return np.where(alive, working_set(resident, cache, of.limit[:, template]), 0)

    def resident(self, rows: Ints, now_us: int) -> Ints:
        """What cannot be taken back, by place of the container and pod: the kernel kills for it."""
        self._reserve(self._cluster.pods.count)
        return self._resident(rows, self._cluster.pods.spec[rows], now_us)

    def above_limit(self, rows: Ints, now_us: int) -> list[AboveLimit]:
        """Containers above their limits; of a pod above its own limit the largest container."""
        resident, template = self.resident(rows, now_us), self._cluster.pods.spec[rows]
        places, positions = np.nonzero(resident > self._of.limit[:, template])
        found = [AboveLimit(pod, at, False) for pod, at in zip(rows[positions].tolist(), places.tolist(), strict=True)]
        if self._of.has_pod_limits:
            found += self._above_pod_limit(rows, resident, {over.pod: None for over in found})
        return sorted(found)

    def would_exceed(self, pod: int, template: int, now_us: int) -> bool:
        """Whether a container of the pod uses more now than the limits of another template allow."""
        self._reserve(self._cluster.pods.count)
        resident = self.resident(np.array([pod]), now_us)[:, 0]
        return bool((resident > self._of.limit[: len(resident), template]).any())

    def _above_pod_limit(self, rows: Ints, resident: Ints, others: Mapping[int, None]) -> list[AboveLimit]:
        """The largest container of each pod above its own limit; not of `others`, where a container goes anyway."""
        full = np.flatnonzero(resident.sum(axis=0) > self._of.pod_limit[self._cluster.pods.spec[rows]])
        largest = resident[:, full].argmax(axis=0).tolist()
        whole = [AboveLimit(pod, at, True) for pod, at in zip(rows[full].tolist(), largest, strict=True)]
        return [over for over in whole if over.pod not in others]

    def growth_per_s(self, rows: Ints) -> Floats:
        """How fast each of these pods grows, bytes per second; growth that begins later counts already."""
        self._reserve(self._cluster.pods.count)
        if not self._of.some_grow:
            return np.zeros(len(rows))
        template = self._cluster.pods.spec[rows]
        growth = self._of.growth[template]
        shares = np.where(self._since_us[:, rows] != _STOPPED, self._of.share[:, template], 0.0).sum(axis=0)
        return np.asarray(growth * shares / 3600)

    def first_above_limit_us(self, pod: int, now_us: int) -> int | None:
        """When the first limit of a pod or of its containers is exceeded as things grow; None: never."""
        profile = self.profile(pod)
        if profile.limit is None and all(one.limit is None for one in profile.containers):
            return None
        resident = self.resident(np.array([pod]), now_us)[:, 0].tolist()
        running = (self._since_us[:, pod] != _STOPPED).tolist()
        alive = [(one, used) for one, used, runs in zip(profile.containers, resident, running, strict=False) if runs]
        found = [_exceeded_us(profile, one.share, used, one.limit, now_us) for one, used in alive]
        whole = sum(one.share for one, _ in alive), sum(used for _, used in alive)
        found.append(_exceeded_us(profile, *whole, profile.limit, now_us))
        return min((at_us for at_us in found if at_us is not None), default=None)

    def _resident(self, rows: Ints, template: NDArray[np.int32], now_us: int) -> Ints:
        """Base, growth since the start and what requests in flight take, by place and pod."""
        if self._kernel is not None:
            pods, of = self._cluster.pods, self._of
            templates = of.start, of.growth, of.growth_from_us, of.share
            return self._kernel(
                rows, now_us, (pods.phase, pods.spec, pods.workload), templates,
                (self._factor, self._busy, self._since_us), self._level, _RUNNING, of.some_grow, self._has_levels,
            )  # fmt: skip
        of, base = self._of, self._of.start[template]
        if self._has_levels:
            level = self._level[self._cluster.pods.workload[rows]]
            base = np.where(np.isnan(level), base, level)
        whole = np.rint(base * self._factor[rows]) + self._busy[rows]
        if of.some_grow:
            from_us = np.maximum(self._since_us[:, rows], of.growth_from_us[template])
            whole = whole + np.floor(of.growth[template] * (np.maximum(0, now_us - from_us) / US_PER_H))
        return np.where(self._alive(rows), np.rint(whole * of.share[:, template]), 0).astype(np.int64)

    def _alive(self, rows: Ints) -> NDArray[np.bool_]:
        running = self._cluster.pods.phase[rows] == _RUNNING
        return np.asarray((self._since_us[:, rows] != _STOPPED) & running, np.bool_)

    def _drawn(self, profile: MemoryProfile, pod: int) -> float:
        if profile.spread == 0:
            return 1.0
        variance = math.log1p(profile.spread**2)
        deviate = self._spread_draws.normal(self._cluster.pods.draw_key.item(pod))
        return math.exp(math.sqrt(variance) * deviate - variance / 2)

    def _reserve(self, count: int) -> None:
        """Room for pod rows below `count`, and for the containers of all templates."""
        self._of.update()
        if (wider := self._of.width - len(self._since_us)) > 0:
            more = np.full((wider, self._since_us.shape[1]), _STOPPED, np.int64)
            self._since_us = np.concatenate([self._since_us, more])
        missing = count - len(self._factor)
        if missing > 0:
            missing = max(missing, len(self._factor), 64)
            self._factor = np.concatenate([self._factor, np.full(missing, np.nan)])
            self._busy = np.concatenate([self._busy, np.zeros(missing)])
            more = np.full((len(self._since_us), missing), _STOPPED, np.int64)
            self._since_us = np.concatenate([self._since_us, more], axis=1)


def _kernel() -> Callable[..., Ints] | None:
    """The compiled twin of `_resident`."""
    if not switch.in_use():
        return None
    from planner.kernels.load.resident_memory import resident

    return resident


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
