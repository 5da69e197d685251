"""The rules of recommender and updater as a plan sets them."""

from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    ControlledValues,
    LimitRange,
    LimitType,
    ScalingMode,
    VerticalPodAutoscaler,
    VpaRecommenderSettings,
    VpaUpdaterSettings,
)
from planner.plan.model.plan import Plan
from planner.vpa.admission.limit_ranges import LimitBounds, NamespaceLimits, together
from planner.vpa.recommender.aggregates import AggregationRules
from planner.vpa.recommender.containers import MemoryRules
from planner.vpa.recommender.estimators import EstimatorRules, ResourceRules
from planner.vpa.recommender.policies import ContainerPolicy, Rounding
from planner.vpa.recommender.recommender import RecommenderRules
from planner.vpa.updater.groups import GroupRules
from planner.vpa.updater.priority import Direction, PriorityRules, Requirement
from planner.vpa.updater.rate_limit import RateLimit
from planner.vpa.updater.updater import UpdaterMemory, UpdaterRules


def recommender_rules(given: VpaRecommenderSettings) -> RecommenderRules:
    """Flags of the recommender."""

    def of(minimum: int) -> ResourceRules:
        percentiles = given.target_percentile, given.lower_bound_percentile, given.upper_bound_percentile
        return ResourceRules(*percentiles, given.confidence_interval, minimum)

    return RecommenderRules(
        AggregationRules(given.half_life, given.half_life),
        EstimatorRules(of(given.pod_min_cpu), of(given.pod_min_memory), given.safety_margin),
        MemoryRules(given.memory_interval, given.memory_intervals, given.oom_bump_up_ratio, given.oom_min_bump_up),
        Rounding(max_allowed=given.max_allowed.amounts),
    )


def updater_rules(given: VpaUpdaterSettings) -> UpdaterRules:
    """Flags of the updater."""
    return UpdaterRules(
        given.interval,
        PriorityRules(given.update_threshold, given.in_bounds_lifetime, given.evict_after_oom),
        GroupRules(given.min_replicas, given.eviction_tolerance, given.in_place_skip_disruption_budget),
    )


def updater_memory(given: VpaUpdaterSettings) -> UpdaterMemory:
    """That of a fresh updater, which may evict so fast, and resize in place as fast."""
    rate = given.eviction_rate_limit, given.eviction_rate_burst
    return UpdaterMemory(RateLimit(*rate), RateLimit(*rate))


def container_policies(vpa: VerticalPodAutoscaler) -> tuple[ContainerPolicy, ...]:
    """The container policies of a planned autoscaler."""
    return tuple(_policy(one) for one in vpa.container_policies)


def wants_whole_cores(vpa: VerticalPodAutoscaler, container: str) -> bool:
    """Whether CPU of a container is recommended in whole cores."""
    return any(one.integer_cpu and one.container_name == container for one in vpa.container_policies)


def requirements(vpa: VerticalPodAutoscaler) -> tuple[Requirement, ...]:
    """In which directions pods must change to be evicted."""
    return tuple(
        Requirement(tuple(one.resources), Direction(one.change_requirement)) for one in vpa.eviction_requirements
    )


def namespace_limits(plan: Plan, namespace: str) -> NamespaceLimits:
    """What the limit ranges of a namespace say."""

    def of(kind: LimitType) -> LimitBounds | None:
        mine = [one for one in plan.limit_ranges if one.namespace == namespace and one.type is kind]
        return together(_bounds(one) for one in mine)

    return NamespaceLimits(of(LimitType.POD), of(LimitType.CONTAINER))


def _bounds(given: LimitRange) -> LimitBounds:
    return LimitBounds(given.min.amounts, given.max.amounts, given.default.amounts)


def _policy(given: ContainerResourcePolicy) -> ContainerPolicy:
    return ContainerPolicy(
        given.container_name,
        given.mode is ScalingMode.OFF,
        given.min_allowed.amounts,
        given.max_allowed.amounts,
        tuple(given.controlled_resources),
        given.controlled_values is ControlledValues.REQUESTS_ONLY,
    )
