"""Settings of a scheduler (parts of KubeSchedulerConfiguration v1), with the defaults of 1.36."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.plan.model.pods.placement import (
    NodeSelectorTerm,
    PreferredNodeTerm,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)
from planner.plan.model.scheduler import (
    DEFAULT_SCHEDULER,
    DefaultConstraints,
    PluginName,
    SchedulerProfileSettings,
    SchedulerSettings,
    StrategyType,
)
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL
from planner.units import US_PER_S

DEFAULT_WEIGHTS: Mapping[PluginName, int] = {
    PluginName.TAINT_TOLERATION: 3,
    PluginName.NODE_AFFINITY: 2,
    PluginName.NODE_RESOURCES_FIT: 1,
    PluginName.POD_TOPOLOGY_SPREAD: 2,
    PluginName.INTER_POD_AFFINITY: 2,
    PluginName.NODE_RESOURCES_BALANCED_ALLOCATION: 1,
    PluginName.IMAGE_LOCALITY: 1,
}

SYSTEM_DEFAULT_CONSTRAINTS = (
    TopologySpreadConstraint(
        max_skew=3, topology_key=HOSTNAME_LABEL, when_unsatisfiable=UnsatisfiableAction.SCHEDULE_ANYWAY
    ),
    TopologySpreadConstraint(
        max_skew=5, topology_key=ZONE_LABEL, when_unsatisfiable=UnsatisfiableAction.SCHEDULE_ANYWAY
    ),
)


@dataclass(frozen=True)
class FitStrategy:
    """Strategy, resources with weights, and the points (utilisation in percent, score 0-10) of the ratio."""

    type: StrategyType = StrategyType.LEAST_ALLOCATED
    resources: tuple[tuple[str, int], ...] = (("cpu", 1), ("memory", 1))
    shape: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class SchedulerProfile:
    """Settings of one profile and of the queue."""

    name: str = DEFAULT_SCHEDULER
    """Pods with this schedulerName use it."""
    percentage_of_nodes_to_score: int = 0
    """0: adaptive, max(5, 50 - nodes / 125)."""
    initial_backoff_us: int = 1 * US_PER_S
    max_backoff_us: int = 10 * US_PER_S
    scoring: FitStrategy = FitStrategy()
    balanced_resources: tuple[str, ...] = ("cpu", "memory")
    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    added_required_terms: tuple[NodeSelectorTerm, ...] = ()
    added_preferred_terms: tuple[PreferredNodeTerm, ...] = ()
    default_constraints: tuple[TopologySpreadConstraint, ...] = SYSTEM_DEFAULT_CONSTRAINTS
    system_defaults: bool = True
    """False: `default_constraints` is a configured list, which demands all keys of a node."""
    hard_pod_affinity_weight: int = 1
    """Points an existing pod's required affinity gives a pod that matches it."""
    ignore_preferred_of_existing: bool = False
    """InterPodAffinity gives no score to pods that have no preferred terms themselves."""
    min_candidate_nodes_absolute: int = 100
    min_candidate_nodes_percentage: int = 10
    weights: Mapping[PluginName, int] = field(default_factory=lambda: DEFAULT_WEIGHTS)
    disabled: tuple[PluginName, ...] = ()
    """Plugins that neither refuse nor score."""
    scores_balance_change: bool = True
    """Off: the balance after placement (before 1.36)."""
    balances_best_effort: bool = False
    """Pods without requests have a balance score too (before 1.33)."""
    pops_from_backoff: bool = True
    """Gate SchedulerPopFromBackoffQ: an idle scheduler does not wait for the back-off of a pod."""
    scalar_twins: bool = True
    """A few changed nodes are computed in plain numbers (`feasibility/one_node_rules.py`); changes no decision."""


def profiles_of(settings: SchedulerSettings) -> tuple[SchedulerProfile, ...]:
    """The profiles of a plan, in its order."""
    return tuple(_profile(settings, profile) for profile in settings.profiles)


def _profile(settings: SchedulerSettings, profile: SchedulerProfileSettings) -> SchedulerProfile:
    own_percentage, strategy = profile.percentage_of_nodes_to_score, profile.scoring_strategy
    system = profile.defaulting_type is DefaultConstraints.SYSTEM
    weights = {entry.name: entry.weight for entry in profile.plugins if entry.weight is not None}
    return SchedulerProfile(
        name=profile.scheduler_name,
        percentage_of_nodes_to_score=(
            settings.percentage_of_nodes_to_score if own_percentage is None else own_percentage
        ),
        initial_backoff_us=settings.pod_initial_backoff,
        max_backoff_us=settings.pod_max_backoff,
        scoring=FitStrategy(
            strategy.type,
            tuple((resource.name, resource.weight) for resource in strategy.resources),
            tuple((point.utilization, point.score) for point in strategy.shape),
        ),
        balanced_resources=profile.balanced_resources,
        ignored_resources=profile.ignored_resources,
        ignored_resource_groups=profile.ignored_resource_groups,
        added_required_terms=profile.added_required_affinity,
        added_preferred_terms=profile.added_preferred_affinity,
        default_constraints=SYSTEM_DEFAULT_CONSTRAINTS if system else profile.default_constraints,
        system_defaults=system,
        hard_pod_affinity_weight=profile.hard_pod_affinity_weight,
        ignore_preferred_of_existing=profile.ignore_preferred_terms_of_existing_pods,
        min_candidate_nodes_absolute=profile.min_candidate_nodes_absolute,
        min_candidate_nodes_percentage=profile.min_candidate_nodes_percentage,
        weights={**DEFAULT_WEIGHTS, **weights},
        disabled=tuple(entry.name for entry in profile.plugins if not entry.enabled),
    )
