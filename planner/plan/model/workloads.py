"""Workloads: what runs in the cluster, how much of it, and what load it serves."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from planner.plan.model.demand import Demand
from planner.plan.model.events.times import check_schedule
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.serving import Call, MessageQueue
from planner.plan.model.traffic import Slo, Traffic
from planner.plan.model.use import DiskUse, MemoryUse, UseOverTime
from planner.plan.values.fields import INT32_MAX, CpuMilli, DurationUs, Labels, Name, PlanModel, required, setting
from planner.plan.values.job_calendar import parse_job_schedule
from planner.plan.values.portions import PlanPortion

MAX_WORK = 1e9
"""Most core seconds of one pod of a Job."""


class WorkloadKind(StrEnum):
    """Which controller keeps the pods."""

    DEPLOYMENT = "Deployment"
    DAEMON_SET = "DaemonSet"
    STATEFUL_SET = "StatefulSet"
    JOB = "Job"
    POD = "Pod"
    """No controller that Kubernetes knows: pods that are lost are not replaced."""
    STATIC_POD = "StaticPod"
    """The kubelets of node pools run one on each of their nodes (mirror pods)."""


SCALABLE = (WorkloadKind.DEPLOYMENT, WorkloadKind.STATEFUL_SET)
"""Kinds whose number of pods autoscalers and events may change."""
ONE_PER_NODE = (WorkloadKind.DAEMON_SET, WorkloadKind.STATIC_POD)
"""Kinds whose number of pods follows from the nodes."""


class ResourceQuota(PlanModel):
    """What all pods of a namespace may use together; creating more is refused."""

    name: Name = required("Name", "Name of the quota.")
    pods: int | None = setting(None, "Pods", "Most pods; empty means any number.", unit="pods", ge=0, le=INT32_MAX)
    requests: Resources = setting(Resources(), "Requests", "Most that the pods may request together.")
    limits: Resources = setting(Resources(), "Limits", "Most that the limits of the pods may be together.")


class Namespace(PlanModel):
    """Labels and quotas of a namespace; namespaces without them need no entry."""

    name: Name = required("Name", "Name of the namespace.")
    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels for the namespace selectors of pod affinity.",
        json_schema_extra={"unit": ""},
    )
    resource_quotas: tuple[ResourceQuota, ...] = setting(
        (), "Resource quotas", "Each bounds the pods of the namespace.", max_length=20
    )


class Service(PlanModel):
    """The pods behind one address. Used for the default spread of pods without a ReplicaSet or StatefulSet."""

    name: Name = required("Name", "Name of the service.")
    namespace: Name = setting("default", "Namespace", "Namespace of the service and of its pods.")
    selector: Labels = Field(
        default_factory=dict,
        title="Selector",
        description="Labels of its pods; a service without a selector has no pods in the cluster.",
        json_schema_extra={"unit": ""},
    )


class UpdateStrategyType(StrEnum):
    """How a rollout replaces pods."""

    ROLLING_UPDATE = "RollingUpdate"
    RECREATE = "Recreate"


class UpdateStrategy(PlanModel):
    """How a Deployment replaces its pods when its template changes."""

    type: UpdateStrategyType = setting(
        UpdateStrategyType.ROLLING_UPDATE,
        "Type",
        "RollingUpdate, or Recreate: all old pods are removed before new ones are created.",
    )
    max_surge: PlanPortion = setting(
        "25%", "Max surge", "Extra pods: a number, or a percentage of the replicas, rounded up."
    )
    max_unavailable: PlanPortion = setting(
        "25%", "Max unavailable", "Pods that may be missing: a number, or a percentage, rounded down."
    )
    min_ready: DurationUs = setting(
        "0s", "Ready for", "A pod counts as available once it has been Ready for this long (minReadySeconds).", unit="s"
    )


class PodManagementPolicy(StrEnum):
    """In which order a StatefulSet makes and removes its pods."""

    ORDERED_READY = "OrderedReady"
    PARALLEL = "Parallel"


class StatefulSettings(PlanModel):
    """Settings of StatefulSets."""

    pod_management_policy: PodManagementPolicy = setting(
        PodManagementPolicy.ORDERED_READY, "Pod management", "One pod after the other, or all at once."
    )
    start_ordinal: int = setting(0, "First ordinal", "Number of the first pod.", ge=0, le=INT32_MAX)
    partition: int = setting(0, "Partition", "A rollout leaves pods with lower ordinals alone.", ge=0, le=INT32_MAX)
    claim_zones: tuple[str, ...] = setting(
        (), "Zones of volumes", "Zones of zonal volumes that exist already, from the first ordinal on; an empty one, "
        "or none, is bound when the pod is first placed.", max_length=10_000,
    )  # fmt: skip
    on_delete: bool = setting(False, "On delete", "A rollout replaces a pod only when something else deletes it.")


class ConcurrencyPolicy(StrEnum):
    """What a CronJob does when a start is due while an earlier Job goes on."""

    ALLOW = "Allow"
    FORBID = "Forbid"
    REPLACE = "Replace"


class CronSettings(PlanModel):
    """A calendar that makes Jobs, as CronJobs have it."""

    schedule: str = required(
        "Schedule",
        "Cron line of the starts: minute hour day month weekday; or an interval such as @every 90m.",
        min_length=1,
        max_length=200,
    )
    time_zone: str = setting("UTC", "Time zone", "Zone of the schedule, for example Europe/Berlin.", max_length=63)
    concurrency_policy: ConcurrencyPolicy = setting(
        ConcurrencyPolicy.ALLOW, "Concurrency policy", "While an earlier Job goes on: Allow starts another one, Forbid "
        "waits for its end, Replace deletes it.",
    )  # fmt: skip
    starting_deadline: DurationUs | None = setting(
        None, "Starting deadline", "A start that could not be made for this long is missed; empty means none.", unit="s"
    )
    suspend: bool = setting(False, "Suspended", "It makes no Jobs.")
    successful_jobs_history_limit: int = setting(
        3, "Completed Jobs kept", "So many Jobs that completed stay listed.", unit="jobs", ge=0, le=INT32_MAX
    )
    failed_jobs_history_limit: int = setting(
        1, "Failed Jobs kept", "So many Jobs that failed stay listed.", unit="jobs", ge=0, le=INT32_MAX
    )

    @model_validator(mode="after")
    def _schedule_is_cron(self) -> Self:
        check_schedule(self.schedule, self.time_zone, "schedule", "time_zone", parse_job_schedule)
        return self


class JobSettings(PlanModel):
    """Settings of Jobs. The replicas of the workload are the Job's parallelism."""

    start: DurationUs = setting("0s", "Start", "Time of the run at which the Job is created.", unit="s")
    cron: CronSettings | None = setting(
        None, "CronJob", "A calendar makes such Jobs from the start on; empty means that there is one Job."
    )
    completions: int = setting(1, "Completions", "Pods that must succeed.", unit="pods", ge=1, le=200_000)
    run_time: DurationUs = setting(
        "1m", "Run time", "Time a pod runs until it ends; ignored if the work is given.", unit="s"
    )
    work: float = setting(
        0.0, "Work", "CPU time that each pod needs to finish: limits and other pods make it take "
        "longer; 0 means that it ends after its run time.", unit="core s", ge=0, le=MAX_WORK,
    )  # fmt: skip
    work_cores: CpuMilli = setting(
        0, "Cores for the work", "Maximum CPU its work can use at once; 0 means as much as its limit and node allow.",
        unit="cores",
    )  # fmt: skip
    failure_ratio: float = setting(0.0, "Failures", "Share of pods that fail when their work is done.", ge=0, le=1)
    backoff_limit: int = setting(
        6, "Back-off limit", "The Job fails after more than this many failures.", ge=0, le=INT32_MAX
    )
    active_deadline: DurationUs = setting(
        "0s", "Active deadline", "The Job fails after this time; 0 means none.", unit="s"
    )


