"""Settings of the control plane that concern all nodes and pods: admission, and the node lifecycle controller."""

from planner.plan.values.fields import DurationUs, PlanModel, setting


class AdmissionSettings(PlanModel):
    """What the API server adds to pods or refuses."""

    extended_resource_toleration: bool = setting(
        False, "ExtendedResourceToleration",
        "Pods that request an extended resource tolerate taints with its name as key; common for GPU pools.",
    )  # fmt: skip
    memory_pressure_toleration: bool = setting(
        False, "Memory pressure toleration",
        "Pods with any request or limit tolerate nodes under memory pressure (PodTolerationRestriction).",
    )  # fmt: skip
    limit_pod_hard_anti_affinity_topology: bool = setting(
        False, "LimitPodHardAntiAffinityTopology",
        "Required anti-affinity over any label other than kubernetes.io/hostname is refused.",
    )  # fmt: skip


class NodeLifecycleSettings(PlanModel):
    """Flags of kube-controller-manager."""

    node_monitor_period: DurationUs = setting(
        "5s", "Monitor period", "How often the controller checks all nodes.", unit="s", ge=1_000_000
    )
    node_monitor_grace_period: DurationUs = setting(
        "50s", "Grace period", "A node that has not reported for longer becomes Unknown.", unit="s", ge=1_000_000
    )
    node_eviction_rate: float = setting(
        0.1, "Eviction rate", "Dead nodes per second and zone whose pods are evicted.", unit="nodes/s", ge=0, le=1_000
    )
    secondary_node_eviction_rate: float = setting(
        0.01,
        "Secondary rate",
        "The same in a large, mostly failed zone; in a small one no pods are evicted.",
        unit="nodes/s",
        ge=0,
        le=1_000,
    )
    unhealthy_zone_threshold: float = setting(
        0.55, "Unhealthy zone", "Share of failed nodes at which a zone counts as disrupted.", ge=0, le=1
    )
    large_cluster_size_threshold: int = setting(
        50, "Large zone", "Zones with more nodes use the secondary rate.", unit="nodes", ge=0, le=100_000
    )
