"""All plots of the window, one `Plot(...)` each; drawn, offered in the chooser and exported from here at once.

A plot has one view or several that the reader switches between (CPU, memory, pods). A view lists its lines by
the metrics of `planner/metrics/catalogue.py`. Lines of node pools and workloads become one curve per subject.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from planner.metrics.catalogue import Scope
from planner.plan.model.plan import Plan
from ui.plots.targets import Limit, Ramp, budget_limits, budget_ramps, no_limits, no_ramps, slo_limits
from ui.wording.numbers import Unit
from ui.wording.translations import marked


class Stroke(Enum):
    """How a line looks; it shows the metric, as colour shows the subject."""

    SOLID = auto()
    DASHED = auto()
    DOTTED = auto()
    FAINT = auto()
    AREA = auto()
    """Filled down to zero."""
    STACK = auto()
    """Filled, each subject on top of the one before."""


class Ink(Enum):
    """Where the colour comes from."""

    SUBJECT = auto()
    """The colour that the workload or pool has everywhere."""
    TEXT = auto()
    MUTED = auto()
    ACCENT = auto()
    BAD = auto()
    PENDING = auto()


class Together(Enum):
    """What one curve for several subjects shows."""

    SUM = auto()
    WORST = auto()
    """The greatest: percentiles cannot be added."""


@dataclass(frozen=True)
class Line:
    """One metric in a view. `column` is the metric's name in files, without subject."""

    column: str
    scope: Scope
    label: str
    stroke: Stroke = Stroke.SOLID
    tone: Ink = Ink.SUBJECT
    together: Together = Together.SUM
    always_together: bool = False
    """One curve for all subjects, whatever the reader chose."""
    hidden: bool = False
    """Drawn only when the reader ticks it."""
    alone: bool = False
    """Left out as well while several subjects are drawn apart: too many lines."""
    accumulates: bool = False
    """What a rate per hour has come to since the start of the run, rather than the rate."""


@dataclass(frozen=True)
class View:
    """One way to look at a plot."""

    label: str
    unit: Unit
    lines: tuple[Line, ...]
    limits: Callable[[Plan], Iterator[Limit]] = no_limits
    logarithmic: bool = False
    ramps: Callable[[Plan], Iterator[Ramp]] = no_ramps
    projects: bool = False
    """While a run goes, the last line is drawn on to the end of the run."""


@dataclass(frozen=True)
class Plot:
    """A row of the panel. `shown`: from the start, or only when chosen."""

    name: str
    title: str
    views: tuple[View, ...]
    shown: bool = False
    help: str = ""


_C, _G, _GPU, _W, _T = Scope.CLUSTER, Scope.GROUP, Scope.GPU_GROUP, Scope.WORKLOAD, Scope.TRAFFIC
_Q = Scope.QUEUE


def _recommended(unit: Unit, label: str, amount: str) -> View:
    """What a vertical pod autoscaler recommends, over the use."""

    def line(row: str, name: str, stroke: Stroke, hidden: bool = False) -> Line:
        return Line(f"vpa_{row}_{amount}", Scope.SIZED, name, stroke, together=Together.WORST, hidden=hidden)

    return View(label, unit, (
        line("used", marked("plots", "used per pod"), Stroke.FAINT),
        line("lower", marked("plots", "lower bound"), Stroke.DOTTED),
        line("target", marked("plots", "target"), Stroke.SOLID),
        line("upper", marked("plots", "upper bound"), Stroke.DASHED, hidden=True),
    ))  # fmt: skip


def _capacity(label: str, unit: Unit, allocatable: Line, *lines: Line) -> View:
    """Areas by pool with the lines of what is requested and used."""
    return View(label, unit, (allocatable, *lines))


def _area(column: str, scope: Scope = _G) -> Line:
    return Line(column, scope, marked("plots", "allocatable"), Stroke.STACK)


def _requested(column: str, scope: Scope, label: str = marked("plots", "requested")) -> Line:
    return Line(column, scope, label, Stroke.SOLID, Ink.TEXT, always_together=True)