class Workload(PlanModel):
    """A controller with its pods and its load."""

    name: Name = required("Name", "Name of the workload; its pods are called <name>-0001 and so on.")
    namespace: Name = setting("default", "Namespace", "Namespace of the workload.")
    kind: WorkloadKind = setting(WorkloadKind.DEPLOYMENT, "Kind", "Which controller keeps the pods.")
    replicas: int = setting(
        1, "Replicas", "Pods at the start of the run; ignored for a DaemonSet or StaticPod.", unit="pods",
        ge=0, le=200_000,
    )  # fmt: skip
    custom_controller: str = setting(
        "", "Custom controller", "For the kind Pod: kind of the pods' controller, unknown to Kubernetes, for "
        "example Workflow; a drain then evicts them without force. Empty means that the pods have no controller.",
        max_length=63,
    )  # fmt: skip
    node_groups: tuple[Name, ...] = setting(
        (), "Node pools", "For the kind StaticPod: pools whose nodes run one; empty means all pools.", max_length=1_000
    )
    pod: PodTemplate = setting(PodTemplate(), "Pod", "What the pods request and where they may run.")
    starts_on: dict[str, Annotated[int, Field(ge=1, le=200_000)]] = Field(
        default_factory=dict,
        title="Nodes at the start",
        description="Pods already on a node when the run begins: node name and number; the others are scheduled.",
        json_schema_extra={"unit": "pods"},
        max_length=20_000,
    )
    initial_age: DurationUs | None = setting(
        None, "Age at start", "With a warm start: how long its pods placed at the beginning have been Ready already; "
        "empty means simulation.initialPodAge.", unit="s",
    )  # fmt: skip
    update_strategy: UpdateStrategy = setting(
        UpdateStrategy(), "Update strategy", "How a rollout replaces the pods of a Deployment."
    )
    stateful: StatefulSettings = setting(StatefulSettings(), "StatefulSet", "Settings of a StatefulSet.")
    job: JobSettings = setting(JobSettings(), "Job", "Settings of a Job.")
    traffic: Traffic | None = setting(None, "Load", "Requests per second over time; empty means no requests.")
    calls: tuple[Call, ...] = setting(
        (), "Calls", "Requests it sends to other workloads for each one it serves.", max_length=100
    )
    queue: MessageQueue | None = setting(
        None, "Queue", "Its requests are messages in a queue, which its pods fetch; empty means that they reach the "
        "pods at once.",
    )  # fmt: skip
    demand: Demand = setting(Demand(), "Demand", "What a request costs and how a pod serves it.")
    cpu_use: CpuMilli = setting(
        0, "Constant CPU use", "CPU every running pod uses in addition to the work of its requests.", unit="cores"
    )
    startup_cpu: CpuMilli = setting(
        0, "Start-up CPU", "Additional CPU a pod uses after its containers start: caches, compilation.", unit="cores"
    )
    startup_cpu_time: DurationUs = setting("0s", "Start-up CPU time", "How long it uses that CPU.", unit="s")
    use: UseOverTime | None = setting(
        None, "Use over time", "CPU and memory of its running pods over time, independent of load; empty means none."
    )
    disk_use: DiskUse | None = setting(
        None, "Disk use", "Scratch space its pods actually use; disks are simulated if a workload has this."
    )
    memory_use: MemoryUse | None = setting(
        None, "Memory use", "Memory its pods actually use; empty means it is not simulated."
    )
    slo: Slo | None = setting(None, "SLO", "Latency and error target; empty means none.")


