"""What the figures of a run are called in tables of all of them, what they mean, and which direction is better.

A figure that is not listed here is shown under its own name, so none is ever left out.
"""

from types import MappingProxyType
from typing import NamedTuple

from planner.language.translation import marked, tr


class KnownFigure(NamedTuple):
    """How one figure is shown."""

    topic: str
    title: str
    help: str = ""
    more_is_better: bool | None = None
    """None: neither is better."""
    detail: str = ""
    """What distinguishes it from its siblings, such as p95; follows the title."""

    @property
    def full_title(self) -> str:
        """In the reader's language."""
        return tr("{title}, {detail}", title=tr(self.title), detail=tr(self.detail)) if self.detail else tr(self.title)


_SERVICE = marked("Service")
_PODS = marked("Pods")
_REACTION = marked("Scale-up reaction")
_SCALING = marked("Scaling")
_CAPACITY = marked("Capacity")
_ROOM = marked("Room at the worst moment")
_COST = marked("Cost")
OTHER = marked("Other")
TOPICS = (_SERVICE, _PODS, _REACTION, _SCALING, _CAPACITY, _ROOM, _COST, OTHER)

_REACTION_HELP = marked("Measured from when a pod that later ran on a new node was first unschedulable.")

KNOWN: MappingProxyType[str, KnownFigure] = MappingProxyType(
    {
        "slo_attainment": KnownFigure(
            _SERVICE,
            marked("SLO met, share of time"),
            marked("Share of time in which latency and lost requests met the objective."),
            True,
        ),
        "slo_attainment_by_requests": KnownFigure(
            _SERVICE,
            marked("SLO met, share of requests"),
            marked("Share of requests that arrived while the objective was met."),
            True,
        ),
        "slo_attainment_end_to_end": KnownFigure(
            _SERVICE,
            marked("SLO met with calls, share of time"),
            marked("Share of time in which latency including all calls met its objective."),
            True,
        ),
        "slo_attainment_end_to_end_by_requests": KnownFigure(
            _SERVICE,
            marked("SLO met with calls, share of requests"),
            marked("Share of requests that arrived while that objective was met."),
            True,
        ),
        "latency_end_to_end_p95_worst": KnownFigure(
            _SERVICE, marked("p95 latency with calls, worst"), more_is_better=False
        ),
        "latency_end_to_end_p95_worst_at": KnownFigure(_SERVICE, marked("p95 latency with calls, worst at")),
        "latency_end_to_end_p99_worst": KnownFigure(
            _SERVICE, marked("p99 latency with calls, worst"), more_is_better=False
        ),
        "latency_end_to_end_p99_worst_at": KnownFigure(_SERVICE, marked("p99 latency with calls, worst at")),
        "latency_p95_worst": KnownFigure(_SERVICE, marked("p95 latency, worst"), marked("Over all load steps."), False),
        "latency_p95_worst_at": KnownFigure(_SERVICE, marked("p95 latency, worst at")),
        "latency_p99_worst": KnownFigure(_SERVICE, marked("p99 latency, worst"), marked("Over all load steps."), False),
        "latency_p99_worst_at": KnownFigure(_SERVICE, marked("p99 latency, worst at")),
        "backlog_wait_worst": KnownFigure(
            _SERVICE,
            marked("Longest wait in a backlog"),
            marked(
                "The longest time a request waited behind earlier ones; it arrived before the backlog peaked.",
            ),
            False,
        ),
        "backlog_wait_worst_at": KnownFigure(_SERVICE, marked("Longest wait in a backlog, for arrivals at")),
        "requests_offered": KnownFigure(_SERVICE, marked("Requests offered")),
        "requests_lost": KnownFigure(
            _SERVICE,
            marked("Requests lost"),
            marked("Rejected or timed out, and not retried."),
            False,
        ),
        "requests_rejected": KnownFigure(
            _SERVICE, marked("Requests rejected"), marked("Because a queue was full."), False
        ),
        "requests_timed_out": KnownFigure(
            _SERVICE,
            marked("Requests timed out"),
            marked("They would have waited too long."),
            False,
        ),
        "requests_retried": KnownFigure(
            _SERVICE, marked("Requests retried"), marked("Attempts after the first."), False
        ),
        "retry_amplification": KnownFigure(_SERVICE, marked("Tries per request"), marked("1 means no retries."), False),
        "cpu_throttled_time": KnownFigure(
            _SERVICE,
            marked("Time throttled"),
            marked("Time in which a ready pod stood still at its CPU limit, averaged over the pods."),
            False,
        ),
        "pending_pod_time": KnownFigure(
            _PODS,
            marked("Pending time"),
            marked("Time pods waited for a node, summed over all pods."),
            False,
        ),
        "pod_start_p50": KnownFigure(_PODS, marked("Pod start, median"), marked("From creation until Ready."), False),
        "pod_start_p95": KnownFigure(_PODS, marked("Pod start, p95"), marked("From creation until Ready."), False),
        "pod_start_p99": KnownFigure(_PODS, marked("Pod start, p99"), marked("From creation until Ready."), False),
        "pod_start_max": KnownFigure(_PODS, marked("Pod start, longest"), marked("From creation until Ready."), False),
        "pods_pending_peak": KnownFigure(
            _PODS, marked("Pending pods, peak"), marked("Without a node at one time."), False
        ),
        "pods_starting_peak": KnownFigure(
            _PODS, marked("Starting pods, peak"), marked("On a node, not running yet."), False
        ),
        "pods_running_peak": KnownFigure(_PODS, marked("Running pods, peak"), marked("Ready or not.")),
        "pods_not_ready_peak": KnownFigure(
            _PODS,
            marked("Running pods not Ready, peak"),
            marked("Running at one time without being Ready."),
            False,
        ),
        "pods_terminating_peak": KnownFigure(
            _PODS, marked("Terminating pods, peak"), marked("Being deleted at one time.")
        ),
        "preemptions": KnownFigure(
            _PODS,
            marked("Preemptions"),
            marked("Pods removed in favour of others with higher priority."),
            False,
        ),
        "evictions": KnownFigure(
            _PODS,
            marked("Evictions"),
            marked("Pods evicted by drains: scale-down, upgrades, faults."),
            False,
        ),
        "evictions_refused": KnownFigure(_PODS, marked("Evictions refused"), marked("By a disruption budget."), False),
        "pressure_evictions": KnownFigure(
            _PODS,
            marked("Evictions by node pressure"),
            marked("Because a node ran out of memory or disk."),
            False,
        ),
        "taint_evictions": KnownFigure(_PODS, marked("Evictions by taints"), more_is_better=False),
        "pods_replaced": KnownFigure(_PODS, marked("Pods replaced"), marked("By rollouts.")),
        "oom_kills": KnownFigure(
            _PODS,
            marked("OOM kills"),
            marked("Containers that exceeded their memory limit."),
            False,
        ),
        "container_restarts": KnownFigure(
            _PODS,
            marked("Container restarts"),
            marked("In pods that stayed on their node."),
            False,
        ),
        "drains_failed": KnownFigure(_PODS, marked("Drains failed"), more_is_better=False),
        **{
            f"scale_up_to_{what}_{which}": KnownFigure(_REACTION, title, _REACTION_HELP, False, which)
            for what, title in (
                ("node_requested", marked("Until the node was requested")),
                ("node_ready", marked("Until the node was ready")),
                ("pod_running", marked("Until the pod ran")),
            )
            for which in ("p50", "p95", "p99", "max")
        },
        **{
            f"scale_up_{what}_{which}": KnownFigure(_REACTION, title, more_is_better=False, detail=which)
            for what, title in (
                ("request_to_ready", marked("From request to ready node")),
                ("ready_to_running", marked("From ready node to running pod")),
            )
            for which in ("p50", "p95", "p99")
        },
        "rescales": KnownFigure(
            _SCALING,
            marked("Rescales"),
            marked("Replica changes made by horizontal pod autoscalers."),
            False,
        ),
        "flapping_index": KnownFigure(
            _SCALING,
            marked("Flapping index"),
            marked("Changes of direction per hour: a scale-down after a scale-up, or the reverse."),
            False,
        ),
        "scale_ups": KnownFigure(_SCALING, marked("Scale-ups of pools")),
        "nodes_added": KnownFigure(_SCALING, marked("Nodes added")),
        "scale_downs": KnownFigure(_SCALING, marked("Scale-downs of pools")),
        "nodes_removed": KnownFigure(_SCALING, marked("Nodes removed")),
        "nodes_peak": KnownFigure(_CAPACITY, marked("Ready nodes, peak"), more_is_better=False),
        **{
            f"{what}_{which}": KnownFigure(_CAPACITY, title, detail=tail)
            for what, title in (
                ("cpu_allocatable", marked("CPU allocatable")),
                ("cpu_requested", marked("CPU requested")),
                ("cpu_used", marked("CPU used")),
                ("memory_allocatable", marked("Memory allocatable")),
                ("memory_requested", marked("Memory requested")),
                ("memory_used", marked("Memory used")),
            )
            for which, tail in (("peak", marked("peak")), ("mean", marked("mean")))
        },
        "node_hours": KnownFigure(_CAPACITY, marked("Node hours"), more_is_better=False),
        "room_worst_at": KnownFigure(
            _ROOM,
            marked("The worst moment"),
            marked("When the unrequested share of CPU or memory was smallest."),
        ),
        "room_for_pods": KnownFigure(
            _ROOM,
            marked("More pods that would have fit"),
            marked("At the worst moment, counted for each workload on its own."),
            True,
        ),
        "cost": KnownFigure(
            _COST,
            marked("Cost"),
            marked("All nodes from request to removal, as billed."),
            False,
        ),
        "cost_per_1000_requests": KnownFigure(_COST, marked("Cost per 1,000 requests"), more_is_better=False),
        "cost_per_month": KnownFigure(_COST, marked("Cost per month"), marked("730 hours at the average cost."), False),
        "budget_used": KnownFigure(
            _COST,
            marked("Share of budget"),
            marked("The cost per month as a share of the plan's budget."),
            False,
        ),
        "cost_idle": KnownFigure(
            _COST,
            marked("Cost of unrequested capacity"),
            marked("The part of the nodes that no pod requested."),
            False,
        ),
        "cost_of_unused_reservations": KnownFigure(_COST, marked("Cost of unused reservations"), more_is_better=False),
        "reserve_cost_per_month": KnownFigure(
            _COST,
            marked("Cost of the reserve per month"),
            marked("What its pause pods reserve, at the price of their pool."),
            False,
        ),
        **{
            f"waste_{what}_{which}": KnownFigure(_COST, title, meaning, False, detail)
            for what, title, meaning in (
                ("slack", marked("Slack"), marked("Allocatable on ready nodes but not requested, mean over the run")),
                ("over_request", marked("Over-request"), marked("Requested by pods and not used, mean over the run")),
                (
                    "reserve",
                    marked("Reserve"),
                    marked("Reserved by the pause pods of overprovisioning, mean over the run"),
                ),
            )
            for which, detail in (("cpu", marked("CPU")), ("memory", marked("memory")), ("worth", marked("worth")))
        },
    }
)


def known_figure(name: str) -> KnownFigure:
    """By the name without subject; others keep their name in plain words."""
    return KNOWN.get(name, KnownFigure(OTHER, name.replace("_", " ").capitalize()))
