"""Machine types for Karpenter, made of machines of the catalogue.

Choosing them is an edit: their numbers are copied into the plan, which no longer depends on the catalogue.
"""

from collections.abc import Iterable, Sequence

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.derived.allocatable import offer_of
from planner.plan.edits.edit import replace_at
from planner.plan.edits.karpenter.provider_labels import provider_labels
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue
from planner.plan.edits.machines import has_prices_for
from planner.plan.model.karpenter.machine_types import Architecture, CapacityType, MachineOffering, MachineType
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.node_groups import ARCH_LABEL, REGION_LABEL, NodeGroup
from planner.plan.model.plan import Plan

TYPES = ("karpenter", "instance_types")


def with_machine_types(
    plan: Plan, machines: Iterable[Machine], catalogue: MachineCatalogue, zones: Sequence[str] = ()
) -> Plan:
    """The plan with these machines among Karpenter's types; a type of the same name is replaced.

    `zones`: where they are offered; without any, the zones that the plan's types have, else the provider's zone. Prices
    of another currency than the plan's are left out, and a market without a price is not offered. Raises PlanProblem.
    """
    if not has_prices_for(plan, catalogue):
        theirs, ours = catalogue.currency, plan.costs.currency
        problem = tr("The catalogue's prices are in {theirs}, those of the plan in {ours}.", theirs=theirs, ours=ours)
        remedy = tr("Use a catalogue in {ours}: Karpenter chooses machines by their prices.", ours=ours)
        raise PlanProblem("costs.currency", problem, remedy)
    here = tuple(zones) or zones_of(plan.karpenter.instance_types)
    return with_types(plan, [machine_type_of(machine, catalogue, here) for machine in machines])


def with_types(plan: Plan, types: Iterable[MachineType]) -> Plan:
    """The plan with these among Karpenter's types; a type of the same name is replaced where it is. Raises
    PlanProblem."""
    merged = {each.name: each for each in plan.karpenter.instance_types}
    merged.update((each.name, each) for each in types)
    return replace_at(plan, TYPES, tuple(merged.values()))


def zones_of(types: Iterable[MachineType]) -> tuple[str, ...]:
    """All zones in which some type is offered, in the order in which they come."""
    return tuple(dict.fromkeys(offering.zone for each in types for offering in each.offerings))


def machine_type_of(machine: Machine, catalogue: MachineCatalogue, zones: Sequence[str]) -> MachineType:
    """The machine as a type that is offered in these zones, or in the provider's."""
    provider = catalogue.provider_of(machine)
    here = tuple(zones) or ((provider.zone,) if provider.zone else ("zone-1",))
    labels = catalogue.labels_of(machine, here[0])
    kept_cpu, kept_memory = _reserved(machine, catalogue)
    return MachineType(
        name=machine.name,
        cpu=machine.cpu,
        memory=machine.memory,
        pods=machine.pods,
        ephemeral_storage=catalogue.disk_of(machine),
        extended=machine.extended,
        reserved_cpu=kept_cpu,
        reserved_memory=kept_memory,
        reserved_storage=catalogue.disk_of(machine) - catalogue.scratch_of(machine),
        architecture=Architecture(machine.arch),
        labels={key: value for key, value in labels.items() if key not in (ARCH_LABEL, REGION_LABEL)}
        | provider_labels(machine, provider.service),
        offerings=tuple(_offerings(machine, here)),
    )


def _offerings(machine: Machine, zones: Sequence[str]) -> Iterable[MachineOffering]:
    """Every market with a price, in every zone."""
    prices = {CapacityType.ON_DEMAND: machine.price_per_hour, CapacityType.SPOT: machine.spot_price_per_hour}
    for zone in zones:
        for market, price in prices.items():
            if price:
                yield MachineOffering(zone=zone, capacity_type=market, price=price)


def _reserved(machine: Machine, catalogue: MachineCatalogue) -> tuple[int, int]:
    """CPU in milli-CPU and memory in bytes that pods cannot use, as on a node of the managed service."""
    service = catalogue.provider_of(machine).service
    kubelet = KubeletSettings(preset=service, kube_reserved_cpu=machine.reserved_cpu)
    node = NodeGroup(name="node", cpu=machine.cpu, memory=machine.memory, pods=machine.pods, kubelet=kubelet)
    kept = offer_of(node).reservation
    return kept.get("cpu", 0), kept.get("memory", 0)
