"""What a node offers to pods, from its machine and its kubelet's settings.

Source: Kubernetes 1.36, pkg/kubelet/cm/node_container_manager_linux.go.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.plan.derived.reservation_presets import preset_reservation
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.values.thresholds import DEFAULT_HARD, Signal, Threshold, parse_thresholds

Amounts = dict[str, int]

_RESERVED_BY_THRESHOLD = {Signal.MEMORY: "memory", Signal.NODEFS: "ephemeral-storage"}


@dataclass(frozen=True, slots=True)
class NodeOffer:
    """CPU in milli-CPU, other resources in whole units."""

    capacity: Amounts
    reservation: Amounts
    """System and kubelet reservations plus eviction thresholds, where not zero."""
    allocatable: Amounts
    pods_memory_limit: int
    """Memory all pods together may really use; the eviction threshold is not taken off."""
    valid: bool
    """False: a reservation is above the capacity, and the kubelet would not start."""


def thresholds_of(kubelet: KubeletSettings) -> tuple[Threshold, ...]:
    """Thresholds of kubelet settings, the defaults if no hard one is given. Raises ValueError as `parse_thresholds`."""
    return parse_thresholds(
        kubelet.eviction_hard or DEFAULT_HARD,
        kubelet.eviction_soft,
        kubelet.eviction_soft_grace_period,
        kubelet.eviction_minimum_reclaim,
    )


def offer_of(group: NodeGroup) -> NodeOffer:
    """CPU, memory and pods of a node; plain reserves where the pool has no kubelet settings."""
    capacity = {"cpu": group.cpu, "memory": group.memory}
    kubelet = group.kubelet
    if kubelet is None:
        plain = {"cpu": group.reserved_cpu, "memory": group.reserved_memory}
        return node_offer(capacity, plain, {}, (), group.pods)
    pods = pod_capacity(group.cpu, group.pods, kubelet.pods_per_core)
    preset = preset_reservation(kubelet.preset, group.cpu, group.memory, group.pods)
    kube = {
        "cpu": kubelet.kube_reserved_cpu + preset["cpu"],
        "memory": kubelet.kube_reserved_memory + preset["memory"],
    }
    system = {"cpu": kubelet.system_reserved_cpu, "memory": kubelet.system_reserved_memory}
    return node_offer(capacity, kube, system, thresholds_of(kubelet), pods)


def pod_capacity(cpu_milli: int, max_pods: int, pods_per_core: int) -> int:
    """Most pods of a node; `pods_per_core` 0: no bound by cores."""
    return min(max_pods, cpu_milli // 1000 * pods_per_core) if pods_per_core > 0 else max_pods


def node_offer(
    capacity: Mapping[str, int],
    kube_reserved: Mapping[str, int],
    system_reserved: Mapping[str, int],
    thresholds: Iterable[Threshold],
    pods: int,
) -> NodeOffer:
    """Allocatable of every resource in `capacity` (cpu, memory, ephemeral-storage, huge pages) and of pods."""
    eviction = eviction_reservation(capacity, thresholds)
    reserved = {
        name: kube_reserved.get(name, 0) + system_reserved.get(name, 0) + eviction.get(name, 0) for name in capacity
    }
    allocatable = {name: max(0, amount - reserved[name]) for name, amount in capacity.items()}
    huge = sum(amount for name, amount in capacity.items() if name.startswith("hugepages-"))
    allocatable["memory"] = max(0, allocatable["memory"] - huge)
    limit = capacity["memory"] - kube_reserved.get("memory", 0) - system_reserved.get("memory", 0)
    return NodeOffer(
        capacity={**capacity, "pods": pods},
        reservation={name: amount for name, amount in reserved.items() if amount},
        allocatable={**allocatable, "pods": pods},
        pods_memory_limit=max(0, limit),
        valid=all(reserved[name] <= amount for name, amount in capacity.items()),
    )


def eviction_reservation(capacity: Mapping[str, int], thresholds: Iterable[Threshold]) -> Amounts:
    """What hard thresholds on memory and on the kubelet's disk keep free."""
    kept: Amounts = {}
    for threshold in thresholds:
        name = _RESERVED_BY_THRESHOLD.get(threshold.signal)
        if name is not None and threshold.is_hard:
            kept[name] = threshold.value.of(capacity.get(name, 0))
    return kept
