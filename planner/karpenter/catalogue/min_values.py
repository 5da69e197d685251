"""How many different values of a label the machine types left must offer.

Source: Karpenter 1.13, pkg/cloudprovider/types.go (SatisfiesMinValues).
"""

from collections.abc import Sequence

from planner.karpenter.catalogue.catalogue import Catalogue, TypeSet, set_of
from planner.karpenter.requirements.requirements import Requirements


def too_few_values(catalogue: Catalogue, types: TypeSet, requirements: Requirements) -> dict[str, int]:
    """The labels of which some types offer too few values, and how many they offer; none where there are no types."""
    if not types:
        return {}
    found = {}
    for key, each in requirements.items():
        if each.min_values is not None:
            count = sum(1 for known in catalogue.values_of(key).values() if known & types)
            if count < each.min_values:
                found[key] = count
    return found


def types_needed(catalogue: Catalogue, ordered: Sequence[int], requirements: Requirements) -> int:
    """Length of the shortest beginning of a list of types that offers enough values; 0 where none are asked for."""
    if all(each.min_values is None for each in requirements.values()):
        return 0
    for length in range(1, len(ordered) + 1):
        if not too_few_values(catalogue, set_of(ordered[:length]), requirements):
            return length
    return len(ordered)
