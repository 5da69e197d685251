"""Pools with several zones, expanded into one group per zone."""

from collections.abc import Mapping

from planner.plan.model.node_groups import NodeGroup, PoolZone, ZoneMode
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload


def shares(total: int, parts: int) -> tuple[int, ...]:
    """A total divided evenly; the first parts take what is left over."""
    return tuple(total // parts + (at < total % parts) for at in range(parts))


def zone_names(group: NodeGroup) -> tuple[str, ...]:
    """Zones of a pool; empty if its nodes carry no zone that it knows of."""
    return tuple(zone.name for zone in group.zones) or ((group.zone,) if group.zone else ())


def has_zone_groups(group: NodeGroup) -> bool:
    """Whether the pool is expanded into one group per zone."""
    return bool(group.zones) and group.zone_mode is ZoneMode.PER_ZONE


def zone_groups(group: NodeGroup) -> tuple[NodeGroup, ...]:
    """One group per zone, called after pool and zone; the pool itself if it has none or one zone."""
    count = len(group.zones)
    if not count:
        return (group,)
    even = zip(
        group.zones,
        shares(group.min_size, count),
        shares(group.max_size, count),
        shares(group.initial_size, count),
        strict=True,
    )
    groups = (_zone_group(group, *zone_and_sizes) for zone_and_sizes in even)
    reserved = shares(group.pricing.reserved_nodes, count)
    return tuple(
        one.model_copy(update={"pricing": one.pricing.model_copy(update={"reserved_nodes": nodes})})
        for one, nodes in zip(groups, reserved, strict=True)
    )


def _zone_group(group: NodeGroup, zone: PoolZone, min_size: int, max_size: int, initial_size: int) -> NodeGroup:
    return group.model_copy(
        update={
            "name": f"{group.name}-{zone.name}",
            "zone": zone.name,
            "zones": (),
            "min_size": min_size if zone.min_size is None else zone.min_size,
            "max_size": max_size if zone.max_size is None else zone.max_size,
            "initial_size": initial_size if zone.initial_size is None else zone.initial_size,
        }
    )


def simulated_groups(group: NodeGroup) -> tuple[NodeGroup, ...]:
    """The groups that the autoscaler knows for a pool."""
    return zone_groups(group) if has_zone_groups(group) else (group,)


def with_zone_groups(plan: Plan) -> Plan:
    """The plan with a node group for every group that the autoscaler knows."""
    if not any(map(has_zone_groups, plan.node_groups)):
        return plan
    parts = {group.name: simulated_groups(group) for group in plan.node_groups}
    groups = tuple(each for group in plan.node_groups for each in parts[group.name])
    names = {pool: tuple(each.name for each in found) for pool, found in parts.items()}
    workloads = tuple(_in_zone_groups(workload, names) for workload in plan.workloads)
    return plan.model_copy(update={"node_groups": groups, "workloads": workloads})


def _in_zone_groups(workload: Workload, names: Mapping[str, tuple[str, ...]]) -> Workload:
    """Static pods of a pool are on the nodes of all its zones."""
    if not workload.node_groups:
        return workload
    chosen = tuple(name for pool in workload.node_groups for name in names.get(pool, (pool,)))
    return workload.model_copy(update={"node_groups": chosen})


def split_by_zone(plan: Plan) -> Plan:
    """The plan as if every pool had one zone: for hints on where pods may go."""
    if not any(group.zones for group in plan.node_groups):
        return plan
    groups = tuple(each for group in plan.node_groups for each in _parts(group))
    return plan.model_copy(update={"node_groups": groups})


def _parts(group: NodeGroup) -> tuple[NodeGroup, ...]:
    """The zones of a pool; those of a balanced one keep its name, after which all its nodes are called."""
    if has_zone_groups(group):
        return zone_groups(group)
    return tuple(part.model_copy(update={"name": group.name}) for part in zone_groups(group))


def pool_rows(plan: Plan) -> dict[str, tuple[int, ...]]:
    """Rows of the groups of each pool, in a plan that may still have pools with a group per zone."""
    found, row = {}, 0
    for group in plan.node_groups:
        count = len(simulated_groups(group))
        found[group.name] = tuple(range(row, row + count))
        row += count
    return found
