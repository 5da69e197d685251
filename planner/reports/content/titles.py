"""What key figures are called in a report; one that is not listed keeps its name in plain words."""

from types import MappingProxyType

TITLES = MappingProxyType(
    {
        "slo_attainment": "SLO met, share of time",
        "slo_attainment_by_requests": "SLO met, share of requests",
        "latency_p95_worst": "p95 latency, worst",
        "latency_p99_worst": "p99 latency, worst",
        "requests_offered": "Requests offered",
        "requests_lost": "Requests lost",
        "pending_pod_time": "Time pods waited for a node, sum",
        "pods_pending_peak": "Pods without a node, peak",
        "pod_start_p50": "Start of a pod, median",
        "pod_start_p95": "Start of a pod, p95",
        "scale_up_to_pod_running_p50": "From a refused pod to its start on a new node, median",
        "preemptions": "Pods removed for others",
        "evictions": "Pods evicted",
        "oom_kills": "Containers killed for memory",
        "rescales": "Changes of replicas by autoscalers",
        "nodes_peak": "Nodes, peak",
        "nodes_added": "Nodes added",
        "nodes_removed": "Nodes removed",
        "node_hours": "Node hours",
        "cpu_requested_mean": "CPU requested, mean",
        "cpu_used_mean": "CPU used, mean",
        "cost": "Cost",
        "cost_idle": "Cost of what no pod requested",
        "cost_per_1000_requests": "Cost per 1,000 requests",
    }
)
MORE_IS_BETTER = frozenset({"slo_attainment", "slo_attainment_by_requests"})
LESS_IS_BETTER = frozenset(
    {
        "latency_p95_worst", "latency_p99_worst", "requests_lost", "pending_pod_time", "pods_pending_peak",
        "pod_start_p50", "pod_start_p95", "scale_up_to_pod_running_p50", "evictions", "oom_kills",
        "cost", "cost_idle", "cost_per_1000_requests",
    }
)  # fmt: skip


def title_of(name: str) -> str:
    """SLO met, share of time (shop) for slo_attainment[shop]."""
    kind, _, subject = name.partition("[")
    title = TITLES.get(kind, kind.replace("_", " ").capitalize())
    return f"{title} ({subject[:-1]})" if subject else title
