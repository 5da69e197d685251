"""Disks of a run: what pods write, what a kubelet measures, frees and limits.

Each node has one disk, for the kubelet and the images.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from planner.nodes.kubelet.ephemeral import ContainerStorage, PodStorage, limit_exceeded
from planner.nodes.kubelet.pressure import Observation
from planner.nodes.kubelet.ranking import is_critical
from planner.plan.values.thresholds import Signal, Threshold
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.state.specs import PodSpec
from planner.units import US_PER_H, US_PER_S

_DISK_SIGNALS = (Signal.NODEFS, Signal.IMAGEFS)


@dataclass(frozen=True, slots=True)
class DiskProfile:
    """Scratch space of the pods of one template, bytes."""

    request: int = 0
    start: int = 0
    growth_per_hour: int = 0
    growth_from_us: int = 0
    limit: int | None = None
    """Of the containers together; None if no container has a limit."""
    container_limits: tuple[int | None, ...] = ()
    """Of each main container. The first one writes everything."""

    @property
    def least_limit(self) -> int | None:
        """The use above which the pod is evicted; None: however much it is."""
        return min((one for one in (self.limit, *self.container_limits[:1]) if one is not None), default=None)

    def measured(self, used: int, critical: bool) -> PodStorage:
        """A pod that has written so much."""
        containers = [ContainerStorage(one, layer=0 if at else used) for at, one in enumerate(self.container_limits)]
        return PodStorage(used, containers, critical=critical, pod_limit=self.limit)


@dataclass(frozen=True, slots=True)
class KubeletDisk:
    """The disk of the nodes of one group, bytes."""

    capacity: int
    system: int
    """What the system and the images in use take."""
    reclaimable: int = 0
    """Unused images and dead containers on a new node."""


@dataclass
class NodeDisks:
    """Disks by node row. `profile_of`: of the pods of a template; `disks`: by group row."""

    cluster: Cluster
    profile_of: Callable[[PodSpec], DiskProfile]
    disks: Mapping[int, KubeletDisk]
    _cleaned: dict[int, None] = field(default_factory=dict)
    """Nodes whose unused images and dead containers were deleted."""
    _profiles: dict[int, DiskProfile] = field(default_factory=dict)
    """Of the templates seen so far."""

    def profile(self, pod: int) -> DiskProfile:
        """The profile of a pod's template."""
        template = self.cluster.pods.spec.item(pod)
        if template not in self._profiles:
            self._profiles[template] = self.profile_of(self.cluster.pod_specs[template])
        return self._profiles[template]

    def use(self, pod: int, now_us: int) -> int:
        """What a pod has written by now; the files of a container that restarts stay."""
        pods = self.cluster.pods
        if pods.phase[pod] != PodPhase.RUNNING:
            return 0
        profile = self.profile(pod)
        grown_us = max(0, now_us - max(int(pods.running_us[pod]), profile.growth_from_us))
        return profile.start + profile.growth_per_hour * grown_us // US_PER_H

    def observe(self, node: int, now_us: int) -> dict[Signal, Observation]:
        """What the kubelet measures; both signals are of the same disk."""
        return self._seen(node, now_us, 0 if node in self._cleaned else self._disk(node).reclaimable)

    def after_reclaim(self, node: int, now_us: int) -> dict[Signal, Observation]:
        """What it would measure with unused images and dead containers gone."""
        return self._seen(node, now_us, 0)

    def reclaim(self, node: int) -> int:
        """Delete unused images and dead containers; bytes that came free."""
        freed = 0 if node in self._cleaned else self._disk(node).reclaimable
        self._cleaned[node] = None
        return freed

    def above_limit(self, node: int, now_us: int) -> list[int]:
        """Pods of the node that use more than their containers may; critical ones are spared."""
        return [pod for pod in self.cluster.node_pods[node] if self._is_above_limit(pod, now_us)]

    def _is_above_limit(self, pod: int, now_us: int) -> bool:
        profile, spec = self.profile(pod), self.cluster.pod_specs[self.cluster.pods.spec[pod]]
        storage = profile.measured(self.use(pod, now_us), is_critical(spec))
        return limit_exceeded(storage, dedicated_image_fs=False) is not None

    def calm_us(self, node: int, thresholds: tuple[Threshold, ...], now_us: int) -> int | None:
        """How long nothing on the disk reaches a threshold or limit; None: for ever as things are."""
        pods = self.cluster.node_pods[node]
        growing = [pod for pod in pods if self.profile(pod).growth_per_hour > 0]
        if not growing:
            return None
        seen = self.observe(node, now_us)
        spare = [(seen[t.signal].available - t.level(seen[t.signal].capacity)) for t in thresholds if t.signal in seen]
        per_hour = sum(self.profile(pod).growth_per_hour for pod in growing)
        waits = [math.floor(max(0, one) / per_hour * 3600) for one in spare]
        for pod in growing:
            profile = self.profile(pod)
            if profile.least_limit is not None:
                left = max(0, profile.least_limit - self.use(pod, now_us))
                waits.append(math.floor(left / profile.growth_per_hour * 3600))
        return min(waits) * US_PER_S if waits else None

    def _seen(self, node: int, now_us: int, reclaimable: int) -> dict[Signal, Observation]:
        disk = self._disk(node)
        used = disk.system + reclaimable + sum(self.use(pod, now_us) for pod in self.cluster.node_pods[node])
        return dict.fromkeys(_DISK_SIGNALS, Observation(max(0, disk.capacity - used), disk.capacity, now_us))

    def _disk(self, node: int) -> KubeletDisk:
        return self.disks[int(self.cluster.nodes.group[node])]
