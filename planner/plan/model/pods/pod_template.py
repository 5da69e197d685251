"""What a workload's pods look like to the scheduler."""

from typing import Annotated

from pydantic import Field

from planner.plan.model.pods.containers import Container, InitContainer, Resources
from planner.plan.model.pods.placement import (
    NodeSelectorTerm,
    PodAffinityTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from planner.plan.model.scaling_marks import PodScalingMarks
from planner.plan.values.fields import (
    INT32_MAX,
    DurationUs,
    Labels,
    PlanModel,
    required,
    setting,
)


class SchedulingGate(PlanModel):
    """Keeps pods out of the scheduling queue until it is removed."""

    name: str = required("Name", "Name of the gate.", min_length=1, max_length=317)
    removed_at: DurationUs | None = setting(
        None, "Removed at", "Time of the run when the gate is removed from all pods; empty means never.", unit="s"
    )


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
