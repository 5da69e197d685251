"""Faults that suit a plan, for a menu: what is lost, where. Rules without a screen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from planner.plan.derived.karpenter_groups import karpenter_offers
from planner.plan.model.events.on_control_plane import MetricsOutage
from planner.plan.model.events.on_nodes import DrainNodes, NodeLoss, SpotReclaim, ZoneOutage
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.karpenter.machine_types import CapacityType, MachineOffering
from planner.plan.model.plan import Plan

MOST_PLACES = 20
"""Zones or pools offered; the others are reached by changing the event in its form."""
_translate = QCoreApplication.translate  # by this name the translators' tools find the texts


class Fault(Enum):
    """A kind of fault; the value is the heading of its places."""

    ZONE_OUTAGE = QT_TRANSLATE_NOOP("WhatIf", "A zone fails")
    NODE_LOSS = QT_TRANSLATE_NOOP("WhatIf", "A node fails")
    SPOT_RECLAIM = QT_TRANSLATE_NOOP("WhatIf", "A spot node is reclaimed")
    DRAIN = QT_TRANSLATE_NOOP("WhatIf", "A node is drained")
    METRICS_OUTAGE = QT_TRANSLATE_NOOP("WhatIf", "Metrics are unavailable")

    @property
    def title(self) -> str:
        """The heading in the user's language."""
        return _translate("WhatIf", str(self.value))


@dataclass(frozen=True)
class Suggestion:
    """A fault at a place. `place` is empty where it hits the whole cluster."""

    fault: Fault
    place: str
    event: PlanEvent

    @property
    def step_text(self) -> str:
        """The text of the undo step."""
        if not self.place:
            return _translate("WhatIf", "Add event: {what}").format(what=self.fault.title)
        return _translate("WhatIf", "Add event: {what} ({place})").format(what=self.fault.title, place=self.place)


def suggestions(plan: Plan, at_us: int) -> Iterator[Suggestion]:
    """What could go wrong at a time of the run, with the plan's own zones and pools."""
    offers = karpenter_offers(plan)
    zones = dict.fromkeys(group.zone for group in plan.node_groups if group.zone)
    zones |= dict.fromkeys(offering.zone for offered in offers.values() for offering in offered)
    for zone in list(zones)[:MOST_PLACES]:
        yield Suggestion(Fault.ZONE_OUTAGE, zone, ZoneOutage(type="zoneOutage", zone=zone, at=at_us))
    for fault in (Fault.NODE_LOSS, Fault.SPOT_RECLAIM, Fault.DRAIN):
        for pool in _pools(plan, fault, offers)[:MOST_PLACES]:
            yield Suggestion(fault, pool, _on_pool(fault, pool, at_us))
    if plan.horizontal_pod_autoscalers:
        yield Suggestion(Fault.METRICS_OUTAGE, "", MetricsOutage(type="metricsOutage", at=at_us))


def _pools(plan: Plan, fault: Fault, offers: Mapping[str, Sequence[MachineOffering]]) -> list[str]:
    """Pools that the fault can hit; those of Karpenter lose spot machines only if they may buy any."""
    bought = [
        name
        for name, offered in offers.items()
        if fault is not Fault.SPOT_RECLAIM or any(each.capacity_type is CapacityType.SPOT for each in offered)
    ]
    return [*(group.name for group in plan.node_groups), *bought]


def _on_pool(fault: Fault, pool: str, at_us: int) -> PlanEvent:
    if fault is Fault.NODE_LOSS:
        return NodeLoss(type="nodeLoss", node_group=pool, at=at_us)
    if fault is Fault.SPOT_RECLAIM:
        return SpotReclaim(type="spotReclaim", node_group=pool, at=at_us)
    return DrainNodes(type="drain", node_group=pool, at=at_us)
