"""What the figures of a run are called on the screen, what they mean, and which direction is better.

A figure that is not listed here is shown under its own name, so none is ever left out.
"""

from types import MappingProxyType

from ui.summary.figure_words import KnownFigure, marked

_SERVICE = marked("summary", "Service")
_PODS = marked("summary", "Pods")
_REACTION = marked("summary", "Scale-up reaction")
_SCALING = marked("summary", "Scaling")
_CAPACITY = marked("summary", "Capacity")
_ROOM = marked("summary", "Room at the worst moment")
_COST = marked("summary", "Cost")
OTHER = marked("summary", "Other")
TOPICS = (_SERVICE, _PODS, _REACTION, _SCALING, _CAPACITY, _ROOM, _COST, OTHER)

_REACTION_HELP = marked("summary", "Measured from when a pod that later ran on a new node was first unschedulable.")

KNOWN: MappingProxyType[str, KnownFigure] = MappingProxyType(
    {
        "slo_attainment": KnownFigure(
            _SERVICE,
            marked("summary", "SLO met, share of time"),
            marked("summary", "Share of time in which latency and lost requests met the objective."),
            True,
        ),
        "slo_attainment_by_requests": KnownFigure(
            _SERVICE,
            marked("summary", "SLO met, share of requests"),
            marked("summary", "Share of requests that arrived while the objective was met."),
            True,
        ),
        "slo_attainment_end_to_end": KnownFigure(
            _SERVICE,
            marked("summary", "SLO met with calls, share of time"),
            marked("summary", "Share of time in which latency including all calls met its objective."),
            True,
        ),
        "slo_attainment_end_to_end_by_requests": KnownFigure(
            _SERVICE,
            marked("summary", "SLO met with calls, share of requests"),
            marked("summary", "Share of requests that arrived while that objective was met."),
            True,
        ),
        "latency_end_to_end_p95_worst": KnownFigure(
            _SERVICE, marked("summary", "p95 latency with calls, worst"), more_is_better=False
        ),
        "latency_end_to_end_p95_worst_at": KnownFigure(_SERVICE, marked("summary", "p95 latency with calls, worst at")),
        "latency_end_to_end_p99_worst": KnownFigure(
            _SERVICE, marked("summary", "p99 latency with calls, worst"), more_is_better=False
        ),
        "latency_end_to_end_p99_worst_at": KnownFigure(_SERVICE, marked("summary", "p99 latency with calls, worst at")),
        "latency_p95_worst": KnownFigure(
            _SERVICE, marked("summary", "p95 latency, worst"), marked("summary", "Over all load steps."), False
        ),
        "latency_p95_worst_at": KnownFigure(_SERVICE, marked("summary", "p95 latency, worst at")),
        "latency_p99_worst": KnownFigure(
            _SERVICE, marked("summary", "p99 latency, worst"), marked("summary", "Over all load steps."), False
        ),
        "latency_p99_worst_at": KnownFigure(_SERVICE, marked("summary", "p99 latency, worst at")),
        "backlog_wait_worst": KnownFigure(
            _SERVICE,
            marked("summary", "Longest wait in a backlog"),
            marked(
                "summary",
                "The longest time a request waited behind earlier ones; it arrived before the backlog peaked.",
            ),
            False,
        ),
        "backlog_wait_worst_at": KnownFigure(_SERVICE, marked("summary", "Longest wait in a backlog, for arrivals at")),
        "requests_offered": KnownFigure(_SERVICE, marked("summary", "Requests offered")),
        "requests_lost": KnownFigure(
            _SERVICE,
            marked("summary", "Requests lost"),
            marked("summary", "Rejected or timed out, and not retried."),
            False,
        ),
        "requests_rejected": KnownFigure(
            _SERVICE, marked("summary", "Requests rejected"), marked("summary", "Because a queue was full."), False
        ),
        "requests_timed_out": KnownFigure(
            _SERVICE,
            marked("summary", "Requests timed out"),
            marked("summary", "They would have waited too long."),
            False,
        ),
        "requests_retried": KnownFigure(
            _SERVICE, marked("summary", "Requests retried"), marked("summary", "Attempts after the first."), False
        ),
        "retry_amplification": KnownFigure(
            _SERVICE, marked("summary", "Tries per request"), marked("summary", "1 means no retries."), False
        ),
        "cpu_throttled_time": KnownFigure(
            _SERVICE,
            marked("summary", "Time throttled"),
            marked("summary", "Time in which ready pods were throttled at their CPU limit."),
            False,
        ),
        "pending_pod_time": KnownFigure(
            _PODS,
            marked("summary", "Pending time"),
            marked("summary", "Time pods waited for a node, summed over all pods."),
            False,
        ),
        "pod_start_p50": KnownFigure(
            _PODS, marked("summary", "Pod start, median"), marked("summary", "From creation until Ready."), False
        ),
        "pod_start_p95": KnownFigure(
            _PODS, marked("summary", "Pod start, p95"), marked("summary", "From creation until Ready."), False
        ),
        "pod_start_p99": KnownFigure(
            _PODS, marked("summary", "Pod start, p99"), marked("summary", "From creation until Ready."), False
        ),
        "pod_start_max": KnownFigure(
            _PODS, marked("summary", "Pod start, longest"), marked("summary", "From creation until Ready."), False
        ),
        "pods_pending_peak": KnownFigure(
            _PODS, marked("summary", "Pending pods, peak"), marked("summary", "Without a node at one time."), False
        ),
        "pods_starting_peak": KnownFigure(
            _PODS, marked("summary", "Starting pods, peak"), marked("summary", "On a node, not running yet."), False
        ),
        "pods_running_peak": KnownFigure(
            _PODS, marked("summary", "Running pods, peak"), marked("summary", "Ready or not.")
        ),
        "pods_not_ready_peak": KnownFigure(
            _PODS,
            marked("summary", "Running pods not Ready, peak"),
            marked("summary", "Running at one time without being Ready."),
            False,
        ),
        "pods_terminating_peak": KnownFigure(
            _PODS, marked("summary", "Terminating pods, peak"), marked("summary", "Being deleted at one time.")
        ),
        "preemptions": KnownFigure(
            _PODS,
            marked("summary", "Preemptions"),
            marked("summary", "Pods removed in favour of others with higher priority."),
            False,
        ),
        "evictions": KnownFigure(
            _PODS,
            marked("summary", "Evictions"),
            marked("summary", "Pods evicted by drains: scale-down, upgrades, faults."),
            False,
        ),
        "evictions_refused": KnownFigure(
            _PODS, marked("summary", "Evictions refused"), marked("summary", "By a disruption budget."), False
        ),
        "pressure_evictions": KnownFigure(
            _PODS,
            marked("summary", "Evictions by node pressure"),
            marked("summary", "Because a node ran out of memory or disk."),
            False,
        ),
        "taint_evictions": KnownFigure(_PODS, marked("summary", "Evictions by taints"), more_is_better=False),
        "pods_replaced": KnownFigure(_PODS, marked("summary", "Pods replaced"), marked("summary", "By rollouts.")),
        "oom_kills": KnownFigure(
            _PODS,
            marked("summary", "OOM kills"),
            marked("summary", "Containers that exceeded their memory limit."),
            False,
        ),
        "container_restarts": KnownFigure(
            _PODS,
            marked("summary", "Container restarts"),
            marked("summary", "In pods that stayed on their node."),
            False,
        ),
        "drains_failed": KnownFigure(_PODS, marked("summary", "Drains failed"), more_is_better=False),
        **{
            f"scale_up_to_{what}_{which}": KnownFigure(_REACTION, title, _REACTION_HELP, False, which)
            for what, title in (
                ("node_requested", marked("summary", "Until the node was requested")),
                ("node_ready", marked("summary", "Until the node was ready")),
                ("pod_running", marked("summary", "Until the pod ran")),
            )
            for which in ("p50", "p95", "p99", "max")
        },
        **{
            f"scale_up_{what}_{which}": KnownFigure(_REACTION, title, more_is_better=False, detail=which)
            for what, title in (
                ("request_to_ready", marked("summary", "From request to ready node")),
                ("ready_to_running", marked("summary", "From ready node to running pod")),
            )
            for which in ("p50", "p95", "p99")
        },
        "rescales": KnownFigure(
            _SCALING,
            marked("summary", "Rescales"),
            marked("summary", "Replica changes made by horizontal pod autoscalers."),
            False,
        ),
        "flapping_index": KnownFigure(
            _SCALING,
            marked("summary", "Flapping index"),
            marked("summary", "Changes of direction per hour: a scale-down after a scale-up, or the reverse."),
            False,
        ),
        "scale_ups": KnownFigure(_SCALING, marked("summary", "Scale-ups of pools")),
        "nodes_added": KnownFigure(_SCALING, marked("summary", "Nodes added")),
        "scale_downs": KnownFigure(_SCALING, marked("summary", "Scale-downs of pools")),
        "nodes_removed": KnownFigure(_SCALING, marked("summary", "Nodes removed")),
        "nodes_peak": KnownFigure(_CAPACITY, marked("summary", "Ready nodes, peak"), more_is_better=False),
        **{
            f"{what}_{which}": KnownFigure(_CAPACITY, title, detail=tail)
            for what, title in (
                ("cpu_allocatable", marked("summary", "CPU allocatable")),
                ("cpu_requested", marked("summary", "CPU requested")),
                ("cpu_used", marked("summary", "CPU used")),
                ("memory_allocatable", marked("summary", "Memory allocatable")),
                ("memory_requested", marked("summary", "Memory requested")),
                ("memory_used", marked("summary", "Memory used")),
            )
            for which, tail in (("peak", marked("summary", "peak")), ("mean", marked("summary", "mean")))
        },
        "node_hours": KnownFigure(_CAPACITY, marked("summary", "Node hours"), more_is_better=False),
        "room_worst_at": KnownFigure(
            _ROOM,
            marked("summary", "The worst moment"),
            marked("summary", "When the unrequested share of CPU or memory was smallest."),
        ),
        "room_for_pods": KnownFigure(
            _ROOM,
            marked("summary", "More pods that would have fit"),
            marked("summary", "At the worst moment, counted for each workload on its own."),
            True,
        ),
        "cost": KnownFigure(
            _COST,
            marked("summary", "Cost"),
            marked("summary", "All nodes from request to removal, as billed."),
            False,
        ),
        "cost_per_1000_requests": KnownFigure(
            _COST, marked("summary", "Cost per 1,000 requests"), more_is_better=False
        ),
        "cost_per_month": KnownFigure(
            _COST, marked("summary", "Cost per month"), marked("summary", "730 hours at the average cost."), False
        ),
        "budget_used": KnownFigure(
            _COST,
            marked("summary", "Share of budget"),
            marked("summary", "The cost per month as a share of the plan's budget."),
            False,
        ),
        "cost_idle": KnownFigure(
            _COST,
            marked("summary", "Cost of unrequested capacity"),
            marked("summary", "The part of the nodes that no pod requested."),
            False,
        ),
        "cost_of_unused_reservations": KnownFigure(
            _COST, marked("summary", "Cost of unused reservations"), more_is_better=False
        ),
        "reserve_cost_per_month": KnownFigure(
            _COST,
            marked("summary", "Cost of the reserve per month"),
            marked("summary", "What its pause pods reserve, at the price of their pool."),
            False,
        ),
    }
)


def known_figure(name: str) -> KnownFigure:
    """By the name without subject; others keep their name in plain words."""
    return KNOWN.get(name, KnownFigure(OTHER, name.replace("_", " ").capitalize()))
