"""Planned vertical pod autoscalers (autoscaling.k8s.io/v1), and the flags of their recommender and updater."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.language.translation import tr
from planner.plan.model.autoscalers.hpa_metric import ResourceName
from planner.plan.values.fields import CpuMilli, DurationUs, MemoryBytes, Misfit, Name, PlanModel, required, setting
from planner.units import MIB, US_PER_DAY, US_PER_H, US_PER_S

EVERY_CONTAINER = "*"


class VpaUpdateMode(StrEnum):
    """What a vertical pod autoscaler does with pods."""

    OFF = "Off"
    INITIAL = "Initial"
    RECREATE = "Recreate"
    IN_PLACE_OR_RECREATE = "InPlaceOrRecreate"
    IN_PLACE = "InPlace"

    @property
    def updates(self) -> bool:
        """Whether running pods get the recommendation."""
        return self not in (VpaUpdateMode.OFF, VpaUpdateMode.INITIAL)


class ScalingMode(StrEnum):
    """Whether a container gets recommendations."""

    AUTO = "Auto"
    OFF = "Off"


class ControlledValues(StrEnum):
    """What is set of a container."""

    REQUESTS_AND_LIMITS = "RequestsAndLimits"
    REQUESTS_ONLY = "RequestsOnly"


class ChangeRequirement(StrEnum):
    """In which direction a recommendation must differ from the request."""

    TARGET_HIGHER = "TargetHigherThanRequests"
    TARGET_LOWER = "TargetLowerThanRequests"


class CpuAndMemory(PlanModel):
    """Amounts of CPU and memory."""

    cpu: CpuMilli | None = setting(None, "CPU", "CPU; empty means not given.", unit="cores")
    memory: MemoryBytes | None = setting(None, "Memory", "Memory; empty means not given.", unit="bytes")

    @property
    def amounts(self) -> dict[str, int]:
        """What is given: milli-CPU under "cpu", bytes under "memory"."""
        given = {"cpu": self.cpu, "memory": self.memory}
        return {name: amount for name, amount in given.items() if amount is not None}


class ContainerResourcePolicy(PlanModel):
    """Rules for the recommendations of one container, or of all that have no rules of their own."""

    container_name: str = setting(
        EVERY_CONTAINER, "Container", "Name of the container; * is every container without a policy of its own.",
        min_length=1, max_length=63,
    )  # fmt: skip
    mode: ScalingMode = setting(ScalingMode.AUTO, "Mode", "Off: the container is left as it is.")
    min_allowed: CpuAndMemory = setting(CpuAndMemory(), "Least", "The recommendation is never below.")
    max_allowed: CpuAndMemory = setting(CpuAndMemory(), "Most", "The recommendation is never above.")
    controlled_resources: tuple[ResourceName, ...] = setting(
        (ResourceName.CPU, ResourceName.MEMORY), "Resources", "Resources that get recommendations.", max_length=2
    )
    controlled_values: ControlledValues = setting(
        ControlledValues.REQUESTS_AND_LIMITS,
        "Controlled values",
        "RequestsAndLimits: limits keep their proportion to the requests; RequestsOnly: limits stay.",
    )
    integer_cpu: bool = setting(
        False, "Whole cores", "CPU is recommended in whole cores (annotation <container>_integerCPU)."
    )


class EvictionRequirement(PlanModel):
    """One of the resources must change in a direction, or the pod is not evicted."""

    resources: tuple[ResourceName, ...] = required("Resources", "One of them must change.", min_length=1, max_length=2)
    change_requirement: ChangeRequirement = required("Direction", "How the target must differ from the request.")


class VerticalPodAutoscaler(PlanModel):
    """Recommends requests for the containers of a workload from their use, and sets them."""

    name: Name = required("Name", "Name of the autoscaler.")
    namespace: Name = setting("default", "Namespace", "Namespace of the autoscaler and its workload.")
    target: Name = required("Workload", "Name of the workload whose pods it sizes.")
    update_mode: VpaUpdateMode = setting(
        VpaUpdateMode.RECREATE,
        "Update mode",
        "Off: it only recommends; Initial: new pods get the recommendation; Recreate: pods are evicted to get it; "
        "InPlaceOrRecreate: they are resized while they run, and evicted where that fails; InPlace: never evicted.",
    )
    min_replicas: int | None = setting(
        None, "Least replicas", "With fewer live pods none is evicted; empty: the updater's setting.",
        unit="pods", ge=1, le=100_000,
    )  # fmt: skip
    eviction_requirements: tuple[EvictionRequirement, ...] = setting(
        (), "Eviction requirements", "All must hold for one container of a pod, or it is not evicted.", max_length=10
    )
    container_policies: tuple[ContainerResourcePolicy, ...] = setting(
        (), "Container policies", "Rules for single containers.", max_length=50
    )

    @model_validator(mode="after")
    def _one_policy_each(self) -> Self:
        names = [policy.container_name for policy in self.container_policies]
        for index, name in enumerate(names):
            if name in names[:index]:
                problem = tr("there are two policies for the container {name!r}", name=name)
                raise Misfit(("container_policies", index, "container_name"), problem, tr("merge them into one"))
        return self


class LimitType(StrEnum):
    """What a limit range bounds."""

    CONTAINER = "Container"
    POD = "Pod"


class LimitRange(PlanModel):
    """Bounds for the pods or containers of a namespace, to which recommendations are fitted."""

    name: Name = required("Name", "Name of the limit range.")
    namespace: Name = setting("default", "Namespace", "Namespace whose pods it bounds.")
    type: LimitType = setting(LimitType.CONTAINER, "Type", "Bounds each container, or the sums of a pod.")
    min: CpuAndMemory = setting(CpuAndMemory(), "Least", "Requests and limits are never below.")
    max: CpuAndMemory = setting(CpuAndMemory(), "Most", "Limits are never above.")
    default: CpuAndMemory = setting(CpuAndMemory(), "Default limit", "Limit of containers that have none.")


class VpaRecommenderSettings(PlanModel):
    """Flags of the recommender (defaults of Vertical Pod Autoscaler 1.8)."""

    interval: DurationUs = setting(
        "1m", "Interval", "Time from one recommendation to the next.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    phase: DurationUs | None = setting(
        None, "Phase", "Time of the first recommendation; empty: drawn, within one interval.", unit="s", le=US_PER_H
    )
    target_percentile: float = setting(0.9, "Target percentile", "Share of the use that the target covers.", ge=0, le=1)
    lower_bound_percentile: float = setting(
        0.5, "Lower percentile", "Share of the use that the lower bound covers.", ge=0, le=1
    )
    upper_bound_percentile: float = setting(
        0.95, "Upper percentile", "Share of the use that the upper bound covers.", ge=0, le=1
    )
    safety_margin: float = setting(0.15, "Safety margin", "Share of the use that is added.", ge=0, le=10)
    pod_min_cpu: CpuMilli = setting("25m", "Least CPU", "Least CPU of a pod, shared by its containers.", unit="cores")
    pod_min_memory: MemoryBytes = setting(
        "250Mi", "Least memory", "Least memory of a pod, shared by its containers.", unit="bytes"
    )
    confidence_interval: DurationUs = setting(
        "1d", "Confidence interval", "A history of this length has confidence 1; shorter ones widen the bounds.",
        unit="s", ge=US_PER_H,
    )  # fmt: skip
    half_life: DurationUs = setting(
        "1d", "Half-life", "Time in which a sample of use loses half of its weight.", unit="s", ge=US_PER_H
    )
    memory_interval: DurationUs = setting(
        "1d", "Memory interval", "Of each container the highest memory use in every interval counts.",
        unit="s", ge=60 * US_PER_S,
    )  # fmt: skip
    memory_intervals: int = setting(
        8, "Memory intervals", "For so many intervals without a sample the use of a container is kept.", ge=1, le=1_000
    )
    oom_bump_up_ratio: float = setting(
        1.2, "OOM ratio", "A container killed for want of memory is taken to need so much more.", ge=1, le=100
    )
    oom_min_bump_up: MemoryBytes = setting(
        100 * MIB, "OOM minimum", "Or so much more, if that is larger.", unit="bytes"
    )
    max_allowed: CpuAndMemory = setting(CpuAndMemory(), "Most", "Where a policy names no most.")
    initial_history: DurationUs | None = setting(
        None, "History at start", "With a warm start: for how long it has watched the pods that are there, under the "
        "load before the run; empty means as long as they have been Ready, 0 that it is new.",
        unit="s", le=30 * US_PER_DAY,
    )  # fmt: skip


class VpaUpdaterSettings(PlanModel):
    """Flags of the updater (defaults of Vertical Pod Autoscaler 1.8)."""

    interval: DurationUs = setting(
        "1m", "Interval", "Time from one look at the pods to the next.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    phase: DurationUs | None = setting(
        None, "Phase", "Time of the first look; empty: drawn, within one interval.", unit="s", le=US_PER_H
    )
    min_replicas: int = setting(
        2, "Least replicas", "Workloads with fewer live pods are left alone.", unit="pods", ge=1, le=100_000
    )
    eviction_tolerance: float = setting(
        0.5, "Eviction tolerance", "Share of a workload's replicas that may be missing at once.", ge=0, le=1
    )
    in_place_skip_disruption_budget: bool = setting(
        False, "Resize past the budget", "Resizes for which no container restarts do not count as a disruption."
    )
    update_threshold: float = setting(
        0.1, "Update threshold", "Pods within the bounds are updated if requests change by this share.", ge=0, le=100
    )
    in_bounds_lifetime: DurationUs = setting(
        "12h", "Lifetime within bounds", "Younger pods within the bounds are left alone.", unit="s", le=30 * US_PER_DAY
    )
    evict_after_oom: DurationUs = setting(
        "10m", "Quick OOM", "A container killed sooner for want of memory is a reason to evict.", unit="s"
    )
    eviction_rate_limit: float = setting(
        0.0,
        "Eviction rate",
        "Evictions per second on average, and resizes in place; 0: no limit.",
        unit="1/s",
        ge=0,
        le=1_000,
    )
    eviction_rate_burst: int = setting(1, "Eviction burst", "Evictions at once under a rate.", ge=1, le=10_000)
