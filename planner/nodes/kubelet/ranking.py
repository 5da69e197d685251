"""The order in which a kubelet evicts pods.

Source: Kubernetes 1.36, pkg/kubelet/eviction/helpers.go, and pkg/kubelet/types/pod_update.go, IsCriticalPod.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from planner.plan.values.thresholds import MEMORY_SIGNALS, Signal
from planner.state.specs import PodSpec

CRITICAL_PRIORITY = 2_000_000_000

INODE_SIGNALS = (Signal.NODEFS_INODES, Signal.IMAGEFS_INODES, Signal.CONTAINERFS_INODES)


class DiskLayout(NamedTuple):
    """Which disks a node has besides the one of the kubelet."""

    dedicated_image_fs: bool = False
    split_container_fs: bool = False
    """Images are on a separate disk, writable layers on that of the kubelet."""


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Bytes or inodes of a pod, by what they belong to."""

    layers: int = 0
    """Writable layers of the containers."""
    logs: int = 0
    volumes: int = 0
    """Local volumes."""


@dataclass(frozen=True, slots=True)
class PodUse:
    """What a kubelet measured of one pod."""

    memory: int = 0
    """Working set, bytes."""
    disk: StorageUse = StorageUse()
    inodes: StorageUse = StorageUse()
    processes: int = 0


@dataclass(frozen=True, slots=True)
class RankedPod:
    """One pod of the node."""

    key: Hashable
    use: PodUse | None
    """None: no statistics."""
    priority: int = 0
    memory_request: int = 0
    disk_request: int = 0
    """Ephemeral storage, bytes."""
    critical: bool = False
    """Never evicted by the kubelet, see `is_critical`."""
    grace_us: int = 30_000_000


def is_critical(spec: PodSpec) -> bool:
    """Static, mirror or of system priority."""
    return spec.scaling.is_mirror or spec.priority >= CRITICAL_PRIORITY


def rank(signal: Signal, pods: Sequence[RankedPod], layout: DiskLayout) -> list[list[RankedPod]]:
    """Groups of equally ranked pods, the first to be evicted first."""
    keyed = [(_key(signal, pod, layout), pod) for pod in pods]
    groups: list[list[RankedPod]] = []
    last: tuple[int, ...] | None = None
    for key, pod in sorted(keyed, key=lambda pair: pair[0]):
        if key != last:
            groups.append([])
            last = key
        groups[-1].append(pod)
    return groups


def victims_of(groups: Sequence[Sequence[RankedPod]]) -> list[RankedPod]:
    """The pods one of which is evicted: the first group, critical pods left out."""
    for group in groups:
        mortal = [pod for pod in group if not pod.critical]
        if mortal:
            return mortal
    return []


def _key(signal: Signal, pod: RankedPod, layout: DiskLayout) -> tuple[int, ...]:
    use = pod.use
    if signal == Signal.PID:
        return (pod.priority, use is not None, -use.processes if use is not None else 0)
    if use is None:
        return (False, False, pod.priority, 0)
    if signal in MEMORY_SIGNALS:
        return (True, use.memory <= pod.memory_request, pod.priority, pod.memory_request - use.memory)
    if signal in INODE_SIGNALS:
        # Inodes cannot be requested; the request in bytes is taken off all the same, as Kubernetes does.
        used = disk_use(signal, use.inodes, layout)
        return (True, used <= 0, pod.priority, pod.disk_request - used)
    used = disk_use(signal, use.disk, layout)
    return (True, used <= pod.disk_request, pod.priority, pod.disk_request - used)


def disk_use(signal: Signal, use: StorageUse, layout: DiskLayout) -> int:
    """What counts for a disk: all on one disk; layers apart on a dedicated image disk; nothing on a split one."""
    everything = use.layers + use.logs + use.volumes
    if not layout.dedicated_image_fs:
        return everything
    on_image_fs = signal in (Signal.IMAGEFS, Signal.IMAGEFS_INODES)
    if layout.split_container_fs:
        return 0 if on_image_fs else everything
    on_kubelet = signal in (Signal.NODEFS, Signal.NODEFS_INODES)
    return use.logs + use.volumes if on_kubelet else use.layers
