"""Compiles Karpenter's pools and machine types of a plan into what its rules read."""

from collections.abc import Iterable

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.instance_types import InstanceType, Offering
from planner.karpenter.pools.budget_schedule import DisruptionBudget
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.limits import NODES
from planner.karpenter.provisioning.round_basis import RoundSettings
from planner.karpenter.requirements.requirement import requirement
from planner.karpenter.requirements.requirements import of_pairs
from planner.matching.taints import NodeTaint
from planner.plan.derived.pod_requests import HUGE_PAGES
from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import ConsolidationPolicy, NodePool, PoolLimits
from planner.plan.model.karpenter.settings import KarpenterSettings, MinValuesPolicy, PreferencePolicy
from planner.plan.model.node_groups import ARCH_LABEL, MACHINE_TYPE_LABEL, OS_LABEL, Taint
from planner.state.resources import CPU, EPHEMERAL, MEMORY, NO_VOLUME_LIMIT, PODS, VOLUMES_OF, ResourceAxis


def compile_pool(pool: NodePool) -> PoolRules:
    """The rules of a pool."""
    return PoolRules(
        name=pool.name,
        requirements=of_pairs(
            (each.key, requirement(each.operator, each.values, each.min_values)) for each in pool.requirements
        ),
        labels=pool.labels,
        annotations=pool.annotations,
        taints=_taints(pool.taints),
        startup_taints=_taints(pool.startup_taints),
        weight=pool.weight,
        limits=_limits(pool.limits),
        expire_after_us=pool.expire_after,
        termination_grace_us=pool.termination_grace_period,
        consolidate_after_us=pool.disruption.consolidate_after,
        only_when_empty=pool.disruption.consolidation_policy is ConsolidationPolicy.WHEN_EMPTY,
        budgets=tuple(map(DisruptionBudget.of, pool.disruption.budgets)),
    )


def compile_catalogue(
    types: Iterable[MachineType], axis: ResourceAxis, provider_labels: Iterable[str] = ()
) -> Catalogue:
    """The machine types of a plan; `provider_labels`: keys that describe types even if none of these has them."""
    return Catalogue([_instance_type(each, axis) for each in types], provider_labels)


def round_settings(settings: KarpenterSettings) -> RoundSettings:
    """The flags that a scheduling round reads."""
    return RoundSettings(
        ignores_preferences=settings.preference_policy is PreferencePolicy.IGNORE,
        lowers_min_values=settings.min_values_policy is MinValuesPolicy.BEST_EFFORT,
        most_types=settings.max_instance_types,
    )


def _taints(taints: Iterable[Taint]) -> tuple[NodeTaint, ...]:
    return tuple(NodeTaint(taint.key, taint.value, taint.effect) for taint in taints)


def _limits(limits: PoolLimits) -> dict[str, int]:
    given = {"cpu": limits.cpu, "memory": limits.memory, NODES: limits.nodes}
    return {name: most for name, most in given.items() if most is not None} | limits.extended


def _instance_type(machine: MachineType, axis: ResourceAxis) -> InstanceType:
    capacity = axis.amounts({name: count for name, count in machine.extended.items() if name in axis.names})
    capacity[CPU], capacity[MEMORY], capacity[PODS] = machine.cpu, machine.memory, machine.pods
    capacity[EPHEMERAL] = machine.ephemeral_storage
    allocatable = capacity.copy()
    allocatable[CPU] -= machine.reserved_cpu
    allocatable[MEMORY] -= machine.reserved_memory
    allocatable[EPHEMERAL] -= machine.reserved_storage
    huge = sum(size for name, size in machine.extended.items() if name.startswith(HUGE_PAGES))
    if huge:  # they are taken from the memory: pkg/cloudprovider/types.go (precompute)
        allocatable[MEMORY] = max(allocatable[MEMORY] - huge, 0)
    for driver in axis.drivers:
        allocatable[axis.index(f"{VOLUMES_OF}{driver}")] = NO_VOLUME_LIMIT
    own = {MACHINE_TYPE_LABEL: machine.name, ARCH_LABEL: machine.architecture.value, OS_LABEL: "linux"}
    return InstanceType(
        name=machine.name,
        labels={**machine.labels, **own},
        capacity=capacity,
        allocatable=allocatable,
        offerings=tuple(
            Offering(o.zone, o.capacity_type.value, o.price, o.available, o.capacity_score) for o in machine.offerings
        ),
    )
