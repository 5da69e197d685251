"""What a workload's pods look like to the scheduler."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from planner.matching.selectors import SelectorOperator
from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.scaling_marks import PodScalingMarks
from planner.plan.values.fields import (
    INT32_MAX,
    CpuMilli,
    DurationUs,
    Labels,
    MemoryBytes,
    Name,
    PlanModel,
    required,
    setting,
)


class Resources(PlanModel):
    """Amounts of resources that a container requests or may use."""

    cpu: CpuMilli | None = setting(None, "CPU", "CPU; empty means not given.", unit="cores")
    memory: MemoryBytes | None = setting(None, "Memory", "Memory; empty means not given.", unit="bytes")
    ephemeral_storage: MemoryBytes | None = setting(
        None, "Ephemeral storage", "Scratch space and logs on the node's disk; empty means not given.", unit="bytes"
    )
    extended: dict[str, int] = Field(
        default_factory=dict,
        title="Extended resources",
        description="Other countable resources, for example nvidia.com/gpu: 1.",
        json_schema_extra={"unit": "units"},
    )


class Protocol(StrEnum):
    """Protocol of a port."""

    TCP = "TCP"
    UDP = "UDP"
    SCTP = "SCTP"


class HostPort(PlanModel):
    """A port of the node that a container occupies; no two pods on a node can have the same."""

    port: int = required("Port", "Port number on the node.", ge=1, le=65_535)
    protocol: Protocol = setting(Protocol.TCP, "Protocol", "Ports of different protocols do not conflict.")
    host_ip: str = setting("0.0.0.0", "Host address", "Address of the node; 0.0.0.0 means all.", max_length=45)


class ResizeRestart(StrEnum):
    """What becomes of a container whose resource is changed in place."""

    NOT_REQUIRED = "NotRequired"
    RESTART_CONTAINER = "RestartContainer"


class ResizePolicy(PlanModel):
    """Whether a container restarts when its requests or limits are changed in place."""

    cpu: ResizeRestart = setting(ResizeRestart.NOT_REQUIRED, "CPU", "RestartContainer: it restarts for another CPU.")
    memory: ResizeRestart = setting(
        ResizeRestart.NOT_REQUIRED, "Memory", "RestartContainer: it restarts for other memory."
    )


class Container(PlanModel):
    """One container of a pod."""

    name: Name = setting("main", "Name", "Name of the container.")
    requests: Resources = setting(Resources(), "Requests", "What the scheduler reserves for the container.")
    limits: Resources = setting(
        Resources(), "Limits", "What the container may use at most; also its request if none is given."
    )
    host_ports: tuple[HostPort, ...] = setting((), "Host ports", "Ports of the node that it occupies.", max_length=100)
    resize_policy: ResizePolicy = setting(
        ResizePolicy(), "Resize policy", "Whether it restarts when its resources are changed in place."
    )
    cpu_use: CpuMilli = setting(
        0, "Constant CPU use", "CPU the container always uses, in addition to the pod's work.", unit="cores"
    )
    cpu_share: float = setting(
        0.0, "Share of the CPU work", "Share of the pod's work it does; the first container does the rest.",
        unit="%", ge=0, le=100,
    )  # fmt: skip
    memory_share: float = setting(
        0.0, "Share of the memory", "Share of the pod's memory it uses; the first container uses the rest.",
        unit="%", ge=0, le=100,
    )  # fmt: skip
    image: str = setting(
        "", "Image", "Image name; nodes that already hold it are preferred. Empty means unknown.", max_length=500
    )


class InitContainer(Container):
    """A container that runs before the main containers, or alongside them as a sidecar."""

    sidecar: bool = setting(
        False,
        "Sidecar",
        "Keeps running alongside the main containers (restartPolicy Always); its requests are added to theirs.",
    )


class SchedulingGate(PlanModel):
    """Keeps pods out of the scheduling queue until it is removed."""

    name: str = required("Name", "Name of the gate.", min_length=1, max_length=317)
    removed_at: DurationUs | None = setting(
        None, "Removed at", "Time of the run when the gate is removed from all pods; empty means never.", unit="s"
    )


class NodeSelectorRequirement(PlanModel):
    """One expression on a node's labels."""

    key: str = required("Key", "Label key.", min_length=1, max_length=317)
    operator: SelectorOperator = required("Operator", "How the label is compared.")
    values: tuple[str, ...] = setting((), "Values", "Values for In and NotIn; one integer for Gt and Lt.")


class NodeSelectorTerm(PlanModel):
    """Expressions that must all hold."""

    match_expressions: tuple[NodeSelectorRequirement, ...] = setting(
        (), "Expressions", "All must hold; a term without expressions and fields matches no node."
    )
    match_fields: tuple[NodeSelectorRequirement, ...] = setting(
        (), "Fields", "Expressions on metadata.name: In or NotIn with exactly one value."
    )


