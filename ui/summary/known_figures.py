"""What the figures of a run are called on the screen, what they mean, and which direction is better.

A figure that is not listed here is shown under its own name, so none is ever left out.
"""

from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

_CONTEXT = "summary"


def marked(context: str, text: str) -> str:
    """Marks a text for the translators; `translated` looks it up when it is shown."""
    assert context == _CONTEXT
    return text


def translated(text: str) -> str:
    """A marked text in the reader's language."""
    return QCoreApplication.translate(_CONTEXT, text) if text else ""


class KnownFigure(NamedTuple):
    """How one figure is told."""

    topic: str
    title: str
    help: str = ""
    more_is_better: bool | None = None
    """None: neither is better."""
    detail: str = ""
    """What tells it from its siblings, such as p95; stands behind the title."""


_SERVICE = marked("summary", "Service")
_PODS = marked("summary", "Pods")
_REACTION = marked("summary", "Scale-up reaction")
_SCALING = marked("summary", "Scaling")
_CAPACITY = marked("summary", "Capacity")
_ROOM = marked("summary", "Room at the worst moment")
_COST = marked("summary", "Cost")
OTHER = marked("summary", "Other")
TOPICS = (_SERVICE, _PODS, _REACTION, _SCALING, _CAPACITY, _ROOM, _COST, OTHER)

_P = marked
_REACTION_HELP = marked(
    "summary", "From the moment at which the scheduler first found no node for a pod that a new node then took in."
)

