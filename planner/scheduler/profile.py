"""What can be set on a scheduler (parts of KubeSchedulerConfiguration v1), with the defaults of 1.36."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from planner.plan.pods import NodeSelectorTerm, PreferredNodeTerm, TopologySpreadConstraint, UnsatisfiableAction
from planner.scheduler.plugin_names import PluginName
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL
from planner.units import US_PER_S

DEFAULT_WEIGHTS: Mapping[PluginName, int] = {
    PluginName.TAINT_TOLERATION: 3,
    PluginName.NODE_AFFINITY: 2,
    PluginName.NODE_RESOURCES_FIT: 1,
    PluginName.POD_TOPOLOGY_SPREAD: 2,
    PluginName.NODE_RESOURCES_BALANCED_ALLOCATION: 1,
}

SYSTEM_DEFAULT_CONSTRAINTS = (
    TopologySpreadConstraint(
        max_skew=3, topology_key=HOSTNAME_LABEL, when_unsatisfiable=UnsatisfiableAction.SCHEDULE_ANYWAY
    ),
    TopologySpreadConstraint(
        max_skew=5, topology_key=ZONE_LABEL, when_unsatisfiable=UnsatisfiableAction.SCHEDULE_ANYWAY
    ),
)


class StrategyType(StrEnum):
    """How NodeResourcesFit scores the use a node would have."""

    LEAST_ALLOCATED = "LeastAllocated"
    MOST_ALLOCATED = "MostAllocated"
    REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio"


@dataclass(frozen=True)
class ScoringStrategy:
    """Strategy, resources with weights, and the points (utilisation in percent, score 0-10) of the ratio."""

    type: StrategyType = StrategyType.LEAST_ALLOCATED
    resources: tuple[tuple[str, int], ...] = (("cpu", 1), ("memory", 1))
    shape: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class SchedulerProfile:
    """Settings of the one profile and of the queue."""

    percentage_of_nodes_to_score: int = 0
    """0: adaptive, max(5, 50 - nodes / 125)."""
    initial_backoff_us: int = 1 * US_PER_S
    max_backoff_us: int = 10 * US_PER_S
    scoring: ScoringStrategy = ScoringStrategy()
    balanced_resources: tuple[str, ...] = ("cpu", "memory")
    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    added_required_terms: tuple[NodeSelectorTerm, ...] = ()
    added_preferred_terms: tuple[PreferredNodeTerm, ...] = ()
    default_constraints: tuple[TopologySpreadConstraint, ...] = SYSTEM_DEFAULT_CONSTRAINTS
    system_defaults: bool = True
    """False: `default_constraints` is a configured list, which demands all keys of a node."""
    min_candidate_nodes_absolute: int = 100
    min_candidate_nodes_percentage: int = 10
    weights: Mapping[PluginName, int] = field(default_factory=lambda: DEFAULT_WEIGHTS)
