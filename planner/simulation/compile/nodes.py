"""How machines of a pool are created, deleted and shut down, from the pool's settings."""

from collections.abc import Mapping

from planner.matching.taints import NodeTaint
from planner.nodes.cloud.provisioning import Delays, Quota
from planner.nodes.drain.shutdown import periods_by_priority
from planner.plan.derived.allocatable import offer_of
from planner.plan.derived.zones import zone_names
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.simulation.compile.containers import with_tag
from planner.state.resources import CPU, EPHEMERAL, MEMORY, NO_VOLUME_LIMIT, VOLUMES_OF, ResourceAxis
from planner.state.specs import NodeSpec


def compile_node(group: NodeGroup, row: int, axis: ResourceAxis) -> NodeSpec:
    """The node spec of a group row; with several zones, that of the first."""
    offer = offer_of(group)
    capacity = axis.amounts({**offer.capacity, **group.extended})
    capacity[EPHEMERAL] = group.ephemeral_storage
    allocatable = capacity.copy()
    allocatable[CPU], allocatable[MEMORY] = offer.allocatable["cpu"], offer.allocatable["memory"]
    for driver in axis.drivers:
        allocatable[axis.index(f"{VOLUMES_OF}{driver}")] = group.volume_limits.get(driver, NO_VOLUME_LIMIT)
    return NodeSpec(
        index=row,
        group=row,
        capacity=capacity,
        allocatable=allocatable,
        labels=group.labels_in(next(iter(zone_names(group)), "")),
        taints=tuple(NodeTaint(taint.key, taint.value, taint.effect) for taint in group.taints),
        price_per_hour=group.node_price,
        images={with_tag(name): size for name, size in group.images.items()},
        scale_down_disabled=group.scaling.scale_down_disabled,
    )


def shutdown_periods(group: NodeGroup) -> tuple[tuple[int, int], ...]:
    """Priorities and periods of a graceful shutdown; empty where it is off."""
    kubelet = group.kubelet
    if kubelet is None:
        return ()
    return periods_by_priority(kubelet.shutdown_grace_period, kubelet.shutdown_grace_period_critical_pods)


def delays_of(plan: Plan) -> dict[int, Delays]:
    """Provisioning and deletion by group row."""
    return {
        row: Delays(
            group.provisioning_delay,
            group.provisioning_spread,
            group.deletion_delay,
            group.ready_delay,
            group.driver_delay if group.extended else 0,
        )
        for row, group in enumerate(plan.node_groups)
    }


def quotas_of(plan: Plan, pool_rows: Mapping[str, tuple[int, ...]]) -> list[Quota]:
    """Quotas of the pools that have one; the groups of a pool's zones share it."""
    return [Quota(rows, quota) for rows in pool_rows.values() if (quota := plan.node_groups[rows[0]].quota) is not None]