class RoomFor(PlanModel):
    """A reserve given as pods of a workload that should find room at once."""

    workload: Name = required("Workload", "Name of the workload whose pods should find room.")
    pods: int | None = setting(
        None, "Pods", "Number of its pods that fit into the reserve.", unit="pods", ge=0, le=20_000
    )
    percentage: float | None = setting(
        None, "Percentage", "Share of its current replicas, rounded down; for a capacity buffer. If pods "
        "are also given, the smaller number counts.", unit="%", gt=0, le=1_000,
    )  # fmt: skip


class Overprovisioning(PlanModel):
    """Pause pods that reserve room for others and give way to them."""

    name: Name = required("Name", "Name of the reserve; its pause pods are called <name>-0001 and so on.")
    replicas: int = setting(0, "Pause pods", "How many pause pods are kept.", unit="pods", ge=0, le=20_000)
    room_for: RoomFor | None = setting(
        None, "Room for", "Pods of a workload that should find room; determines number and size of the pause pods."
    )
    cluster_share: float = setting(
        0.0, "Share of the cluster", "Share of the initial nodes that the pause pods hold; determines their number.",
        unit="%", ge=0, le=100,
    )  # fmt: skip
    capacity_buffer: bool = setting(
        False, "Capacity buffer", "No pause pods: only the node autoscaler keeps the room free (CapacityBuffer)."
    )
    priority: int = setting(
        -1, "Priority", "Below every workload, not below the autoscaler's cutoff.", ge=-INT32_MAX - 1, le=0
    )
    pod: PodTemplate = setting(PodTemplate(), "Pod", "What one pause pod reserves and where.")
