"""What key figures are called in a report; one that is not listed has its name of `known_figures`."""

from types import MappingProxyType

from planner.language.translation import marked, tr
from planner.reports.content.known_figures import known_figure

TITLES = MappingProxyType(
    {
        "slo_attainment": marked("SLO met, share of time"),
        "slo_attainment_by_requests": marked("SLO met, share of requests"),
        "latency_p95_worst": marked("p95 latency, worst"),
        "latency_p99_worst": marked("p99 latency, worst"),
        "requests_offered": marked("Requests offered"),
        "requests_lost": marked("Requests lost"),
        "pending_pod_time": marked("Time pods waited for a node, sum"),
        "pods_pending_peak": marked("Pods without a node, peak"),
        "pod_start_p50": marked("Start of a pod, median"),
        "pod_start_p95": marked("Start of a pod, p95"),
        "scale_up_to_pod_running_p50": marked("From a refused pod to its start on a new node, median"),
        "preemptions": marked("Pods removed for others"),
        "evictions": marked("Pods evicted"),
        "oom_kills": marked("Containers killed for memory"),
        "rescales": marked("Changes of replicas by autoscalers"),
        "nodes_peak": marked("Nodes, peak"),
        "nodes_added": marked("Nodes added"),
        "nodes_removed": marked("Nodes removed"),
        "node_hours": marked("Node hours"),
        "cpu_requested_mean": marked("CPU requested, mean"),
        "cpu_used_mean": marked("CPU used, mean"),
        "cost": marked("Cost"),
        "cost_idle": marked("Cost of what no pod requested"),
        "cost_per_1000_requests": marked("Cost per 1,000 requests"),
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
    title = tr(TITLES[kind]) if kind in TITLES else known_figure(kind).full_title
    return f"{title} ({subject[:-1]})" if subject else title
