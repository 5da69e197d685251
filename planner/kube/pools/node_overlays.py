"""Machine types with the prices and devices of NodeOverlays.

Source: Karpenter 1.13, pkg/apis/v1alpha1/nodeoverlay.go and pkg/cloudprovider/types.go (AdjustedPrice).
"""

import re
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from planner.kube.draft.draft import Draft, Part
from planner.kube.kinds.karpenter.node_overlay import KIND, OVERLAYS
from planner.language.translation import tr
from planner.plan.derived.machine_choice import CAPACITY_TYPE, allows, machine_values
from planner.plan.model.karpenter.machine_types import MachineOffering, MachineType
from planner.plan.model.karpenter.node_pools import PoolRequirement, RequirementWord
from planner.plan.model.node_groups import ZONE_LABEL

_PRICE = re.compile(r"\d+(\.\d+)?|[+-]\d*\.?\d+%?")
_BY_ABSENCE = (RequirementWord.NOT_IN, RequirementWord.DOES_NOT_EXIST)


class _Overlay:
    """One overlay as rules read it."""

    def __init__(self, part: Part) -> None:
        self.needs = [PoolRequirement.model_validate(each) for each in part.get("requirements", [])]
        self.price: str = part.get("price", "")
        self.extended: dict[str, int] = part.get("extended", {})

    def suits(self, machine: MachineType, offering: MachineOffering) -> bool:
        """Whether it changes an offering of a type."""
        own = {ZONE_LABEL: offering.zone, CAPACITY_TYPE: offering.capacity_type.value}
        for each in self.needs:
            values = (own[each.key],) if each.key in own else machine_values(machine, each.key)
            if not (any(allows(each, value) for value in values) if values else each.operator in _BY_ABSENCE):
                return False
        return True


def with_overlays(types: Sequence[Part], draft: Draft) -> list[Part]:
    """The types as overlays change them; of several that set the same, the heaviest counts, then the last by name."""
    overlays = list(_read(draft))
    if not overlays:
        return list(types)
    try:
        machines = [MachineType.model_validate(each) for each in types]
    except ValidationError:  # reported with its place when the plan is read
        return list(types)
    changed = [_changed(machine, overlays) for machine in machines]
    return [each.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in changed]


def _read(draft: Draft) -> Iterable[_Overlay]:
    parts = [part for _, part in draft.lists.get(OVERLAYS, [])]
    parts.sort(key=lambda part: part["name"], reverse=True)
    for part in sorted(parts, key=lambda part: -part.get("weight", 0)):
        try:
            overlay = _Overlay(part)
        except ValidationError:
            draft.losses.add(KIND, "spec.requirements", tr("{name}: a requirement cannot be read", name=part["name"]))
            continue
        if overlay.price and not _PRICE.fullmatch(overlay.price):
            draft.losses.add(
                KIND, "spec.priceAdjustment", tr("{name}: {price} is no price", name=part["name"], price=overlay.price)
            )
            continue
        yield overlay


def _changed(machine: MachineType, overlays: Sequence[_Overlay]) -> MachineType:
    offerings = tuple(_priced(machine, offering, overlays) for offering in machine.offerings)
    extended = dict(machine.extended)
    for overlay in reversed(overlays):
        if any(overlay.suits(machine, offering) for offering in machine.offerings):
            extended |= overlay.extended
    return machine.model_copy(update={"offerings": offerings, "extended": extended})


def _priced(machine: MachineType, offering: MachineOffering, overlays: Sequence[_Overlay]) -> MachineOffering:
    found = (overlay.price for overlay in overlays if overlay.price and overlay.suits(machine, offering))
    change = next(found, "")
    return offering.model_copy(update={"price": adjusted(offering.price, change)}) if change else offering


def adjusted(price: float, change: str) -> float:
    """A price after a change: another price, an amount with a sign, or a percentage with a sign; never below 0."""
    if not change.startswith(("+", "-")):
        return float(change)
    if change.endswith("%"):
        return max(0.0, price * (1 + float(change[:-1]) / 100))
    return max(0.0, price + float(change))