class PreferredNodeTerm(PlanModel):
    """A node affinity term that adds points instead of excluding nodes."""

    weight: int = required("Weight", "Points of a node that matches.", ge=0, le=100)
    preference: NodeSelectorTerm = required("Preference", "What the node should match.")


class LabelSelector(PlanModel):
    """Chooses pods by their labels; empty chooses all."""

    match_labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels a pod must have.",
        json_schema_extra={"unit": ""},
    )
    match_expressions: tuple[NodeSelectorRequirement, ...] = setting((), "Expressions", "All must hold.")


class UnsatisfiableAction(StrEnum):
    """What a spread constraint does when it cannot be met."""

    DO_NOT_SCHEDULE = "DoNotSchedule"
    SCHEDULE_ANYWAY = "ScheduleAnyway"


class NodeInclusionPolicy(StrEnum):
    """Whether nodes the pod may not use count in a spread constraint."""

    HONOR = "Honor"
    IGNORE = "Ignore"


class TopologySpreadConstraint(PlanModel):
    """Spreads pods evenly over the values of a node label."""

    max_skew: int = required(
        "Max skew",
        "Number of pods by which a domain may exceed the domain with the fewest.",
        unit="pods",
        ge=1,
        le=INT32_MAX,
    )
    topology_key: str = required("Topology key", "Node label that defines the domains.", min_length=1, max_length=317)
    when_unsatisfiable: UnsatisfiableAction = setting(
        UnsatisfiableAction.DO_NOT_SCHEDULE, "When unsatisfiable", "Refuse the node, or only prefer others."
    )
    label_selector: LabelSelector | None = setting(
        None, "Label selector", "Pods that are counted; if not given, none are."
    )
    min_domains: int = setting(1, "Min domains", "With fewer domains the minimum counts as 0.", ge=1, le=INT32_MAX)
    node_affinity_policy: NodeInclusionPolicy = setting(
        NodeInclusionPolicy.HONOR, "Node affinity policy", "Honor: nodes excluded by the pod's affinity do not count."
    )
    node_taints_policy: NodeInclusionPolicy = setting(
        NodeInclusionPolicy.IGNORE, "Node taints policy", "Honor: nodes with untolerated taints do not count."
    )
    match_label_keys: tuple[str, ...] = setting(
        (), "Match label keys", "Keys whose value in the pod's own labels is added to the selector."
    )


class PodAffinityTerm(PlanModel):
    """Pods chosen by label and namespace, and the node label that defines the domains."""

    topology_key: str = required(
        "Topology key", "Node label; nodes with the same value form one domain.", min_length=1, max_length=317
    )
    label_selector: LabelSelector | None = setting(
        None, "Label selector", "Pods that attract or repel; if not given, no pod does."
    )
    namespaces: tuple[str, ...] = setting(
        (), "Namespaces", "Namespaces of those pods; without these and without a namespace selector, the pod's own."
    )
    namespace_selector: LabelSelector | None = setting(
        None, "Namespace selector", "Further namespaces by their labels; empty chooses all."
    )
    match_label_keys: tuple[str, ...] = setting(
        (), "Match label keys", "Keys whose value in the pod's own labels the other pods must share."
    )
    mismatch_label_keys: tuple[str, ...] = setting(
        (), "Mismatch label keys", "Keys whose value in the pod's own labels the other pods must not have."
    )


class WeightedPodAffinityTerm(PlanModel):
    """An affinity term that adds or subtracts points instead of excluding nodes."""

    weight: int = required("Weight", "Points for each matching pod of the domain.", ge=0, le=100)
    pod_affinity_term: PodAffinityTerm = required("Term", "The pods and the domain.")


class Toleration(PlanModel):
    """Allows a pod on nodes whose taint would repel it."""

    key: str = setting("", "Key", "Taint key; empty with Exists tolerates every taint.", max_length=317)
    operator: TolerationOperator = setting(
        TolerationOperator.EQUAL, "Operator", "Equal compares the value too; Gt and Lt compare numbers."
    )
    value: str = setting("", "Value", "Taint value for Equal, number for Gt and Lt.", max_length=63)
    effect: TaintEffect | None = setting(None, "Effect", "Empty means every effect.")
    toleration_seconds: DurationUs | None = setting(
        None, "For", "How long a NoExecute taint is tolerated; empty means forever.", unit="s"
    )

    @property
    def toleration_us(self) -> int | None:
        """The same, under the name of its unit."""
        return self.toleration_seconds


