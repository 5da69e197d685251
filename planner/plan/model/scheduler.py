"""Settings of kube-scheduler: parts of KubeSchedulerConfiguration v1 with the defaults of 1.36."""

from enum import StrEnum

from planner.plan.model.pods.placement import NodeSelectorTerm, PreferredNodeTerm, TopologySpreadConstraint
from planner.plan.values.fields import DurationUs, Name, PlanModel, required, setting
from planner.units import US_PER_H, US_PER_S

DEFAULT_SCHEDULER = "default-scheduler"


class PluginName(StrEnum):
    """Plugins of the default profile that can refuse or score a node here, and preemption."""

    NODE_UNSCHEDULABLE = "NodeUnschedulable"
    TAINT_TOLERATION = "TaintToleration"
    NODE_AFFINITY = "NodeAffinity"
    NODE_PORTS = "NodePorts"
    NODE_RESOURCES_FIT = "NodeResourcesFit"
    NODE_VOLUME_LIMITS = "NodeVolumeLimits"
    VOLUME_BINDING = "VolumeBinding"
    POD_TOPOLOGY_SPREAD = "PodTopologySpread"
    INTER_POD_AFFINITY = "InterPodAffinity"
    DEFAULT_PREEMPTION = "DefaultPreemption"
    NODE_RESOURCES_BALANCED_ALLOCATION = "NodeResourcesBalancedAllocation"
    IMAGE_LOCALITY = "ImageLocality"


class StrategyType(StrEnum):
    """How NodeResourcesFit scores the use a node would have."""

    LEAST_ALLOCATED = "LeastAllocated"
    MOST_ALLOCATED = "MostAllocated"
    REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio"


class ResourceWeight(PlanModel):
    """A resource that is scored."""

    name: str = required("Resource", "cpu, memory, ephemeral-storage or an extended resource.", min_length=1)
    weight: int = setting(1, "Weight", "Its weight in the mean of the resources.", ge=1, le=100)


class ShapePoint(PlanModel):
    """A point on the line from utilization to score."""

    utilization: int = required("Utilization", "Share of the node that would be requested.", unit="%", ge=0, le=100)
    score: int = required("Score", "Score at that utilization.", ge=0, le=10)


class ScoringStrategy(PlanModel):
    """How full nodes should get: LeastAllocated spreads, MostAllocated packs."""

    type: StrategyType = setting(
        StrategyType.LEAST_ALLOCATED, "Strategy", "Prefer empty nodes, prefer full ones, or follow a shape."
    )
    resources: tuple[ResourceWeight, ...] = setting(
        (ResourceWeight(name="cpu"), ResourceWeight(name="memory")),
        "Resources", "What is scored, with weights.", min_length=1, max_length=50,
    )  # fmt: skip
    shape: tuple[ShapePoint, ...] = setting(
        (), "Shape", "Points of RequestedToCapacityRatio, by rising utilization.", max_length=101
    )


class DefaultConstraints(StrEnum):
    """Spread constraints of pods that have none of their own."""

    SYSTEM = "System"
    LIST = "List"


class PluginSetting(PlanModel):
    """A plugin that is switched off or has another weight than by default."""

    name: PluginName = required("Plugin", "Name of the plugin.")
    enabled: bool = setting(True, "Enabled", "Off: it neither refuses nor scores nodes.")
    weight: int | None = setting(
        None, "Weight", "Factor of its score; empty means the default of the plugin.", ge=1, le=1_000
    )


class SchedulerProfileSettings(PlanModel):
    """A scheduler that pods choose by name."""

    scheduler_name: Name = setting(DEFAULT_SCHEDULER, "Scheduler name", "Pods with this schedulerName use the profile.")
    percentage_of_nodes_to_score: int | None = setting(
        None, "Nodes to score", "Empty means the common setting; 0 adapts to the size of the cluster.", unit="%",
        ge=0, le=100,
    )  # fmt: skip
    plugins: tuple[PluginSetting, ...] = setting(
        (), "Plugins", "Plugins that differ from the default profile.", max_length=50
    )
    scoring_strategy: ScoringStrategy = setting(
        ScoringStrategy(), "Scoring strategy", "How NodeResourcesFit scores the requests a node would have."
    )
    balanced_resources: tuple[str, ...] = setting(
        ("cpu", "memory"), "Balanced resources", "Resources whose use should stay in balance.", max_length=50
    )
    ignored_resources: tuple[str, ...] = setting(
        (), "Ignored resources", "Extended resources that the filter ignores.", max_length=50
    )
    ignored_resource_groups: tuple[str, ...] = setting(
        (), "Ignored resource groups", "Domains whose extended resources the filter ignores.", max_length=50
    )
    added_required_affinity: tuple[NodeSelectorTerm, ...] = setting(
        (), "Added node affinity", "Terms of which every node must match at least one, in addition to the pods' own."
    )
    added_preferred_affinity: tuple[PreferredNodeTerm, ...] = setting(
        (), "Added preferences", "Terms that give nodes points for every pod."
    )
    defaulting_type: DefaultConstraints = setting(
        DefaultConstraints.SYSTEM, "Default spread",
        "System: soft, 3 pods per node and 5 per zone; List: those given here.",
    )  # fmt: skip
    default_constraints: tuple[TopologySpreadConstraint, ...] = setting(
        (), "Default constraints", "Used with List for pods without constraints of their own.", max_length=20
    )
    hard_pod_affinity_weight: int = setting(
        1,
        "Hard affinity weight",
        "Points for every placed pod whose required affinity the new pod satisfies.",
        ge=0,
        le=100,
    )
    ignore_preferred_terms_of_existing_pods: bool = setting(
        False,
        "Ignore preferences of others",
        "Preferred terms of placed pods give no points to pods without preferred terms.",
    )
    min_candidate_nodes_percentage: int = setting(
        10, "Preemption candidates", "Share of the candidate nodes that preemption tries.", unit="%", ge=0, le=100
    )
    min_candidate_nodes_absolute: int = setting(
        100, "Minimum candidates", "Minimum number of nodes that preemption tries.", unit="nodes", ge=0, le=15_000
    )


class SchedulerSettings(PlanModel):
    """Settings of kube-scheduler."""

    percentage_of_nodes_to_score: int = setting(
        0, "Nodes to score", "0 lets the scheduler choose by cluster size.", unit="%", ge=0, le=100
    )
    pod_initial_backoff: DurationUs = setting(
        "1s", "First backoff", "Wait after the first failed attempt; doubles each time.", unit="s",
        ge=US_PER_S, le=US_PER_H,
    )  # fmt: skip
    pod_max_backoff: DurationUs = setting(
        "10s", "Maximum backoff", "Upper bound of that wait.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    deterministic_ties: bool = setting(
        False, "Deterministic ties", "Among equally good nodes choose the first by name instead of a random one."
    )
    skip_unchanged: bool = setting(
        True, "Skip unchanged", "Repeat the result of an identical pod while nothing has changed; results are the same."
    )
    profiles: tuple[SchedulerProfileSettings, ...] = setting(
        (SchedulerProfileSettings(),), "Profiles", "One per scheduler name.", min_length=1, max_length=20
    )
