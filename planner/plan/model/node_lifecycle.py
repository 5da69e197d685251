"""Settings of the node lifecycle controller: when dead nodes are noticed, and how fast their pods go."""

from planner.plan.values.fields import DurationUs, PlanModel, setting


class NodeLifecycleSettings(PlanModel):
    """Flags of kube-controller-manager."""

    node_monitor_period: DurationUs = setting(
        "5s", "Monitor period", "How often the controller looks at all nodes.", unit="s", ge=1_000_000
    )
    node_monitor_grace_period: DurationUs = setting(
        "50s", "Grace period", "A node that was not heard of for longer is Unknown.", unit="s", ge=1_000_000
    )
    node_eviction_rate: float = setting(
        0.1, "Eviction rate", "Dead nodes of a zone whose pods are given up per second.", unit="nodes/s", ge=0, le=1_000
    )
    secondary_node_eviction_rate: float = setting(
        0.01,
        "Secondary rate",
        "The same in a large zone most of which is down; in a small one nobody is given up.",
        unit="nodes/s",
        ge=0,
        le=1_000,
    )
    unhealthy_zone_threshold: float = setting(
        0.55, "Unhealthy zone", "Share of nodes down from which a zone counts as disrupted.", ge=0, le=1
    )
    large_cluster_size_threshold: int = setting(
        50, "Large zone", "Zones with more nodes keep the secondary rate.", unit="nodes", ge=0, le=100_000
    )
