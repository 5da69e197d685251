"""One pass of a kubelet's eviction manager.

Source: Kubernetes 1.36, pkg/kubelet/eviction/eviction_manager.go, synchronize.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from planner.nodes.kubelet.ranking import DiskLayout, RankedPod, rank, victims_of
from planner.plan.values.thresholds import MEMORY_SIGNALS, Signal, Threshold
from planner.units import US_PER_MIN, US_PER_S

HARD_GRACE_US = US_PER_S


class Pressure(StrEnum):
    """Node conditions of the eviction manager."""

    MEMORY = "MemoryPressure"
    DISK = "DiskPressure"
    PID = "PIDPressure"


class Observation(NamedTuple):
    """One signal as measured; bytes, inodes or processes."""

    available: int
    capacity: int
    time_us: int = 0
    """When it was measured."""


Observations = Mapping[Signal, Observation]


@dataclass(frozen=True)
class EvictionSettings:
    """A kubelet's eviction settings."""

    thresholds: tuple[Threshold, ...]
    transition_us: int = 5 * US_PER_MIN
    max_pod_grace_us: int = 0
    layout: DiskLayout = DiskLayout()


@dataclass(frozen=True)
class EvictionMemory:
    """What a kubelet remembers from pass to pass."""

    first_seen_us: Mapping[Threshold, int] = field(default_factory=dict)
    last_stamp_us: Mapping[Pressure, int] = field(default_factory=dict)
    in_force: tuple[Threshold, ...] = ()
    last: Observations = field(default_factory=dict)
    is_first_pass: bool = True


@dataclass(frozen=True)
class PassResult:
    """What one pass found. Whom to evict is up to `rank`, per threshold to act on."""

    memory: EvictionMemory
    conditions: tuple[Pressure, ...]
    """Conditions the kubelet reports now."""
    act_on: tuple[Threshold, ...]
    """Thresholds one of which, by no rule, drives the eviction; memory signals are taken before all others."""


def condition_of(signal: Signal) -> Pressure:
    """The condition a signal sets."""
    if signal in MEMORY_SIGNALS:
        return Pressure.MEMORY
    return Pressure.PID if signal == Signal.PID else Pressure.DISK


def effective_thresholds(settings: EvictionSettings) -> tuple[Threshold, ...]:
    """Thresholds of containerfs follow those of the disk it lies on; given ones are thrown away."""
    on_image_fs = settings.layout.dedicated_image_fs and not settings.layout.split_container_fs
    follows = (
        {Signal.IMAGEFS: Signal.CONTAINERFS, Signal.IMAGEFS_INODES: Signal.CONTAINERFS_INODES}
        if on_image_fs
        else {Signal.NODEFS: Signal.CONTAINERFS, Signal.NODEFS_INODES: Signal.CONTAINERFS_INODES}
    )
    own = (Signal.CONTAINERFS, Signal.CONTAINERFS_INODES)
    kept = tuple(threshold for threshold in settings.thresholds if threshold.signal not in own)
    return (*kept, *(replace(t, signal=follows[t.signal]) for t in kept if t.signal in follows))


def eviction_pass(settings: EvictionSettings, memory: EvictionMemory, seen: Observations, now_us: int) -> PassResult:
    """Steps 1 to 6 and 9 of a pass: thresholds, conditions, and what to act on."""
    # The first pass still uses the thresholds as they were given.
    watched = settings.thresholds if memory.is_first_pass else effective_thresholds(settings)
    listed = dict.fromkeys((*thresholds_met(watched, seen), *thresholds_met(memory.in_force, seen, with_reclaim=True)))
    first_seen_us = {threshold: memory.first_seen_us.get(threshold, now_us) for threshold in listed}
    stamps = {**memory.last_stamp_us, **{condition_of(threshold.signal): now_us for threshold in listed}}
    in_force = tuple(t for t, since_us in first_seen_us.items() if now_us - since_us >= t.grace_us)
    return PassResult(
        memory=EvictionMemory(first_seen_us, stamps, in_force, dict(seen), is_first_pass=False),
        conditions=tuple(c for c in Pressure if c in stamps and now_us - stamps[c] < settings.transition_us),
        act_on=_first_choices([t for t in in_force if _is_news(t.signal, seen, memory.last)]),
    )


def thresholds_met(thresholds: Sequence[Threshold], seen: Observations, with_reclaim: bool = False) -> list[Threshold]:
    """Those with less available than their level (plus the minimum reclaim); an unobserved signal is never met."""
    return [
        threshold
        for threshold in thresholds
        if threshold.signal in seen
        and threshold.level(seen[threshold.signal].capacity, with_reclaim) > seen[threshold.signal].available
    ]


def reclaims_node_resources(signal: Signal, layout: DiskLayout) -> bool:
    """Whether dead containers or unused images are deleted before a pod is evicted."""
    if condition_of(signal) is not Pressure.DISK:
        return False
    on_kubelet = signal in (Signal.NODEFS, Signal.NODEFS_INODES)
    return not (on_kubelet and layout.dedicated_image_fs and not layout.split_container_fs)


def reclaim_was_enough(settings: EvictionSettings, seen_after: Observations) -> bool:
    """Whether no threshold is met any more, minimum reclaim included, so that no pod has to go."""
    return not thresholds_met(effective_thresholds(settings), seen_after, with_reclaim=True)


@dataclass(frozen=True, slots=True)
class Choice:
    """What acting on one threshold comes to."""

    threshold: Threshold
    reclaims: bool
    """Dead containers or unused images are deleted first."""
    victims: tuple[RankedPod, ...]
    """Pods one of which is evicted; empty if the reclaim was enough or only critical pods are left."""


def choices(
    settings: EvictionSettings, result: PassResult, pods: Sequence[RankedPod], seen_after: Observations
) -> list[Choice]:
    """Steps 10 and 11: one choice for each threshold to act on; which one is taken is a matter of chance.

    `seen_after`: what would be measured after the node-level reclaim.
    """
    found = []
    for threshold in result.act_on:
        reclaims = reclaims_node_resources(threshold.signal, settings.layout)
        enough = reclaims and reclaim_was_enough(settings, seen_after)
        victims = () if enough else tuple(victims_of(rank(threshold.signal, pods, settings.layout)))
        found.append(Choice(threshold, reclaims, victims))
    return found


def eviction_grace_us(threshold: Threshold, pod: RankedPod, settings: EvictionSettings) -> int:
    """Grace period that the kubelet gives the pod."""
    return HARD_GRACE_US if threshold.is_hard else min(settings.max_pod_grace_us, pod.grace_us)


def _first_choices(thresholds: Sequence[Threshold]) -> tuple[Threshold, ...]:
    memory = tuple(threshold for threshold in thresholds if threshold.signal in MEMORY_SIGNALS)
    return memory or tuple(thresholds)


def _is_news(signal: Signal, seen: Observations, last: Observations) -> bool:
    """No second eviction on the same sample."""
    return signal in seen and (signal not in last or seen[signal].time_us > last[signal].time_us)