_LATENCY = (
    Line("latency_p50_ms", _T, marked("plots", "p50"), Stroke.FAINT, together=Together.WORST, alone=True),
    Line("latency_p95_ms", _T, marked("plots", "p95"), together=Together.WORST),
    Line("latency_p99_ms", _T, marked("plots", "p99"), Stroke.DOTTED, together=Together.WORST, alone=True),
    Line("latency_p90_ms", _T, marked("plots", "p90"), Stroke.DASHED, together=Together.WORST, hidden=True),
    Line("latency_mean_ms", _T, marked("plots", "mean"), Stroke.FAINT, together=Together.WORST, hidden=True),
    Line("latency_end_to_end_p95_ms", _T, marked("plots", "p95 with calls"), together=Together.WORST, hidden=True),
    Line(
        "latency_end_to_end_p99_ms",
        _T,
        marked("plots", "p99 with calls"),
        Stroke.DOTTED,
        together=Together.WORST,
        hidden=True,
    ),
)

_LOST = Line("lost_rps", _T, marked("plots", "lost"), Stroke.AREA, Ink.BAD, always_together=True)

_POOL_COST = Line("group_cost_rate_currency_per_h", _G, marked("plots", "cost"), Stroke.STACK)
_COST = Line("cost_rate_currency_per_h", _C, marked("plots", "total"), Stroke.SOLID, Ink.TEXT)

