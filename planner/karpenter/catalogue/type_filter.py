"""Which machine types can take a pod, and what is lacking where none can.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/nodeclaim.go (filterInstanceTypesByRequirements and the
texts of InstanceTypeFilterError).
"""

from typing import NamedTuple

from planner.karpenter.catalogue.catalogue import NO_TYPES, Catalogue, TypeSet
from planner.karpenter.catalogue.min_values import too_few_values
from planner.karpenter.failures import Failure
from planner.karpenter.requirements.requirements import Requirements
from planner.state.resources import Amounts


class FilteredTypes(NamedTuple):
    """The types that are left."""

    types: TypeSet
    failure: Failure | None = None
    """Why none is left."""
    lowered: tuple[tuple[str, int], ...] = ()
    """Labels whose smallest number of values was lowered, and to what."""


def filter_types(
    catalogue: Catalogue,
    candidates: TypeSet,
    requirements: Requirements,
    requests: Amounts,
    lowers_min_values: bool = False,
) -> FilteredTypes:
    """The candidates that meet the requirements, hold the requests and have an available offering."""
    meeting = candidates & catalogue.meeting(requirements)
    holding = candidates & catalogue.holding(requests)
    offered = candidates & catalogue.offered(requirements)
    left = meeting & holding & offered
    lacking = too_few_values(catalogue, left, requirements)
    if lacking and not lowers_min_values:
        return FilteredTypes(NO_TYPES, Failure.MIN_VALUES)
    if not left:
        return FilteredTypes(NO_TYPES, _failure(meeting, holding, offered))
    return FilteredTypes(left, None, tuple(lacking.items()))


def _failure(meeting: TypeSet, holding: TypeSet, offered: TypeSet) -> Failure:
    """First what no type has, then the pair that some type has without the third."""
    missing = (not meeting, not holding, not offered)
    if any(missing):
        return _MISSING[missing]
    if meeting & holding & ~offered:
        return Failure.NO_OFFERING_OF_SUITABLE
    if holding & offered & ~meeting:
        return Failure.NO_REQUIREMENTS_OF_LARGE
    if meeting & offered & ~holding:
        return Failure.NO_ROOM_OF_OFFERED
    return Failure.NO_TYPE_WITH_ALL


_MISSING = {
    (True, True, True): Failure.NO_TYPE_WITH_ANY,
    (True, True, False): Failure.NO_REQUIREMENTS_NO_ROOM,
    (True, False, True): Failure.NO_REQUIREMENTS_NO_OFFERING,
    (False, True, True): Failure.NO_ROOM_NO_OFFERING,
    (True, False, False): Failure.NO_REQUIREMENTS,
    (False, True, False): Failure.NO_ROOM,
    (False, False, True): Failure.NO_OFFERING,
}
