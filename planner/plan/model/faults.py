"""Events and faults that happen to the cluster during a run.

Every event happens once at its time, or from its time on at random moments or by a calendar.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.events.times import Timed
from planner.plan.model.node_groups import Taint
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.values.fields import DurationUs, Name, required, setting

MAX_COUNT = 15_000


def _pool(description: str) -> Any:
    return required("Node pool", description)


def _workload(description: str) -> Any:
    return required("Workload", description)


def _duration(default: str, description: str) -> Any:
    return setting(default, "Duration", description, unit="s")


class OnNodes(Timed):
    """Something that happens to nodes of a pool."""

    node_group: Name = _pool("Pool whose nodes are affected.")
    count: int = setting(1, "Nodes", "Maximum number of nodes, if none are named.", unit="nodes", ge=1, le=MAX_COUNT)
    nodes: tuple[Name, ...] = setting(
        (), "Named nodes", "Names of nodes, for example pool-0002; nodes that do not exist at that time are ignored.",
        max_length=1_000,
    )  # fmt: skip


class NodeLoss(OnNodes):
    """Randomly chosen nodes die at once: their pods stop serving, and the control plane notices later."""

    type: Literal["nodeLoss"]
    duration: DurationUs = _duration("0s", "Time until they are back; 0 means never.")
    node_removed_after: DurationUs = setting(
        "5m", "Node removed after", "The cloud deletes the Node object after this; 0 means never.", unit="s"
    )


class ZoneOutage(Timed):
    """All nodes of a zone die at once and come back together."""

    type: Literal["zoneOutage"]
    zone: str = required("Zone", "Zone of the node pools that are hit.", min_length=1, max_length=63)
    duration: DurationUs = _duration("30m", "Time until the zone is back; 0 means never.")


class SpotReclaim(OnNodes):
    """The cloud reclaims randomly chosen nodes after a warning; the pool requests replacements."""

    type: Literal["spotReclaim"]
    notice: DurationUs = setting("2m", "Notice", "Time between the warning and the end of the node.", unit="s")
    drain: bool = setting(True, "Drain", "A termination handler drains the node when it is warned.")


class StockOut(Timed):
    """The cloud has no more machines for a pool."""

    type: Literal["stockOut"]
    node_group: Name = _pool("Pool that cannot grow.")
    duration: DurationUs = _duration("30m", "Time until machines are available again.")
    available: int = setting(0, "Available", "Machines that are still available.", unit="nodes", ge=0, le=MAX_COUNT)


class SlowProvisioning(Timed):
    """New nodes of a pool take longer than usual, and some never appear."""

    type: Literal["slowProvisioning"]
    node_group: Name = _pool("Pool whose new nodes are late.")
    duration: DurationUs = _duration("30m", "Requests made during this time are affected.")
    factor: float = setting(2.0, "Factor", "Multiplies the provisioning delay.", ge=0.1, le=1_000)
    failure_ratio: float = setting(0.0, "Failures", "Share of new nodes that never register.", ge=0, le=1)


class FailureKind(StrEnum):
    """How a new node fails to be of use."""

    REFUSED = "refused"
    """The cloud has none: quota or stock-out."""
    NEVER_REGISTERS = "neverRegisters"
    """An instance that never becomes a node; given up after max-node-provision-time."""
    NEVER_READY = "neverReady"
    """A node that registers and stays not Ready."""
    RESOURCE_MISSING = "resourceMissing"
    """A Ready node whose extended resources never appear."""


class ProvisioningFailure(Timed):
    """A share of a pool's new nodes fails, for a while or until the end."""

    type: Literal["provisioningFailure"]
    node_group: Name = _pool("Pool whose new nodes fail.")
    kind: FailureKind = required("Kind", "How they fail.")
    ratio: float = setting(1.0, "Share", "Probability that a new node fails this way.", gt=0, le=1)
    duration: DurationUs = _duration(
        "0s", "Requests made during this time are affected; 0 means until the end of the run."
    )


class ImagePullDelay(Timed):
    """Pods of a workload start late because their image is pulled slowly."""

    type: Literal["imagePullDelay"]
    workload: Name = _workload("Workload whose pods start late.")
    delay: DurationUs = setting("1m", "Delay", "Time added to the start-up of a pod.", unit="s")
    duration: DurationUs = _duration("30m", "Pods bound during this time are affected.")


class MetricsApi(StrEnum):
    """APIs that autoscalers ask for metrics."""

    ALL = "all"
    RESOURCE = "resource"
    """CPU and memory of pods: metrics-server."""
    CUSTOM = "custom"
    """Metrics of type Pods and Object: an adapter."""
    EXTERNAL = "external"


class MetricsOutage(Timed):
    """Metrics APIs do not answer: their metrics fail, which blocks shrinking, and growth if all metrics fail."""

    type: Literal["metricsOutage"]
    api: MetricsApi = setting(MetricsApi.ALL, "API", "Which metrics fail: all, or those of one API.")
    duration: DurationUs = _duration("10m", "Time without new samples.")


class DrainNodes(OnNodes):
    """kubectl drain: cordon nodes and evict their pods, the oldest nodes first, all at the same time."""

    type: Literal["drain"]
    timeout: DurationUs = setting("0s", "Time-out", "The drain gives up after this; 0 means never.", unit="s")
    uncordon_after: DurationUs = setting(
        "0s", "Uncordon after", "Nodes accept pods again this long after their drain; 0 means never.", unit="s"
    )
    force: bool = setting(
        False, "Force", "Evicts pods without a controller too, which are lost; otherwise such a pod stops the drain of "
        "its node.",
    )  # fmt: skip


