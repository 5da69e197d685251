"""When two node groups count as similar, so that a scale-up may be shared between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings

CPU = "cpu"
MEMORY = "memory"
PODS = "pods"
NATIVE = (CPU, MEMORY, PODS, "ephemeral-storage")
IGNORED_LABELS = (
    "kubernetes.io/hostname",
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "beta.kubernetes.io/fluentd-ds-ready",
    "kops.k8s.io/instancegroup",
)
"""Labels that say where a node is or what it is called."""


@dataclass(frozen=True, slots=True)
class NodeTraits:
    """What is compared of a template node. CPU in milli, memory in bytes, other resources in pieces."""

    capacity: Mapping[str, int]
    allocatable: Mapping[str, int]
    labels: Mapping[str, str] = field(default_factory=dict)
    requested: Mapping[str, int] = field(default_factory=dict)
    """Effective requests of the pods every new node starts with (DaemonSet pods)."""


@dataclass(frozen=True, slots=True)
class SimilarityRules:
    """Flags of the comparison; ratios are shares of the larger value.

    The defaults are those of Cluster Autoscaler 1.36.1, config/flags/flags.go.
    """

    memory_difference_ratio: float = 0.015
    max_allocatable_difference_ratio: float = 0.05
    max_free_difference_ratio: float = 0.05
    ignored_labels: tuple[str, ...] = ()
    """Ignored besides those that are always ignored (`balancing-ignore-label`)."""
    balancing_labels: tuple[str, ...] = ()
    """When given, only these labels count (`balancing-label`)."""

    @classmethod
    def from_settings(cls, settings: ClusterAutoscalerSettings) -> "SimilarityRules":
        """The rules of a plan."""
        return cls(
            settings.memory_difference_ratio,
            settings.max_allocatable_difference_ratio,
            settings.max_free_difference_ratio,
            settings.balancing_ignore_labels,
            settings.balancing_labels,
        )


DEFAULT_SIMILARITY_RULES = SimilarityRules()


def is_similar(one: NodeTraits, other: NodeTraits, rules: SimilarityRules = DEFAULT_SIMILARITY_RULES) -> bool:
    """Equal but for place and small differences (Cluster Autoscaler 1.36.1,
    processors/nodegroupset/compare_nodegroups.go)."""
    if rules.balancing_labels:
        return _same_balancing_labels(one, other, rules.balancing_labels)
    return (
        _similar_capacity(one.capacity, other.capacity, rules.memory_difference_ratio)
        and _all_within(one.allocatable, other.allocatable, rules.max_allocatable_difference_ratio)
        and _all_within(_free(one), _free(other), rules.max_free_difference_ratio)
        and _compared_labels(one, rules.ignored_labels) == _compared_labels(other, rules.ignored_labels)
    )


def _same_balancing_labels(one: NodeTraits, other: NodeTraits, keys: Sequence[str]) -> bool:
    return all(key in one.labels and one.labels[key] == other.labels.get(key) for key in keys)


def _similar_capacity(one: Mapping[str, int], other: Mapping[str, int], memory_ratio: float) -> bool:
    """Same resources in equal amounts; memory may differ a little."""
    if one.keys() != other.keys():
        return False
    return all(
        _within(one[name], other[name], memory_ratio) if name == MEMORY else one[name] == other[name] for name in one
    )


def _all_within(one: Mapping[str, int], other: Mapping[str, int], ratio: float) -> bool:
    if one.keys() != other.keys():
        return False
    return all(_within(one[name], other[name], ratio, is_milli=name == CPU) for name in one)


def _within(one: int, other: int, ratio: float, *, is_milli: bool = False) -> bool:
    """Compared in thousandths as Kubernetes does: that decides exact boundaries in floating point."""
    scale = 1 if is_milli else 1000
    larger, smaller = float(max(one, other) * scale), float(min(one, other) * scale)
    return larger - smaller <= larger * ratio


def _free(node: NodeTraits) -> dict[str, int]:
    """Allocatable minus requests, of the native resources and whatever else is requested. Pods request no pods."""
    requested = {**dict.fromkeys(NATIVE, 0), **node.requested, PODS: 0}
    return {name: node.allocatable.get(name, 0) - amount for name, amount in requested.items()}


def _compared_labels(node: NodeTraits, ignored: Sequence[str]) -> dict[str, str]:
    return {key: value for key, value in node.labels.items() if key not in IGNORED_LABELS and key not in ignored}
