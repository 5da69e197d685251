"""What a node offers to pods, from its machine and its kubelet's settings (spec/node-lifecycle.md section 1)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planner.plan.values.thresholds import Signal, Threshold

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
    extended: Amounts = field(default_factory=dict)


def pod_capacity(cpu_milli: int, max_pods: int, pods_per_core: int = 0) -> int:
    """Most pods of a node."""
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
