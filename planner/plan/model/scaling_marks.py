"""Marks on pods and node groups that the Cluster Autoscaler reads: annotations and per-group options."""

from enum import StrEnum

from planner.plan.values.fields import DurationUs, PlanModel, setting


class SafeToEvict(StrEnum):
    """The annotation cluster-autoscaler.kubernetes.io/safe-to-evict."""

    UNSET = ""
    YES = "true"
    NO = "false"
    ON_COMPLETION = "on-completion"


class PodScalingMarks(PlanModel):
    """Annotations and volumes of a pod that the Cluster Autoscaler reads."""

    safe_to_evict: SafeToEvict = setting(
        SafeToEvict.UNSET,
        "Safe to evict",
        "true: never keeps its node; false: always keeps it; on-completion: keeps it until the pod is done.",
    )
    local_volumes: tuple[str, ...] = setting(
        (), "Local volumes", "Names of hostPath volumes and of emptyDir volumes on disk; they keep the node.",
        max_length=100,
    )  # fmt: skip
    safe_local_volumes: tuple[str, ...] = setting(
        (), "Safe local volumes", "Local volumes that may be lost (safe-to-evict-local-volumes).", max_length=100
    )
    scale_up_delay: DurationUs = setting(
        "0s", "Scale-up delay", "Pods younger than this do not cause a scale-up (pod-scale-up-delay).", unit="s"
    )
    enable_ds_eviction: bool | None = setting(
        None, "Evicted with the node", "For a DaemonSet: whether its pods are evicted before their node is deleted; "
        "empty means the autoscaler's setting.",
    )  # fmt: skip
    static_pod: bool = setting(
        False, "Static pod", "The kubelet runs the pods from a file on its node (mirror pods); for a DaemonSet only."
    )


class NodeGroupOptions(PlanModel):
    """Settings of the Cluster Autoscaler for one node group; empty means the autoscaler's."""

    zero_or_max: bool = setting(
        False, "All or nothing", "The pool has either no nodes or its maximum, as with accelerator slices."
    )
    scale_down_disabled: bool = setting(
        False, "Scale-down disabled", "Nodes carry the annotation scale-down-disabled and are never removed."
    )
    delay_deletion: DurationUs = setting(
        "0s", "Delay deletion", "How long drained nodes keep a delay-deletion annotation; at most "
        "nodeDeletionDelayTimeout.", unit="s",
    )  # fmt: skip
    scale_down_unneeded_time: DurationUs | None = setting(
        None, "Unneeded time", "A node must have been unneeded for longer than this before it is removed.", unit="s"
    )
    scale_down_unready_time: DurationUs | None = setting(
        None, "Unready time", "The same for a node that is not ready.", unit="s"
    )
    scale_down_utilization_threshold: float | None = setting(
        None,
        "Utilization threshold",
        "Nodes with at most this share of requests are considered for removal.",
        ge=0,
        le=1,
    )
    scale_down_gpu_utilization_threshold: float | None = setting(
        None, "GPU utilization threshold", "The same for nodes with a GPU, counting only GPUs.", ge=0, le=1
    )
    max_node_provision_time: DurationUs | None = setting(
        None, "Provision time", "After this time a requested node counts as failed.", unit="s", gt=0
    )
    max_node_startup_time: DurationUs | None = setting(
        None,
        "Start-up time",
        "A registered node that is still not ready after this time counts as unready.",
        unit="s",
        gt=0,
    )
    ignore_daemonsets_utilization: bool | None = setting(
        None, "Ignore DaemonSets", "Leave DaemonSet pods out of the utilization of a node."
    )
