"""The catalogue with offerings that the cloud has refused for some time.

Clouds mark an offering that was out of stock as unavailable for some minutes; AWS does so for three (Karpenter's AWS
provider 1.13, pkg/cache/cache.go, UnavailableOfferingsTTL).
"""

from collections.abc import Sequence
from dataclasses import replace

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.instance_types import InstanceType
from planner.units import US_PER_MIN

UNAVAILABLE_US = 3 * US_PER_MIN
Refused = tuple[str, str, str]
"""Machine type, zone, capacity type."""


class Offers:
    """What can be bought at present."""

    def __init__(self, types: Sequence[InstanceType]) -> None:
        self._types = tuple(types)
        self._until_us: dict[Refused, int] = {}
        self._made: dict[tuple[Refused, ...], Catalogue] = {}

    def refuse(self, machine: str, zone: str, capacity_type: str, now_us: int) -> None:
        """The cloud had no such machine."""
        self._until_us[machine, zone, capacity_type] = now_us + UNAVAILABLE_US

    def catalogue(self, now_us: int) -> Catalogue:
        """The catalogue without what was refused a short time ago."""
        if self._until_us:
            self._until_us = {key: until_us for key, until_us in self._until_us.items() if until_us > now_us}
        refused = tuple(sorted(self._until_us)) if self._until_us else ()
        known = self._made.get(refused)
        if known is None:
            known = self._made[refused] = Catalogue([self._without(each, refused) for each in self._types])
        return known

    def _without(self, machine: InstanceType, refused: Sequence[Refused]) -> InstanceType:
        if not any(name == machine.name for name, _, _ in refused):
            return machine
        offerings = tuple(
            replace(each, available=False) if (machine.name, each.zone, each.capacity_type) in refused else each
            for each in machine.offerings
        )
        return replace(machine, offerings=offerings)
