"""Node groups of the Cluster Autoscaler as node pools of Karpenter, and back.

Both ways keep what pods see (sizes, labels, taints, zones, prices) and how long nodes take to boot. What the other
autoscaler has no word for is listed in `Converted.lost`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.derived.allocatable import offer_of
from planner.plan.derived.machine_choice import CAPACITY_TYPE, allows, serves
from planner.plan.derived.zones import shares, zone_names
from planner.plan.edits.edit import replace_many
from planner.plan.model.karpenter.machine_types import Architecture, CapacityType, MachineOffering, MachineType
from planner.plan.model.karpenter.node_pools import (
    InitialMachines,
    NodePool,
    PoolLimits,
    PoolRequirement,
    RequirementWord,
)
from planner.plan.model.node_groups import (
    ARCH_LABEL,
    MACHINE_TYPE_LABEL,
    OS_LABEL,
    ZONE_LABEL,
    NodeGroup,
    PoolZone,
    ZoneMode,
)
from planner.plan.model.plan import NodeAutoscaler, Plan
from planner.plan.model.pricing import Market, Pricing

_NO_ZONE = "zone-1"
_MOST_NODES = 100
"""Maximum of a node group made of a pool without limits."""
_OF_TYPES = (MACHINE_TYPE_LABEL, ARCH_LABEL, OS_LABEL, ZONE_LABEL)
_MARKETS = {Market.ON_DEMAND: CapacityType.ON_DEMAND, Market.SPOT: CapacityType.SPOT}


@dataclass(frozen=True)
class Converted:
    """A plan for the other autoscaler, and what could not come along."""

    plan: Plan
    lost: tuple[str, ...] = field(default=())


def to_karpenter(plan: Plan) -> Converted:
    """A node pool for every node group. Raises PlanProblem.

    The minimum of a group stays behind as a node group of that fixed size, as Karpenter keeps no minimum.
    """
    if not plan.node_groups:
        raise PlanProblem("nodeGroups", tr("The plan has no node group to convert."), tr("Add one."))
    groups = plan.node_groups
    fixed = [_fixed(group) for group in groups if group.min_size]
    types = _joined([*plan.karpenter.instance_types, *map(_type_of, groups)])
    pools = [*plan.karpenter.node_pools, *(_pool_of(group) for group in groups if group.max_size > group.min_size)]
    changed = replace_many(plan, ("karpenter",), {"instance_types": types, "node_pools": tuple(pools)})
    changed = replace_many(changed, (), {"node_groups": tuple(fixed), "node_autoscaler": NodeAutoscaler.KARPENTER})
    return Converted(changed, tuple(line for group in groups for line in _lost_of_group(group)))


def to_node_groups(plan: Plan) -> Converted:
    """For every node pool a node group of each size and market that it may buy, of the cheapest type of that size.
    Raises PlanProblem.
    """
    if not plan.karpenter.node_pools:
        problem = tr("The plan has no node pool of Karpenter to convert.")
        raise PlanProblem("karpenter.nodePools", problem, tr("Add one."))
    made = [group for pool in plan.karpenter.node_pools for group in _groups_of(pool, plan.karpenter.instance_types)]
    taken = {group.name for group in made}
    kept = [group for group in plan.node_groups if group.name not in taken]
    changed = replace_many(plan, ("karpenter",), {"node_pools": (), "instance_types": ()})
    changed = replace_many(
        changed, (), {"node_groups": (*kept, *made), "node_autoscaler": NodeAutoscaler.CLUSTER_AUTOSCALER}
    )
    lost = [line for pool in plan.karpenter.node_pools for line in _lost_of_pool(pool)]
    return Converted(changed, tuple(lost))


# -- to Karpenter ---------------------------------------------------------------------------------


def _fixed(group: NodeGroup) -> NodeGroup:
    """The nodes that the group always has; its pool gets a name of its own."""
    size = {"max_size": group.min_size, "initial_size": group.min_size}
    zones = tuple(zone.model_copy(update={"max_size": zone.min_size, "initial_size": None}) for zone in group.zones)
    return group.model_copy(update={**size, "zones": zones})


def _pool_name(group: NodeGroup) -> str:
    return f"{group.name}-karpenter" if group.min_size else group.name


def _type_name(group: NodeGroup) -> str:
    return group.machine_type or group.node_labels.get(MACHINE_TYPE_LABEL, "") or f"{group.name}-machine"


def _type_of(group: NodeGroup) -> MachineType:
    """The machines of a group, in its zones and market."""
    kept = offer_of(group).reservation
    labels = group.node_labels
    zones = zone_names(group) or (labels.get(ZONE_LABEL, _NO_ZONE),)
    market = _MARKETS[group.pricing.market]
    return MachineType(
        name=_type_name(group),
        cpu=group.cpu,
        memory=group.memory,
        pods=group.pods,
        ephemeral_storage=group.ephemeral_storage,
        extended=group.extended,
        reserved_cpu=kept.get("cpu", 0),
        reserved_memory=kept.get("memory", 0),
        architecture=Architecture(labels.get(ARCH_LABEL, Architecture.AMD64)),
        offerings=tuple(MachineOffering(zone=zone, capacity_type=market, price=group.node_price) for zone in zones),
    )


def _joined(types: Iterable[MachineType]) -> tuple[MachineType, ...]:
    """Types of one name are one type, offered wherever either of them is. Raises PlanProblem if their sizes differ."""
    found: dict[str, MachineType] = {}
    for each in types:
        known = found.setdefault(each.name, each)
        if (known.cpu, known.memory, known.extended) != (each.cpu, each.memory, each.extended):
            problem = tr("Node groups have machines of type {name} of different sizes.", name=each.name)
            raise PlanProblem("nodeGroups", problem, tr("Give them different machine types."))
        places = {(offering.zone, offering.capacity_type): offering for offering in known.offerings}
        places.update(((offering.zone, offering.capacity_type), offering) for offering in each.offerings)
        found[each.name] = known.model_copy(update={"offerings": tuple(places.values())})
    return tuple(found.values())


def _pool_of(group: NodeGroup) -> NodePool:
    grown = group.max_size - group.min_size
    market = _MARKETS[group.pricing.market].value
    zones = zone_names(group)
    needs = [_is_in(MACHINE_TYPE_LABEL, [_type_name(group)]), _is_in(CAPACITY_TYPE, [market])]
    return NodePool(
        name=_pool_name(group),
        requirements=(*needs, *([_is_in(ZONE_LABEL, zones)] if zones else [])),
        limits=PoolLimits(cpu=grown * group.cpu, nodes=grown),
        labels={key: value for key, value in group.labels.items() if key not in _OF_TYPES},
        initial_nodes=tuple(_at_start(group)),
        taints=group.taints,
        provisioning_delay=group.provisioning_delay,
        provisioning_spread=group.provisioning_spread,
        ready_delay=group.ready_delay,
        deletion_delay=group.deletion_delay,
    )


def _at_start(group: NodeGroup) -> Iterator[InitialMachines]:
    """Nodes at the start above the minimum, spread over the zones."""
    zones = zone_names(group) or (group.node_labels.get(ZONE_LABEL, _NO_ZONE),)
    for zone, count in zip(zones, shares(max(0, group.initial_size - group.min_size), len(zones)), strict=True):
        if count:
            market = _MARKETS[group.pricing.market]
            yield InitialMachines(machine_type=_type_name(group), zone=zone, capacity_type=market, count=count)


def _is_in(key: str, values: Iterable[str]) -> PoolRequirement:
    return PoolRequirement(key=key, operator=RequirementWord.IN, values=tuple(values))


def _of(pool: NodeGroup | NodePool, text: str) -> str:
    return f"{pool.name}: {text}"


def _lost_of_group(group: NodeGroup) -> Iterator[str]:
    if group.scaling != NodeGroup.model_fields["scaling"].default:
        yield _of(group, tr("settings of the Cluster Autoscaler for this group"))
    if group.driver_delay:
        yield _of(group, tr("the driver delay of its devices"))
    if group.pricing.reserved_nodes:
        yield _of(group, tr("reserved nodes"))


# -- to node groups -------------------------------------------------------------------------------


def _groups_of(pool: NodePool, types: Iterable[MachineType]) -> Iterator[NodeGroup]:
    """The cheapest type of each size in each market."""
    for market in CapacityType:
        if not _allows(pool, CAPACITY_TYPE, market):
            continue
        offered = [
            (_price(offers), each, offers)
            for each in types
            if serves(each, pool) and (offers := _offers(each, pool, market))
        ]
        cheapest: dict[tuple[int, int], tuple[float, MachineType, list[MachineOffering]]] = {}
        for offer in sorted(offered, key=lambda one: (one[1].cpu, one[1].memory, one[0], one[1].name)):
            cheapest.setdefault((offer[1].cpu, offer[1].memory), offer)
        for price, each, offers in cheapest.values():
            yield _group_of(pool, each, offers, price)


def _allows(pool: NodePool, key: str, value: str) -> bool:
    return all(allows(each, value) for each in pool.requirements if each.key == key)


def _offers(machine: MachineType, pool: NodePool, market: CapacityType) -> list[MachineOffering]:
    """Where the pool may buy the type."""
    return [
        offer for offer in machine.offerings
        if offer.available and offer.capacity_type is market and _allows(pool, ZONE_LABEL, offer.zone)
    ]  # fmt: skip


def _price(offers: Iterable[MachineOffering]) -> float:
    return min(offer.price for offer in offers)


def _group_of(pool: NodePool, machine: MachineType, offers: list[MachineOffering], price: float) -> NodeGroup:
    zones = tuple(dict.fromkeys(offer.zone for offer in offers))
    market = offers[0].capacity_type
    is_spot = market is CapacityType.SPOT
    count = sum(
        some.count for some in pool.initial_nodes if (some.machine_type, some.capacity_type) == (machine.name, market)
    )
    size = machine.name.lower().replace("_", "-")
    return NodeGroup(
        name=f"{pool.name}-{size}{'-spot' if is_spot else ''}",
        min_size=0,
        initial_size=count,
        max_size=max(count, _most_nodes(pool, machine)),
        machine_type=machine.name,
        cpu=machine.cpu,
        memory=machine.memory,
        pods=machine.pods,
        ephemeral_storage=max(0, machine.ephemeral_storage - machine.reserved_storage),
        extended=machine.extended,
        reserved_cpu=machine.reserved_cpu,
        reserved_memory=machine.reserved_memory,
        zone=zones[0] if len(zones) == 1 else "",
        zones=tuple(PoolZone(name=zone) for zone in zones) if len(zones) > 1 else (),
        zone_mode=ZoneMode.PER_ZONE,
        labels=machine.labels | pool.labels | {ARCH_LABEL: machine.architecture.value},
        taints=pool.taints,
        price_per_hour=price,
        pricing=Pricing(market=Market.SPOT if is_spot else Market.ON_DEMAND),
        provisioning_delay=pool.provisioning_delay,
        provisioning_spread=pool.provisioning_spread,
        ready_delay=pool.ready_delay,
        deletion_delay=pool.deletion_delay,
    )


def _most_nodes(pool: NodePool, machine: MachineType) -> int:
    limits = pool.limits
    by_cpu = _MOST_NODES if limits.cpu is None else limits.cpu // max(1, machine.cpu)
    by_memory = _MOST_NODES if limits.memory is None else limits.memory // max(1, machine.memory)
    return max(1, min(by_cpu, by_memory, _MOST_NODES if limits.nodes is None else limits.nodes))


def _lost_of_pool(pool: NodePool) -> Iterator[str]:
    limits = pool.limits
    if (limits.cpu, limits.memory, limits.nodes) != (None, None, None):
        yield _of(pool, tr("each of its groups may grow to the limits on its own"))
    if pool.startup_taints:
        yield _of(pool, tr("start-up taints"))
    if pool.annotations:
        yield _of(pool, tr("annotations"))
    if pool.weight:
        yield _of(pool, tr("its weight; use the priority expander"))
    yield _of(pool, tr("consolidation, budgets and expiry"))
