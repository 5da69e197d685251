"""Settings of the Cluster Autoscaler, with the defaults of version 1.36.1 (config/flags/flags.go)."""

from pydantic import field_validator

from planner.language.translation import tr
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier
from planner.plan.values.fields import INT32_MAX, DurationUs, MemoryBytes, PlanModel, required, setting


class GpuLimit(PlanModel):
    """How many GPUs of a type the cluster may have, and how many it keeps."""

    type: str = required("Type", "Value of the GPU label of the nodes.", min_length=1, max_length=63)
    min: int = setting(0, "Minimum", "Nodes are not removed if fewer would be left.", ge=0, le=INT32_MAX)
    max: int = required("Maximum", "No nodes are added beyond it.", ge=0, le=INT32_MAX)


class ClusterAutoscalerSettings(PlanModel):
    """Flags of the Cluster Autoscaler."""

    enabled: bool = setting(True, "Cluster Autoscaler", "Add nodes for pending pods and remove unneeded nodes.")
    scan_interval: DurationUs = setting("10s", "Scan interval", "Time between two loops.", gt=0)
    frequent_loops_enabled: bool = setting(
        True, "Frequent loops", "Run the next loop at once after a scale-up, a node deletion or a new pending pod."
    )
    loop_duration: DurationUs = setting(
        "1s", "Loop duration", "Simulated time that one loop occupies before a frequent loop may follow.", gt=0
    )
    phase: DurationUs | None = setting(
        None,
        "Phase",
        "Time of the first loop, or with frequent loops the time from which it may be woken; empty: one scan interval "
        "after the start. For fixed loops 0 means the same.",
        unit="s",
    )
    reuse_simulations: bool = setting(
        True, "Reuse simulations", "Do not repeat a scale-down simulation whose inputs have not changed; results are "
        "the same.",
    )  # fmt: skip
    deterministic_ties: bool = setting(
        False, "Deterministic ties", "Among equally good node groups choose the first by name instead of a random one."
    )

    expander: tuple[ExpanderName, ...] = setting(
        (ExpanderName.LEAST_WASTE,),
        "Expanders",
        "Filters applied in turn until one scale-up option is left; a final tie is broken at random.",
        min_length=1,
        max_length=len(ExpanderName),
    )
    priority_expander: tuple[PriorityTier, ...] = setting(
        (), "Priorities", "Node groups preferred by the priority expander.", max_length=1_000
    )
    pod_core_price_per_hour: float = setting(
        0.033, "Price of a requested core", "Value of a pod's CPU to the price expander.",
        unit="currency/h", gt=0, le=1e6,
    )  # fmt: skip
    pod_gib_price_per_hour: float = setting(
        0.0044, "Price of a requested GiB", "Value of a pod's memory to the price expander.",
        unit="currency/h", gt=0, le=1e6,
    )  # fmt: skip

    max_nodes_total: int = setting(
        0, "Maximum nodes", "Upper bound on the nodes of the cluster; 0 means none.", unit="nodes", ge=0, le=INT32_MAX
    )
    cores_total_min: int = setting(
        0,
        "Minimum cores",
        "Nodes are not removed if the cluster would have fewer CPU cores.",
        unit="cores",
        ge=0,
        le=1_000_000,
    )
    cores_total_max: int = setting(
        320_000, "Maximum cores", "Upper bound on the CPU cores of the cluster.", unit="cores", ge=0, le=1_000_000
    )
    memory_total_min: MemoryBytes = setting(
        0, "Minimum memory", "Nodes are not removed if the cluster would have less memory.", unit="bytes"
    )
    memory_total_max: MemoryBytes = setting(
        "6400000Gi", "Maximum memory", "Upper bound on the memory of the cluster.", unit="bytes"
    )
    gpu_total: tuple[GpuLimit, ...] = setting(
        (), "GPUs by type", "Bounds on the GPUs of the cluster; a node's type is the value of its GPU label.",
        max_length=100,
    )  # fmt: skip
    max_nodes_per_scaleup: int = setting(
        1_000, "Nodes per scale-up", "Upper bound on the nodes one loop may add; 0 means none.", unit="nodes",
        ge=0, le=INT32_MAX,
    )  # fmt: skip
    expendable_pods_priority_cutoff: int = setting(
        -10, "Expendable priority", "Pods of lower priority neither cause nor prevent scaling.",
        ge=-INT32_MAX, le=INT32_MAX,
    )  # fmt: skip
    new_pod_scale_up_delay: DurationUs = setting(
        "0s", "Delay for new pods", "Pods younger than this do not cause a scale-up."
    )
    scale_up_from_zero: bool = setting(True, "Scale up from zero", "Scale up even if the cluster has no ready node.")
    enforce_node_group_min_size: bool = setting(
        False,
        "Enforce minimum sizes",
        "Raise groups to their minimum size. Without this, the minimum alone never adds nodes.",
    )
    force_ds: bool = setting(
        False, "Force DaemonSets", "Expect every suitable DaemonSet on a new node, even if existing nodes lack it."
    )
    fastpath_binpacking_enabled: bool = setting(
        False, "Fast bin packing", "Compute the nodes for the largest set of identical pods from one full node."
    )
    salvo_scale_up: bool = setting(
        False, "Salvo scale-up", "Keep scaling up within one loop until no further pod can be helped."
    )
    scaleup_simulation_for_skipped_node_groups_enabled: bool = setting(
        False,
        "Explain skipped groups",
        "Also check pods against groups that cannot grow, and report the scheduler's reason.",
    )
    balance_similar_node_groups: bool = setting(
        False, "Balance similar node groups", "Share new nodes among groups that differ only in zone or region."
    )
    balancing_ignore_labels: tuple[str, ...] = setting(
        (), "Labels ignored in balancing", "Further labels in which similar groups may differ.",
        max_length=100,
    )  # fmt: skip
    balancing_labels: tuple[str, ...] = setting(
        (), "Labels for balancing", "If given, groups with equal values of these labels are similar.", max_length=100
    )
    memory_difference_ratio: float = setting(
        0.015, "Memory difference", "Share by which the memory of similar groups may differ.", ge=0, le=1
    )
    max_allocatable_difference_ratio: float = setting(
        0.05,
        "Allocatable difference",
        "Share by which the allocatable resources of similar groups may differ.",
        ge=0,
        le=1,
    )
    max_free_difference_ratio: float = setting(
        0.05,
        "Free difference",
        "Share by which the free resources on new nodes of similar groups may differ.",
        ge=0,
        le=1,
    )
    max_node_provision_time: DurationUs = setting(
        "15m", "Provision time", "After this time a requested node counts as failed.", gt=0
    )
    max_node_startup_time: DurationUs = setting(
        "15m", "Start-up time", "A registered node that is still not ready after this time counts as unready.", gt=0
    )
    force_delete_unregistered_nodes: bool = setting(
        False, "Delete below the minimum", "Delete nodes that failed to register even below the group's minimum."
    )
    initial_node_group_backoff_duration: DurationUs = setting(
        "5m", "First back-off", "How long a node group is left alone after its first failure."
    )
    max_node_group_backoff_duration: DurationUs = setting(
        "30m", "Maximum back-off", "Repeated failures double the back-off up to this time."
    )
    node_group_backoff_reset_timeout: DurationUs = setting(
        "3h", "Back-off reset", "A failure is forgotten this long after it happened."
    )
    ok_total_unready_count: int = setting(
        3,
        "Unready nodes allowed",
        "Up to this many unready nodes are always acceptable.",
        unit="nodes",
        ge=0,
        le=INT32_MAX,
    )
    max_total_unready_percentage: float = setting(
        45.0, "Unready share allowed", "Above this share of unready nodes all scaling stops.", unit="%", ge=0, le=100
    )

    scale_down_enabled: bool = setting(True, "Scale-down", "Remove nodes that are not needed.")
    scale_down_unneeded_time: DurationUs = setting(
        "10m", "Unneeded time", "A node must have been unneeded for longer than this before it is removed."
    )
    scale_down_unready_time: DurationUs = setting("20m", "Unready time", "The same for a node that is not ready.")
    scale_down_unready_enabled: bool = setting(True, "Remove unready nodes", "Also consider nodes that are not ready.")
    scale_down_utilization_threshold: float = setting(
        0.5,
        "Utilization threshold",
        "Nodes with at most this share of requests are considered for removal.",
        ge=0,
        le=1,
    )
    scale_down_gpu_utilization_threshold: float = setting(
        0.5, "GPU utilization threshold", "The same for nodes with a GPU, counting only GPUs.", ge=0, le=1
    )
    gpu_label: str = setting(
        "cloud.google.com/gke-accelerator", "GPU label", "Label by which the cloud marks nodes with a GPU.",
        max_length=317,
    )  # fmt: skip
    ignore_daemonsets_utilization: bool = setting(
        False, "Ignore DaemonSets", "Leave DaemonSet pods out of the utilization of a node."
    )
    ignore_mirror_pods_utilization: bool = setting(
        False, "Ignore static pods", "Leave static pods out of the utilization of a node."
    )
    skip_nodes_with_system_pods: bool = setting(
        True, "Keep system pods", "Recently created kube-system pods without a disruption budget keep their node."
    )
    blocking_system_pod_distruption_timeout: DurationUs = setting(
        "1h", "System pods block for", "Older kube-system pods without a disruption budget no longer keep their node."
    )
    skip_nodes_with_local_storage: bool = setting(True, "Keep local data", "Pods with local volumes keep their node.")
    skip_nodes_with_custom_controller_pods: bool = setting(
        True, "Keep pods of other controllers", "Pods that no built-in controller would recreate keep their node."
    )
    min_replica_count: int = setting(
        0,
        "Minimum replicas",
        "Pods of ReplicaSets with fewer replicas keep their node.",
        unit="pods",
        ge=0,
        le=INT32_MAX,
    )
    scale_down_delay_after_add: DurationUs = setting(
        "10m", "Delay after add", "No node is removed this long after a scale-up."
    )
    scale_down_delay_after_delete: DurationUs = setting(
        "0s", "Delay after delete", "No further node is removed this long after a removal."
    )
    scale_down_delay_after_failure: DurationUs = setting(
        "3m", "Delay after failure", "No node is removed this long after a failed removal."
    )
    scale_down_delay_type_local: bool = setting(
        False, "Delays per group", "Apply the three delays per group instead of to the whole cluster."
    )
    max_scale_down_parallelism: int = setting(
        10, "Parallel removals", "Nodes that may be removed at once, empty or drained.", unit="nodes",
        ge=1, le=100_000,
    )  # fmt: skip
    max_drain_parallelism: int = setting(
        1, "Parallel drains", "Nodes with pods to move that may be removed at once.", unit="nodes",
        ge=1, le=100_000,
    )  # fmt: skip
    unremovable_node_recheck_timeout: DurationUs = setting(
        "5m", "Recheck of unremovable nodes", "How long a node found unremovable by simulation is left alone."
    )
    node_deletion_delay_timeout: DurationUs = setting(
        "2m", "Deletion delay time-out", "Longest wait for a node's delay-deletion annotations to be removed.", unit="s"
    )
    node_delete_delay_after_taint: DurationUs = setting(
        "5s", "Delay after taint", "Time between tainting a node and draining or deleting it."
    )
    max_graceful_termination: DurationUs = setting(
        "10m", "Graceful termination", "Upper bound on the grace period of pods evicted by a removal."
    )
    max_pod_eviction_time: DurationUs = setting(
        "2m", "Eviction time", "How long refused evictions are retried before the removal is abandoned."
    )
    cordon_node_before_terminating: bool = setting(
        True, "Cordon before removal", "Cordon a node that is being removed, in addition to the taint."
    )
    daemonset_eviction_for_occupied_nodes: bool = setting(
        True, "Evict DaemonSet pods", "Also evict DaemonSet pods from a node that is drained."
    )
    daemonset_eviction_for_empty_nodes: bool = setting(
        False, "Evict from empty nodes", "Evict DaemonSet pods before deleting a node without other pods."
    )
    max_bulk_soft_taint_count: int = setting(
        10, "Soft taints per loop", "Maximum nodes that gain or lose the candidate taint in one loop; 0 disables it.",
        unit="nodes", ge=0, le=100_000,
    )  # fmt: skip
    startup_taints: tuple[str, ...] = setting(
        (), "Start-up taints", "Keys of taints that nodes carry until they have started; such nodes are not ready.",
        max_length=100,
    )  # fmt: skip
    status_taints: tuple[str, ...] = setting(
        (), "Status taints", "Keys of taints that new nodes of the group are not expected to carry.", max_length=100
    )

    @field_validator("expander")
    @classmethod
    def _useful_chain(cls, names: tuple[ExpanderName, ...]) -> tuple[ExpanderName, ...]:
        """Each name once, and nothing after `random`, which leaves one option (Kubernetes refuses both)."""
        if len(frozenset(names)) < len(names):
            raise ValueError(tr("an expander is named twice; name each once"))
        if ExpanderName.RANDOM in names[:-1]:
            raise ValueError(tr("nothing may follow 'random', which always leaves one option; put it last"))
        return names
