"""Requirements on several labels: what a pod asks for, what a node, a pool or a machine type offers.

Source: Karpenter 1.13, pkg/scheduling/requirements.go.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Protocol

from planner.karpenter.requirements.requirement import ANYTHING, LabelRequirement, intersect, intersection, requirement
from planner.plan.model.node_groups import ARCH_LABEL, MACHINE_TYPE_LABEL, OS_LABEL, REGION_LABEL, ZONE_LABEL

Requirements = Mapping[str, LabelRequirement]
"""By label key. A label that is missing may have any value."""

NODE_POOL_LABEL = "karpenter.sh/nodepool"
CAPACITY_TYPE_LABEL = "karpenter.sh/capacity-type"
WELL_KNOWN = (
    NODE_POOL_LABEL,
    CAPACITY_TYPE_LABEL,
    ZONE_LABEL,
    REGION_LABEL,
    MACHINE_TYPE_LABEL,
    ARCH_LABEL,
    OS_LABEL,
    "node.kubernetes.io/windows-build",
)
"""Labels that a pool may leave open and a pod may still ask for; a provider adds its own."""
_FORMER_NAMES = {
    "failure-domain.beta.kubernetes.io/zone": ZONE_LABEL,
    "failure-domain.beta.kubernetes.io/region": REGION_LABEL,
    "beta.kubernetes.io/arch": ARCH_LABEL,
    "beta.kubernetes.io/os": OS_LABEL,
    "beta.kubernetes.io/instance-type": MACHINE_TYPE_LABEL,
}


def names_of(label: str) -> tuple[str, ...]:
    """A label key and its former ones."""
    return (label, *(former for former, present in _FORMER_NAMES.items() if present == label))


def present_name(key: str) -> str:
    """The key under which a label goes now."""
    return _FORMER_NAMES.get(key, key)


class LabelExpression(Protocol):
    """An expression on a label."""

    @property
    def key(self) -> str:
        """Label key."""

    @property
    def operator(self) -> str:
        """How it is compared."""

    @property
    def values(self) -> tuple[str, ...]:
        """With what."""


def of_labels(labels: Mapping[str, str]) -> dict[str, LabelRequirement]:
    """Exactly these labels."""
    return of_pairs((key, LabelRequirement(False, (value,))) for key, value in labels.items())


def of_expressions(expressions: Iterable[LabelExpression]) -> dict[str, LabelRequirement]:
    """All expressions together."""
    return of_pairs((each.key, requirement(each.operator, each.values)) for each in expressions)


def of_pairs(pairs: Iterable[tuple[str, LabelRequirement]]) -> dict[str, LabelRequirement]:
    """Requirements by key, intersected where a key comes twice; former names of labels count as the present ones."""
    found: dict[str, LabelRequirement] = {}
    for key, wanted in pairs:
        key = present_name(key)
        found[key] = intersection(wanted, found[key]) if key in found else wanted
    return found


def narrowed(one: Requirements, other: Requirements) -> dict[str, LabelRequirement]:
    """Both together."""
    found = dict(one)
    for key, wanted in other.items():
        known = found.get(key)
        found[key] = wanted if known is None else known if known == wanted else intersection(wanted, known)
    return found


def intersects(one: Requirements, other: Requirements) -> bool:
    """Whether every label that both name has a value, or need not exist on either side."""
    if len(one) > len(other):
        one, other = other, one
    for key, mine in one.items():
        theirs = other.get(key)
        if theirs is not None and not intersect(mine, theirs) and not (mine.excludes and theirs.excludes):
            return False
    return True


def compatible(offered: Requirements, wanted: Requirements, may_lack: Container[str] = ()) -> bool:
    """Whether what is wanted can be had; of the labels that the offer lacks only `may_lack` can be asked for."""
    for key, each in wanted.items():
        if key not in offered and key not in may_lack and not each.excludes:
            return False
    return intersects(offered, wanted)


def on_key(requirements: Requirements, key: str) -> LabelRequirement:
    """The requirement on one label."""
    return requirements.get(key, ANYTHING)
