"""The plan: the one immutable value that the user edits, saves, compares and runs."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    HpaControllerSettings,
)
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject, Trigger
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    LimitRange,
    VerticalPodAutoscaler,
    VpaRecommenderSettings,
    VpaUpdaterSettings,
)
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.control_plane import AdmissionSettings, NodeLifecycleSettings
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.events.times import check_holidays
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.experiments.variants import UncertainText, Variant
from planner.plan.model.karpenter.settings import KarpenterSettings
from planner.plan.model.measured.numbers import MeasuredNumber
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.pods.pod_classes import PriorityClass, RuntimeClass
from planner.plan.model.pricing import CostSettings
from planner.plan.model.scheduler import SchedulerSettings
from planner.plan.model.versions import NEWEST, KubernetesVersion
from planner.plan.model.workloads import Namespace, Overprovisioning, Service, Workload
from planner.plan.values.fields import DurationUs, MomentUs, PlanModel, setting
from planner.units import US_PER_DAY, US_PER_MIN, US_PER_S

SCHEMA_VERSION = 4


class SimulationSettings(PlanModel):
    """Length, step size and seed of a run."""

    seed: int = setting(1, "Seed", "Source of all random draws of a run.", ge=0, le=2**53 - 1)
    duration: DurationUs = setting(
        "1h", "Duration", "Simulated time of a run.", unit="s", ge=US_PER_S, le=366 * US_PER_DAY
    )
    starts_at: MomentUs = setting(
        "2026-01-05T00:00:00Z", "Starts at", "Date and time of the start, UTC: what calendars and time zones go by."
    )
    holidays: tuple[str, ...] = setting(
        (), "Holidays", "Dates such as 2026-12-25, each a day in the time zone of the schedule that heeds it.",
        max_length=1_000,
    )  # fmt: skip
    load_step: DurationUs = setting(
        "5s", "Load step", "Time step of load, use and queues.", unit="s", ge=100_000, le=US_PER_MIN
    )
    record_interval: DurationUs = setting(
        "15s", "Record interval", "Time between two rows of the time series.", unit="s", ge=US_PER_S, le=US_PER_DAY
    )
    warm_start: bool = setting(
        True, "Warm start", "Pods placed at the beginning are Ready at once; if off, they start up first."
    )
    initial_node_age: DurationUs = setting(
        "1d", "Node age at start", "With a warm start: how long the first nodes have been Ready already.", unit="s"
    )
    initial_pod_age: DurationUs = setting(
        "1d", "Pod age at start", "With a warm start: how long pods placed at the beginning have been Ready already.",
        unit="s",
    )  # fmt: skip
    discrete_requests: bool = setting(
        True,
        "Discrete requests",
        "Requests arrive one by one at random and differ in CPU, which shows at low rates; if off, load is a fluid.",
    )
    cpu_contention: bool = setting(
        True,
        "CPU contention",
        "Pods share the CPU of their node; if off, each uses what its load needs, up to its limit.",
    )

    @model_validator(mode="after")
    def _holidays_are_dates(self) -> Self:
        check_holidays(self.holidays, "holidays")
        return self


class NodeAutoscaler(StrEnum):
    """Which autoscaler of nodes runs."""

    BY_POOL = "byPool"
    """Node groups belong to the Cluster Autoscaler, node pools of Karpenter to Karpenter."""
    CLUSTER_AUTOSCALER = "clusterAutoscaler"
    KARPENTER = "karpenter"
    NONE = "none"


class Plan(PlanModel):
    """Everything a run depends on."""

    schema_version: int = setting(SCHEMA_VERSION, "Schema version", "Version of the file format.", ge=1)
    name: str = setting("Untitled plan", "Name", "Title of the plan.", max_length=200)
    notes: str = setting("", "Notes", "Free text about the plan.", max_length=100_000)
    kubernetes_version: KubernetesVersion = setting(
        NEWEST, "Kubernetes version", "Its defaults and rules, where they are known to differ, apply to the run."
    )
    feature_gates: dict[str, bool] = Field(
        default_factory=dict,
        title="Feature gates",
        description="Gates that are switched on or off; the others have the default of the version.",
        json_schema_extra={"unit": ""},
    )
    simulation: SimulationSettings = setting(SimulationSettings(), "Simulation", "Length, steps and seed of a run.")
    node_groups: tuple[NodeGroup, ...] = setting((), "Node pools", "Pools of equal nodes.", max_length=500)
    priority_classes: tuple[PriorityClass, ...] = setting((), "Priority classes", "Named pod priorities.")
    runtime_classes: tuple[RuntimeClass, ...] = setting((), "Runtime classes", "Overheads that pods refer to by name.")
    namespaces: tuple[Namespace, ...] = setting((), "Namespaces", "Labels of namespaces.", max_length=1_000)
    services: tuple[Service, ...] = setting(
        (), "Services", "Services, used to spread pods that no controller spreads.", max_length=100_000
    )
    workloads: tuple[Workload, ...] = setting((), "Workloads", "What runs in the cluster.", max_length=100_000)
    overprovisioning: tuple[Overprovisioning, ...] = setting((), "Overprovisioning", "Reserves held by pause pods.")
    pod_disruption_budgets: tuple[PodDisruptionBudget, ...] = setting(
        (), "Disruption budgets", "How many pods voluntary disruptions may take away at once.", max_length=100_000
    )
    events: tuple[PlanEvent, ...] = setting(
        (), "Events", "Faults, maintenance and rollouts during the run.", max_length=1_000
    )
    horizontal_pod_autoscalers: tuple[HorizontalPodAutoscaler, ...] = setting(
        (), "Horizontal pod autoscalers", "Autoscalers that follow resource use or other metrics."
    )
    metric_series: tuple[MetricSeries, ...] = setting(
        (), "Metric series", "Custom and external metrics that autoscalers follow.", max_length=1_000
    )
    proportional_autoscalers: tuple[ClusterProportionalAutoscaler, ...] = setting(
        (), "Proportional autoscalers", "Workloads and reserves that follow the size of the cluster.", max_length=1_000
    )
    hpa_controller: HpaControllerSettings = setting(
        HpaControllerSettings(), "HPA controller", "Settings shared by all horizontal pod autoscalers."
    )
    metrics_pipeline: MetricsPipelineSettings = setting(
        MetricsPipelineSettings(), "Metrics pipeline", "How resource use reaches the horizontal pod autoscalers."
    )
    scaled_objects: tuple[ScaledObject, ...] = setting(
        (), "Scaled objects", "Workloads that KEDA scales by events, down to zero.", max_length=100_000
    )
    scaled_jobs: tuple[ScaledJob, ...] = setting(
        (), "Scaled jobs", "Jobs that KEDA makes for queues.", max_length=1_000
    )
    vertical_pod_autoscalers: tuple[VerticalPodAutoscaler, ...] = setting(
        (), "Vertical pod autoscalers", "Requests of workloads that follow their use.", max_length=100_000
    )
    vpa_recommender: VpaRecommenderSettings = setting(
        VpaRecommenderSettings(), "VPA recommender", "How vertical pod autoscalers recommend requests."
    )
    vpa_updater: VpaUpdaterSettings = setting(
        VpaUpdaterSettings(), "VPA updater", "When vertical pod autoscalers evict pods, and how many at once."
    )
    limit_ranges: tuple[LimitRange, ...] = setting(
        (), "Limit ranges", "Bounds of namespaces, to which vertical pod autoscalers fit requests.", max_length=1_000
    )
    admission: AdmissionSettings = setting(AdmissionSettings(), "Admission", "Optional plugins of the API server.")
    scheduler: SchedulerSettings = setting(SchedulerSettings(), "Scheduler", "Settings of kube-scheduler.")
    node_lifecycle: NodeLifecycleSettings = setting(
        NodeLifecycleSettings(), "Node lifecycle", "When dead nodes are noticed and their pods evicted."
    )
    costs: CostSettings = setting(CostSettings(), "Costs", "Budget, and the value of unused CPU and memory.")
    cluster_autoscaler: ClusterAutoscalerSettings = setting(
        ClusterAutoscalerSettings(), "Cluster Autoscaler", "Which pool grows or shrinks, by how much and when."
    )
    measured: tuple[MeasuredNumber, ...] = setting(
        (), "Measured numbers", "Values that `headroom calibrate` fitted to a real cluster, and where they come from.",
        max_length=100_000,
    )  # fmt: skip
    node_autoscaler: NodeAutoscaler = setting(
        NodeAutoscaler.BY_POOL,
        "Node autoscaler",
        "byPool: the Cluster Autoscaler for node pools, Karpenter for its own ones, side by side. Else one of them "
        "runs, or none.",
    )
    karpenter: KarpenterSettings = setting(
        KarpenterSettings(), "Karpenter", "Pools whose nodes Karpenter launches, machine types and flags."
    )
    uncertain_inputs: tuple[UncertainText, ...] = setting(
        (),
        "Uncertain inputs",
        "Numbers that experiments draw for each seed, one a line: path ~ normal(mean, deviation), "
        "lognormal(median, deviation of the logarithm), uniform(low, high), interval(low, high), samples(...).",
        max_length=1_000,
    )
    variants: tuple[Variant, ...] = setting((), "Variants", "Named changes to the plan.", max_length=1_000)
    experiments: tuple[Experiment, ...] = setting(
        (), "Experiments", "Questions to many runs of the plan and its variants.", max_length=1_000
    )

    @property
    def runs_karpenter(self) -> bool:
        """Whether Karpenter launches and removes nodes."""
        may_run = self.node_autoscaler in (NodeAutoscaler.BY_POOL, NodeAutoscaler.KARPENTER)
        return may_run and bool(self.karpenter.node_pools)

    @property
    def runs_cluster_autoscaler(self) -> bool:
        """Whether the Cluster Autoscaler runs; beside Karpenter only for node groups of its own."""
        may_run = self.node_autoscaler in (NodeAutoscaler.BY_POOL, NodeAutoscaler.CLUSTER_AUTOSCALER)
        has_groups = bool(self.node_groups) or not self.karpenter.node_pools
        return self.cluster_autoscaler.enabled and may_run and has_groups

    def triggers(self) -> Iterator[Trigger]:
        """Of all ScaledObjects and ScaledJobs."""
        for one in self.scaled_objects:
            yield from one.triggers
        for job in self.scaled_jobs:
            yield from job.triggers

    def serving_rows(self) -> tuple[int, ...]:
        """Positions of the workloads that serve requests: with traffic, called by others, or at another's queue."""
        called = {call.workload for item in self.workloads for call in item.calls}
        return tuple(
            row
            for row, item in enumerate(self.workloads)
            if item.traffic is not None
            or item.name in called
            or (item.queue is not None and item.queue.shared_with is not None)
        )