PLOTS: tuple[Plot, ...] = (
    Plot("load", marked("plots", "Load"), (
        View(marked("plots", "All"), Unit.RATE, (
            Line("offered_rps", _T, marked("plots", "offered"), Stroke.DASHED),
            Line("served_rps", _T, marked("plots", "served")),
            _LOST,
            Line("rejected_rps", _T, marked("plots", "rejected"), Stroke.DOTTED, hidden=True),
            Line("timed_out_rps", _T, marked("plots", "timed out"), Stroke.FAINT, hidden=True),
            Line("retried_rps", _T, marked("plots", "retried"), Stroke.DOTTED, Ink.MUTED, hidden=True),
        )),
        View(marked("plots", "Shed"), Unit.RATE, (
            Line("rejected_rps", _T, marked("plots", "rejected")),
            Line("timed_out_rps", _T, marked("plots", "timed out"), Stroke.DASHED),
            Line("retried_rps", _T, marked("plots", "retried"), Stroke.DOTTED),
            _LOST,
        )),
        View(marked("plots", "Queues"), Unit.COUNT, (
            Line("queue_length_count", _Q, marked("plots", "waiting messages")),
        )),
        View(marked("plots", "Oldest message"), Unit.MILLISECONDS, (
            Line("queue_age_ms", _Q, marked("plots", "age"), together=Together.WORST),
        )),
    ), shown=True, help=marked(
        "plots", "Requests that arrive, are served, and are shed: rejected because a queue is full, or timed out. "
        "Those that are not retried are lost. Of queues the messages that wait, and the age of the oldest."
    )),
    Plot("capacity", marked("plots", "Capacity by pool"), (
        _capacity(marked("plots", "CPU"), Unit.CORES, _area("group_cpu_allocatable_cores"),
                  Line("cpu_allocatable_cores", _C, marked("plots", "allocatable"), Stroke.FAINT, Ink.MUTED),
                  _requested("cpu_requested_cores", _C),
                  Line("cpu_used_cores", _C, marked("plots", "used"), Stroke.DOTTED, Ink.TEXT)),
        _capacity(marked("plots", "Memory"), Unit.BYTES, _area("group_memory_allocatable_bytes"),
                  Line("memory_allocatable_bytes", _C, marked("plots", "allocatable"), Stroke.FAINT, Ink.MUTED),
                  _requested("memory_requested_bytes", _C),
                  Line("memory_used_bytes", _C, marked("plots", "used"), Stroke.DOTTED, Ink.TEXT)),
        _capacity(marked("plots", "Pods"), Unit.COUNT, _area("group_pods_allocatable_count"),
                  _requested("group_pods_bound_count", _G, marked("plots", "on nodes")),
                  Line("pods_running_count", _C, marked("plots", "running"), Stroke.DOTTED, Ink.TEXT)),
        _capacity(marked("plots", "GPU"), Unit.COUNT, _area("group_gpus_allocatable_count", _GPU),
                  _requested("group_gpus_requested_count", _GPU)),
    ), shown=True, help=marked("plots", "What ready nodes can allocate, what pods request, and what they use.")),
    Plot("replicas", marked("plots", "Replicas and pending pods"), (View("", Unit.COUNT, (
        Line("replicas_desired_count", _W, marked("plots", "desired"), Stroke.DASHED),
        Line("replicas_ready_count", _W, marked("plots", "ready")),
        Line("replicas_active_count", _W, marked("plots", "pods"), Stroke.FAINT, hidden=True),
        Line("replicas_pending_count", _W, marked("plots", "not ready"), Stroke.DOTTED, hidden=True),
        Line("pods_pending_count", _C, marked("plots", "pending"), Stroke.AREA, Ink.PENDING),
    )),), shown=True, help=marked("plots", "Replicas the HPA wants, ready replicas, and pods waiting for a node.")),
    Plot("latency", marked("plots", "Latency"), (
        View(marked("plots", "Linear"), Unit.MILLISECONDS, _LATENCY, slo_limits),
        View(marked("plots", "Log"), Unit.MILLISECONDS, _LATENCY, slo_limits, logarithmic=True),
    ), shown=True, help=marked("plots", "Time from request to response. The dashed line is the SLO target.")),
    Plot("nodes", marked("plots", "Nodes by pool"), (View("", Unit.COUNT, (
        Line("group_nodes_ready_count", _G, marked("plots", "ready"), Stroke.STACK),
        Line("group_nodes_target_count", _G, marked("plots", "target"), Stroke.DASHED, Ink.TEXT, always_together=True),
        Line("nodes_ready_count", _C, marked("plots", "ready"), Stroke.SOLID, Ink.TEXT),
        Line("nodes_booting_count", _C, marked("plots", "booting"), Stroke.AREA, Ink.PENDING),
    )),), help=marked("plots", "Ready nodes by pool, and the target size set by the Cluster Autoscaler.")),
    Plot("cost", marked("plots", "Cost"), (
        View(marked("plots", "Per hour"), Unit.MONEY, (_POOL_COST, _COST), budget_limits),
        View(marked("plots", "So far"), Unit.AMOUNT, (
            replace(_POOL_COST, accumulates=True), replace(_COST, accumulates=True),
        ), ramps=budget_ramps, projects=True),
    ), help=marked(
        "plots", "List price of all billed nodes, including while they boot: per hour, and accumulated "
                 "with a projection to the end. The dashed line is the budget."
    )),
    Plot("pool-use", marked("plots", "Requested and used by pool"), (
        View(marked("plots", "CPU"), Unit.CORES, (
            Line("group_cpu_requested_cores", _G, marked("plots", "requested")),
            Line("group_cpu_used_cores", _G, marked("plots", "used"), Stroke.DOTTED),
        )),
        View(marked("plots", "Memory"), Unit.BYTES, (
            Line("group_memory_requested_bytes", _G, marked("plots", "requested")),
            Line("group_memory_used_bytes", _G, marked("plots", "used"), Stroke.DOTTED),
        )),
    ), help=marked("plots", "CPU and memory that pods request and use on the nodes of each pool.")),
    Plot("use-by-workload", marked("plots", "Use by workload"), (
        View(marked("plots", "CPU"), Unit.CORES, (
            Line("cpu_used_cores", _W, marked("plots", "used"), Stroke.STACK),)),
        View(marked("plots", "Memory"), Unit.BYTES, (
            Line("memory_used_bytes", _W, marked("plots", "used"), Stroke.STACK),)),
    ), help=marked("plots", "CPU and memory that the pods of each workload use.")),
    Plot("recommendations", marked("plots", "Recommended requests"), (
        _recommended(Unit.CORES, marked("plots", "CPU"), "cpu_cores"),
        _recommended(Unit.BYTES, marked("plots", "Memory"), "memory_bytes"),
    ), help=marked("plots", "Target and bounds that Vertical Pod Autoscalers recommend for a container, and its mean "
                            "use. The upper bound is very high as long as little is known.")),
    Plot("pods", marked("plots", "Pods in the cluster"), (
        View(marked("plots", "Together"), Unit.COUNT, (
            Line("pods_running_count", _C, marked("plots", "running"), Stroke.SOLID, Ink.ACCENT),
            Line("pods_pending_count", _C, marked("plots", "pending"), Stroke.AREA, Ink.PENDING),
            Line("pods_unschedulable_count", _C, marked("plots", "unschedulable"), Stroke.DOTTED, Ink.BAD),
            Line("pods_starting_count", _C, marked("plots", "starting"), Stroke.DASHED, Ink.ACCENT),
            Line("pods_not_ready_count", _C, marked("plots", "not ready"), Stroke.DOTTED, Ink.TEXT),
            Line("pods_terminating_count", _C, marked("plots", "terminating"), Stroke.FAINT, Ink.MUTED),
            Line("pods_count", _C, marked("plots", "pods"), Stroke.FAINT, Ink.TEXT, hidden=True),
        )),
        View(marked("plots", "By workload"), Unit.COUNT, (
            Line("pods_running_count", _W, marked("plots", "running")),
            Line("pods_pending_count", _W, marked("plots", "pending"), Stroke.DOTTED),
            Line("pods_starting_count", _W, marked("plots", "starting"), Stroke.DASHED),
            Line("pods_not_ready_count", _W, marked("plots", "not ready"), Stroke.FAINT, hidden=True),
            Line("pods_terminating_count", _W, marked("plots", "terminating"), Stroke.FAINT, hidden=True),
        )),
    ), help=marked("plots", "All pods are pending, starting on a node, running or terminating. Of the running ones "
                            "some may not be Ready; of the pending ones some were found unschedulable.")),
    Plot("queues", marked("plots", "Requests in flight"), (View("", Unit.COUNT, (
        Line("in_flight_count", _T, marked("plots", "in flight")),
    )),), help=marked("plots", "Requests that are queued or being served.")),
    Plot("errors", marked("plots", "Share of requests lost"), (View("", Unit.RATIO, (
        Line("requests_lost_ratio", _T, marked("plots", "lost"), together=Together.WORST),
    )),), help=marked("plots", "Share of arriving requests that are rejected or time out.")),
    Plot("throttling", marked("plots", "CPU throttling"), (View("", Unit.RATIO, (
        Line("cpu_throttled_ratio", _T, marked("plots", "throttled"), together=Together.WORST),
    )),), help=marked("plots", "Share of time in which pods are throttled at their CPU limit.")),
    Plot("limits", marked("plots", "Bottleneck"), (
        View(marked("plots", "Load"), Unit.RATIO, (
            Line("capacity_busy_ratio", _T, marked("plots", "of capacity"), together=Together.WORST),)),
        View(marked("plots", "What limits"), Unit.COUNT, (
            Line("limited_by_code", _T, marked("plots", "limit"), together=Together.WORST),)),
    ), help=marked("plots", "Share of what the ready pods can serve that arrives, and what limits each workload: 1 the "
                            "CPU limit of its pods, 2 the quota of 100 ms, 3 its workers, 4 its nodes, 5 a workload "
                            "that it calls, 6 the front door before it; 0 nothing.")),
    Plot("slo", marked("plots", "SLO missed"), (View("", Unit.RATIO, (
        Line("slo_missed_ratio", _T, marked("plots", "missed"), together=Together.WORST),
    )),), help=marked("plots", "100 % while a workload misses its latency or error target, 0 % while it "
                               "meets both.")),
    Plot("scheduling", marked("plots", "Scheduling queue"), (View("", Unit.COUNT, (
        Line("scheduler_active_count", _C, marked("plots", "active"), Stroke.SOLID, Ink.ACCENT),
        Line("scheduler_backoff_count", _C, marked("plots", "backoff"), Stroke.DASHED, Ink.PENDING),
        Line("scheduler_unschedulable_count", _C, marked("plots", "unschedulable"), Stroke.AREA, Ink.BAD),
        Line("scheduler_gated_count", _C, marked("plots", "gated"), Stroke.DOTTED, Ink.MUTED),
    )),), help=marked("plots", "Pods in the scheduling queue: active, in backoff, unschedulable, or gated.")),
)  # fmt: skip
