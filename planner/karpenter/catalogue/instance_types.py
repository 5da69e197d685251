"""Machine types and where they are offered.

Source: Karpenter 1.13, pkg/cloudprovider/types.go. Reserved capacity is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.state.resources import Amounts

SPOT = "spot"
ON_DEMAND = "on-demand"
CAPACITY_TYPES = (SPOT, ON_DEMAND)
"""In the order in which a launch takes them."""


@dataclass(frozen=True, slots=True)
class Offering:
    """A machine type in one zone and market."""

    zone: str
    capacity_type: str
    price: float
    """Per hour."""
    available: bool = True
    capacity_score: int = 10
    """How much spare spot capacity there is, 1 to 10."""


@dataclass(frozen=True, slots=True, eq=False)
class InstanceType:
    """What a machine of a type has."""

    name: str
    labels: Mapping[str, str]
    """Labels that are the same in every offering, the type's name, architecture and system included."""
    capacity: Amounts
    allocatable: Amounts
    """Capacity less what kubelet, system and eviction threshold keep."""
    offerings: tuple[Offering, ...]