class PodTemplate(PlanModel):
    """The pods of a workload as the scheduler sees them."""

    labels: Labels = Field(
        default_factory=dict,
        title="Labels",
        description="Labels besides app=<workload>, which every pod carries.",
        json_schema_extra={"unit": ""},
    )
    containers: tuple[Container, ...] = setting(
        (Container(),), "Containers", "The containers; their requests are added up.", min_length=1, max_length=50
    )
    init_containers: tuple[InitContainer, ...] = setting(
        (), "Init containers", "Run one after the other before the containers; sidecars keep running.", max_length=50
    )
    resources: Resources = setting(
        Resources(), "Pod-level requests", "CPU and memory of the whole pod; they replace the containers' sums."
    )
    limits: Resources = setting(
        Resources(), "Pod-level limits", "CPU and memory that the containers of a pod may use together at most."
    )
    runtime_class: str = setting("", "Runtime class", "Name of a runtime class, whose overhead is added.")
    scheduler_name: str = setting(
        "default-scheduler", "Scheduler name", "Scheduler profile that places the pods.", min_length=1, max_length=63
    )
    node_name: str = setting(
        "", "Node name", "Binds the pods to this node without a scheduler; empty means they are scheduled.",
        max_length=253,
    )  # fmt: skip
    host_network: bool = setting(
        False,
        "Host network",
        "The pods use the network of their node; a DaemonSet's then tolerate the taint network-unavailable.",
    )
    scheduling_gates: tuple[SchedulingGate, ...] = setting(
        (), "Scheduling gates", "Pods wait, invisible to the scheduler, until all gates are removed.", max_length=20
    )
    priority_class: str = setting("", "Priority class", "Name of a priority class; empty means the default.")
    node_selector: Labels = Field(
        default_factory=dict,
        title="Node selector",
        description="Labels a node must have.",
        json_schema_extra={"unit": ""},
    )
    required_node_affinity: tuple[NodeSelectorTerm, ...] = setting(
        (), "Required node affinity", "A node must match at least one of these terms; none means any node."
    )
    preferred_node_affinity: tuple[PreferredNodeTerm, ...] = setting(
        (), "Preferred node affinity", "Terms that give matching nodes points."
    )
    required_pod_affinity: tuple[PodAffinityTerm, ...] = setting(
        (), "Required pod affinity", "Every term needs a matching pod in the node's domain.", max_length=50
    )
    required_pod_anti_affinity: tuple[PodAffinityTerm, ...] = setting(
        (), "Required pod anti-affinity", "No matching pod may be in the node's domain.", max_length=50
    )
    preferred_pod_affinity: tuple[WeightedPodAffinityTerm, ...] = setting(
        (), "Preferred pod affinity", "Matching pods in a node's domain give it points.", max_length=50
    )
    preferred_pod_anti_affinity: tuple[WeightedPodAffinityTerm, ...] = setting(
        (), "Preferred pod anti-affinity", "Matching pods in a node's domain cost it points.", max_length=50
    )
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = setting(
        (), "Topology spread constraints", "How the pods spread; none means the built-in soft defaults."
    )
    tolerations: tuple[Toleration, ...] = setting((), "Tolerations", "Taints that the pods tolerate.")
    scaling: PodScalingMarks = setting(
        PodScalingMarks(), "Cluster Autoscaler", "Annotations and volumes that the Cluster Autoscaler reads."
    )
    do_not_disrupt: str = setting(
        "",
        "Do not disrupt",
        "Annotation karpenter.sh/do-not-disrupt: true keeps the node for ever, a duration such as 1h that long after "
        "the pod has started; empty: not set.",
        max_length=40,
        pattern=r"^(|true|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)$",
    )
    deletion_cost: int = setting(
        0, "Deletion cost", "Annotation controller.kubernetes.io/pod-deletion-cost: Karpenter moves cheap pods first.",
        ge=-(2**31), le=INT32_MAX,
    )  # fmt: skip
    zonal_claim: bool = setting(
        False,
        "Zonal volume",
        "Each pod of a StatefulSet keeps a volume and therefore stays in the zone of its first node.",
    )
    volumes: dict[str, Annotated[int, Field(ge=0, le=1_000)]] = Field(
        default_factory=dict,
        title="Attached volumes",
        description="Volumes of its own that each pod attaches, by CSI driver, for example ebs.csi.aws.com: 1; they "
        "count against the limits of node pools.",
        json_schema_extra={"unit": "volumes"},
        max_length=50,
    )
    startup_delay: DurationUs = setting("10s", "Start-up", "Time from binding until the containers run.", unit="s")
    readiness_delay: DurationUs = setting(
        "0s", "Readiness delay", "Time a started pod runs, without traffic, before it is Ready.", unit="s"
    )
    termination_time: DurationUs = setting(
        "5s", "Termination time", "Time a pod needs to stop after SIGTERM.", unit="s"
    )
    termination_grace_period: DurationUs = setting(
        "30s", "Grace period", "A pod that still runs after this is killed.", unit="s"
    )

    def labels_of(self, workload: str) -> dict[str, str]:
        """Labels of the pods of a workload with this template: app=<workload>, which the template may overwrite."""
        return {"app": workload, **self.labels}