KNOWN: MappingProxyType[str, KnownFigure] = MappingProxyType(
    {
        "slo_attainment": KnownFigure(
            _SERVICE, _P("summary", "SLO met, of the time"),
            _P("summary", "Share of the time in which latency and lost requests kept to the objective."), True),
        "slo_attainment_by_requests": KnownFigure(
            _SERVICE, _P("summary", "SLO met, of the requests"),
            _P("summary", "Share of the requests that arrived while the objective was met."), True),
        "slo_attainment_end_to_end": KnownFigure(
            _SERVICE, _P("summary", "SLO met with calls, of the time"),
            _P("summary", "Share of the time in which latency along all calls kept to its objective."), True),
        "slo_attainment_end_to_end_by_requests": KnownFigure(
            _SERVICE, _P("summary", "SLO met with calls, of the requests"),
            _P("summary", "Share of the requests that arrived while that objective was met."), True),
        "latency_end_to_end_p95_worst": KnownFigure(
            _SERVICE, _P("summary", "p95 latency with calls, worst"), more_is_better=False),
        "latency_end_to_end_p95_worst_at": KnownFigure(_SERVICE, _P("summary", "p95 latency with calls, worst at")),
        "latency_end_to_end_p99_worst": KnownFigure(
            _SERVICE, _P("summary", "p99 latency with calls, worst"), more_is_better=False),
        "latency_end_to_end_p99_worst_at": KnownFigure(_SERVICE, _P("summary", "p99 latency with calls, worst at")),
        "latency_p95_worst": KnownFigure(
            _SERVICE, _P("summary", "p95 latency, worst"), _P("summary", "Of all load steps of the run."), False),
        "latency_p95_worst_at": KnownFigure(_SERVICE, _P("summary", "p95 latency, worst at")),
        "latency_p99_worst": KnownFigure(
            _SERVICE, _P("summary", "p99 latency, worst"), _P("summary", "Of all load steps of the run."), False),
        "latency_p99_worst_at": KnownFigure(_SERVICE, _P("summary", "p99 latency, worst at")),
        "backlog_wait_worst": KnownFigure(
            _SERVICE, _P("summary", "Wait in a backlog, worst"),
            _P("summary", "The longest that a request waited for those before it; it arrived before the backlog was "
               "largest."), False),
        "backlog_wait_worst_at": KnownFigure(_SERVICE, _P("summary", "Wait in a backlog, worst for arrivals at")),
        "requests_offered": KnownFigure(_SERVICE, _P("summary", "Requests offered")),
        "requests_lost": KnownFigure(
            _SERVICE, _P("summary", "Requests lost"),
            _P("summary", "Rejected or timed out, and not tried again."), False),
        "requests_rejected": KnownFigure(
            _SERVICE, _P("summary", "Requests rejected"), _P("summary", "Because a queue was full."), False),
        "requests_timed_out": KnownFigure(
            _SERVICE, _P("summary", "Requests timed out"), _P("summary", "They would have waited too long."), False),
        "requests_retried": KnownFigure(
            _SERVICE, _P("summary", "Requests retried"), _P("summary", "Tries after the first."), False),
        "retry_amplification": KnownFigure(
            _SERVICE, _P("summary", "Tries per request"), _P("summary", "1: nothing was tried again."), False),
        "cpu_throttled_time": KnownFigure(
            _SERVICE, _P("summary", "Time throttled"),
            _P("summary", "Time in which a ready pod stood still because its CPU limit was used up."), False),
        "pending_pod_time": KnownFigure(
            _PODS, _P("summary", "Pending time"),
            _P("summary", "Time that pods waited for a node, added up over all pods."), False),
        "pod_start_p50": KnownFigure(
            _PODS, _P("summary", "Pod start, median"), _P("summary", "From creation until Ready."), False),
        "pod_start_p95": KnownFigure(
            _PODS, _P("summary", "Pod start, p95"), _P("summary", "From creation until Ready."), False),
        "pod_start_p99": KnownFigure(
            _PODS, _P("summary", "Pod start, p99"), _P("summary", "From creation until Ready."), False),
        "pod_start_max": KnownFigure(
            _PODS, _P("summary", "Pod start, longest"), _P("summary", "From creation until Ready."), False),
        "pods_pending_peak": KnownFigure(
            _PODS, _P("summary", "Pending pods, most"), _P("summary", "Without a node at one moment."), False),
        "preemptions": KnownFigure(
            _PODS, _P("summary", "Preemptions"), _P("summary", "Pods that had to go for others of higher priority."),
            False),
        "evictions": KnownFigure(
            _PODS, _P("summary", "Evictions"), _P("summary", "Pods moved by drains: scale-down, upgrades, faults."),
            False),
        "evictions_refused": KnownFigure(
            _PODS, _P("summary", "Evictions refused"), _P("summary", "By a disruption budget."), False),
        "pressure_evictions": KnownFigure(
            _PODS, _P("summary", "Evictions by node pressure"), _P("summary", "Memory or disk of a node ran out."),
            False),
        "taint_evictions": KnownFigure(_PODS, _P("summary", "Evictions by taints"), more_is_better=False),
        "pods_replaced": KnownFigure(_PODS, _P("summary", "Pods replaced"), _P("summary", "By rollouts.")),
        "oom_kills": KnownFigure(
            _PODS, _P("summary", "OOM kills"), _P("summary", "Containers that went beyond their memory limit."), False),
        "container_restarts": KnownFigure(
            _PODS, _P("summary", "Container restarts"), _P("summary", "In pods that stayed on their node."), False),
        "drains_failed": KnownFigure(_PODS, _P("summary", "Drains failed"), more_is_better=False),
        **{
            f"scale_up_to_{what}_{which}": KnownFigure(_REACTION, title, _REACTION_HELP, False, which)
            for what, title in (
                ("node_requested", _P("summary", "Until the node was requested")),
                ("node_ready", _P("summary", "Until the node was ready")),
                ("pod_running", _P("summary", "Until the pod ran")),
            )
            for which in ("p50", "p95", "p99", "max")
        },
        **{
            f"scale_up_{what}_{which}": KnownFigure(_REACTION, title, more_is_better=False, detail=which)
            for what, title in (
                ("request_to_ready", _P("summary", "From request to ready node")),
                ("ready_to_running", _P("summary", "From ready node to running pod")),
            )
            for which in ("p50", "p95", "p99")
        },
        "rescales": KnownFigure(
            _SCALING, _P("summary", "Rescales"), _P("summary", "Changes of replicas by horizontal pod autoscalers."),
            False),
        "flapping_index": KnownFigure(
            _SCALING, _P("summary", "Flapping index"),
            _P("summary", "Changes of direction per hour: a rescale down after one up, or up after down."), False),
        "scale_ups": KnownFigure(_SCALING, _P("summary", "Scale-ups of pools")),
        "nodes_added": KnownFigure(_SCALING, _P("summary", "Nodes added")),
        "scale_downs": KnownFigure(_SCALING, _P("summary", "Scale-downs of pools")),
        "nodes_removed": KnownFigure(_SCALING, _P("summary", "Nodes removed")),
        "nodes_peak": KnownFigure(_CAPACITY, _P("summary", "Ready nodes, most"), more_is_better=False),
        **{
            f"{what}_{which}": KnownFigure(_CAPACITY, title, detail=tail)
            for what, title in (
                ("cpu_allocatable", _P("summary", "CPU allocatable")),
                ("cpu_requested", _P("summary", "CPU requested")),
                ("cpu_used", _P("summary", "CPU used")),
                ("memory_allocatable", _P("summary", "Memory allocatable")),
                ("memory_requested", _P("summary", "Memory requested")),
                ("memory_used", _P("summary", "Memory used")),
            )
            for which, tail in (("peak", _P("summary", "peak")), ("mean", _P("summary", "mean")))
        },
        "node_hours": KnownFigure(_CAPACITY, _P("summary", "Node hours"), more_is_better=False),
        "room_worst_at": KnownFigure(
            _ROOM, _P("summary", "The worst moment"),
            _P("summary", "When the smallest share of CPU or memory was free of requests.")),
        "room_for_pods": KnownFigure(
            _ROOM, _P("summary", "More pods that would have fitted"),
            _P("summary", "At the worst moment, each workload on its own."), True),
        "cost": KnownFigure(
            _COST, _P("summary", "Cost"), _P("summary", "Of all nodes from request to removal, as billed."), False),
        "cost_per_1000_requests": KnownFigure(_COST, _P("summary", "Cost of 1,000 requests"), more_is_better=False),
        "cost_per_month": KnownFigure(
            _COST, _P("summary", "Cost of a month"), _P("summary", "730 hours like those of the run."), False),
        "budget_used": KnownFigure(
            _COST, _P("summary", "Share of the budget"),
            _P("summary", "The cost of a month as a share of the plan's budget."), False),
        "cost_idle": KnownFigure(
            _COST, _P("summary", "Cost that no request covers"),
            _P("summary", "The part of nodes that no pod asked for."), False),
        "cost_of_unused_reservations": KnownFigure(
            _COST, _P("summary", "Cost of unused reservations"), more_is_better=False),
        "reserve_cost_per_month": KnownFigure(
            _COST, _P("summary", "Cost of the reserve in a month"),
            _P("summary", "What its pause pods hold, at the price of their pool."), False),
    }
)  # fmt: skip


def title_of(known: KnownFigure) -> str:
    """In the reader's language."""
    title = translated(known.title)
    if not known.detail:
        return title
    return translated("{title}, {detail}").format(title=title, detail=translated(known.detail))


def known_figure(name: str) -> KnownFigure:
    """By the name without subject; others keep their name in plain words."""
    return KNOWN.get(name, KnownFigure(OTHER, name.replace("_", " ").capitalize()))