class CordonNodes(OnNodes):
    """kubectl cordon: the oldest nodes take no new pods."""

    type: Literal["cordon"]
    duration: DurationUs = _duration("0s", "Time until they are uncordoned; 0 means never.")


class AnnotateScaleDown(OnNodes):
    """kubectl annotate: the autoscaler leaves the oldest nodes of a pool where they are, or may remove them again."""

    type: Literal["scaleDownDisabled"]
    disabled: bool = setting(
        True, "Scale-down disabled", "Sets the annotation scale-down-disabled; otherwise takes it off."
    )
    duration: DurationUs = _duration("0s", "Time until the nodes are as before; 0 means never.")


class NodeUpgrade(Timed):
    """Replaces all nodes of a pool: new nodes join first, then the old ones are drained and deleted in turn."""

    type: Literal["nodeUpgrade"]
    node_group: Name = _pool("Pool that is upgraded.")
    max_surge: int = setting(1, "Surge", "Extra nodes; a new node joins before an old one is removed.", ge=0, le=1_000)
    max_unavailable: int = setting(0, "Unavailable", "Nodes that may be missing.", ge=0, le=1_000)
    drain_timeout: DurationUs = setting(
        "1h", "Drain time-out", "A node is deleted with its pods after this; 0 means never.", unit="s"
    )


class NodeClassChange(Timed):
    """A new image or another change of the node class of a Karpenter pool: its nodes have drifted, and Karpenter
    replaces them as the pool's budgets allow.
    """

    type: Literal["nodeClassChange"]
    node_group: Name = _pool("Pool of Karpenter whose nodes have drifted.")


class TaintNodes(OnNodes):
    """The oldest nodes of a pool get a taint; NoExecute evicts pods that do not tolerate it."""

    type: Literal["taint"]
    taint: Taint = required("Taint", "The taint that is added.")
    duration: DurationUs = _duration("0s", "Time until it is removed; 0 means never.")


class Rollout(Timed):
    """A new revision of a workload: its pods are replaced as its update strategy says."""

    type: Literal["rollout"]
    workload: Name = _workload("Workload that gets a new revision.")
    pod: PodTemplate | None = setting(
        None, "New template", "Template of the new revision; empty means that nothing changes in it. What the "
        "workload itself says of CPU, memory and disk use stays.",
    )  # fmt: skip


class CreateWorkload(Timed):
    """A workload is created with its replicas; it does not exist before the first such event."""

    type: Literal["createWorkload"]
    workload: Name = _workload("Workload that is created.")


class DeleteWorkload(Timed):
    """A workload is deleted, and its pods with it."""

    type: Literal["deleteWorkload"]
    workload: Name = _workload("Workload that is deleted.")


class ReadinessFlap(Timed):
    """Some pods of a workload, chosen at random, are not Ready for a while."""

    type: Literal["readinessFlap"]
    workload: Name = _workload("Workload whose pods are hit.")
    count: int = setting(1, "Pods", "Maximum number of ready pods affected.", unit="pods", ge=1, le=200_000)
    duration: DurationUs = _duration("30s", "How long they are not Ready.")


class DeletePods(Timed):
    """kubectl delete pod: pods of a workload end with their grace period, and their controller makes others."""

    type: Literal["deletePods"]
    workload: Name = _workload("Workload whose pods are deleted.")
    count: int = setting(1, "Pods", "Maximum number of pods, chosen at random.", unit="pods", ge=1, le=200_000)
    node: str = setting("", "On node", "Only pods on this node; empty means any.", max_length=253)


class RestartedController(StrEnum):
    """Controllers whose memory may be lost."""

    HPA = "horizontalPodAutoscaler"
    CLUSTER_AUTOSCALER = "clusterAutoscaler"
    VPA_RECOMMENDER = "vpaRecommender"
    VPA_UPDATER = "vpaUpdater"


class ControllerRestart(Timed):
    """A controller restarts and loses its memory, for example its stabilization window."""

    type: Literal["controllerRestart"]
    controller: RestartedController = required("Controller", "The controller that restarts.")


class ResizePool(Timed):
    """The limits of a pool are changed, for example a scheduled minimum before a peak."""

    type: Literal["resizePool"]
    node_group: Name = _pool("Pool whose limits are changed.")
    min_size: int = required("Minimum", "The new minimum.", unit="nodes", ge=0, le=MAX_COUNT)
    max_size: int = required("Maximum", "The new maximum.", unit="nodes", ge=0, le=MAX_COUNT)


class SetReplicas(Timed):
    """Writes spec.replicas, as applying a manifest again does; an autoscaler may change it back."""

    type: Literal["setReplicas"]
    workload: Name = _workload("Deployment or StatefulSet that is scaled.")
    replicas: int = required("Replicas", "The number that is written.", unit="pods", ge=0, le=200_000)


PlanEvent = Annotated[
    NodeLoss
    | ZoneOutage
    | SpotReclaim
    | StockOut
    | SlowProvisioning
    | ProvisioningFailure
    | ImagePullDelay
    | MetricsOutage
    | DrainNodes
    | CordonNodes
    | AnnotateScaleDown
    | NodeUpgrade
    | NodeClassChange
    | TaintNodes
    | Rollout
    | CreateWorkload
    | DeleteWorkload
    | ReadinessFlap
    | DeletePods
    | ControllerRestart
    | ResizePool
    | SetReplicas
    | PlanChangeEvent,
    Field(discriminator="type"),
]
"""Something that happens to the cluster."""
