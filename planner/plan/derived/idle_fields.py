"""Fields that change nothing in a plan as it is, so that a form need not show them."""

from collections.abc import Callable

from planner.plan.derived.machine_choice import offerings_of
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.plan.model.karpenter.node_pools import RequirementWord
from planner.plan.model.karpenter.settings import SpotAllocation
from planner.plan.model.plan import NodeAutoscaler, Plan

Place = tuple[str | int, ...]
_WITHOUT_VALUES = (RequirementWord.EXISTS, RequirementWord.DOES_NOT_EXIST)


def is_idle(plan: Plan, path: Place) -> bool:
    """Whether a field has no effect because of what the plan says elsewhere."""
    rule = _RULES.get(tuple(step for step in path if isinstance(step, str)))
    if rule is not None:
        return rule(plan, path)
    return len(path) == 2 and path[0] == "cluster_autoscaler" and path[1] != "enabled" and _is_without_it(plan, path)


def _is_without_it(plan: Plan, path: Place) -> bool:
    return plan.node_autoscaler in (NodeAutoscaler.KARPENTER, NodeAutoscaler.NONE)


def _is_without_karpenter(plan: Plan, path: Place) -> bool:
    return not plan.runs_karpenter


def _is_without_spot(plan: Plan, path: Place) -> bool:
    offered = (offer for machine in plan.karpenter.instance_types for offer in machine.offerings)
    return not plan.runs_karpenter or all(offer.capacity_type is not CapacityType.SPOT for offer in offered)


def _is_without_smallest_numbers(plan: Plan, path: Place) -> bool:
    needs = (need for pool in plan.karpenter.node_pools for need in pool.requirements)
    return not plan.runs_karpenter or all(need.min_values is None for need in needs)


def _is_pool_without_spot(plan: Plan, path: Place) -> bool:
    pool = plan.karpenter.node_pools[int(path[2])]
    offered = offerings_of(pool, plan.karpenter.instance_types)
    return bool(offered) and all(offer.capacity_type is not CapacityType.SPOT for offer in offered)


def _is_without_scores(plan: Plan, path: Place) -> bool:
    offer = plan.karpenter.instance_types[int(path[2])].offerings[int(path[4])]
    by_score = plan.karpenter.spot_allocation is SpotAllocation.PRICE_CAPACITY_OPTIMIZED
    return not by_score or offer.capacity_type is not CapacityType.SPOT


def _is_without_buffers(plan: Plan, path: Place) -> bool:
    return not (plan.runs_karpenter and any(reserve.capacity_buffer for reserve in plan.overprovisioning))


def _takes_no_values(plan: Plan, path: Place) -> bool:
    return plan.karpenter.node_pools[int(path[2])].requirements[int(path[4])].operator in _WITHOUT_VALUES


_RULES: dict[tuple[str, ...], Callable[[Plan, Place], bool]] = {
    ("karpenter", "preference_policy"): _is_without_karpenter,
    ("karpenter", "min_values_policy"): _is_without_smallest_numbers,
    ("karpenter", "batch_idle_duration"): _is_without_karpenter,
    ("karpenter", "batch_max_duration"): _is_without_karpenter,
    ("karpenter", "max_instance_types"): _is_without_karpenter,
    ("karpenter", "spot_to_spot_consolidation"): _is_without_spot,
    ("karpenter", "spot_allocation"): _is_without_spot,
    ("karpenter", "capacity_buffers"): _is_without_buffers,
    ("karpenter", "node_pools", "spot_reclaims_per_hour"): _is_pool_without_spot,
    ("karpenter", "node_pools", "spot_reclaim_notice"): _is_pool_without_spot,
    ("karpenter", "node_pools", "requirements", "values"): _takes_no_values,
    ("karpenter", "instance_types", "offerings", "capacity_score"): _is_without_scores,
}
"""By the names along the path of the field."""
