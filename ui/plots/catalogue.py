"""All plots of the window, one `Plot(...)` each; drawn, offered in the chooser and exported from here at once.

A plot has one view or several that the reader switches between (CPU, memory, pods). A view lists its lines by
the metrics of `planner/metrics/catalogue.py`. Lines of node pools and workloads become one curve per subject.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP

from planner.metrics.catalogue import Scope
from planner.plan.plan import Plan
from planner.units import US_PER_MS
from ui.plots.numbers import Unit


class Stroke(Enum):
    """How a line looks; it tells the metric, as colour tells the subject."""

    SOLID = auto()
    DASHED = auto()
    DOTTED = auto()
    FAINT = auto()
    AREA = auto()
    """Filled down to zero."""
    STACK = auto()
    """Filled, each subject on top of the one before."""


class Tone(Enum):
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
    tone: Tone = Tone.SUBJECT
    together: Together = Together.SUM
    always_together: bool = False
    """One curve for all subjects, whatever the reader chose."""
    hidden: bool = False
    """Drawn only when the reader ticks it."""
    alone: bool = False
    """Left out as well while several subjects are drawn apart: too many lines."""


class Limit(NamedTuple):
    """A value that a curve should stay under; None as subject means the cluster."""

    subject: str | None
    percentile: int
    value: float


def no_limits(_: Plan) -> Iterator[Limit]:
    """For views that have none."""
    return iter(())


def slo_limits(plan: Plan) -> Iterator[Limit]:
    """Latency targets of the workloads, in ms."""
    for workload in plan.workloads:
        if workload.slo is not None and workload.traffic is not None:
            yield Limit(workload.name, workload.slo.percentile, workload.slo.target / US_PER_MS)


@dataclass(frozen=True)
class View:
    """One way to look at a plot."""

    label: str
    unit: Unit
    lines: tuple[Line, ...]
    limits: Callable[[Plan], Iterator[Limit]] = no_limits
    logarithmic: bool = False


@dataclass(frozen=True)
class Plot:
    """A row of the panel. `shown`: from the start, or only when chosen."""

    name: str
    title: str
    views: tuple[View, ...]
    shown: bool = False
    help: str = ""


_ = QT_TRANSLATE_NOOP
_C, _G, _GPU, _W, _T = Scope.CLUSTER, Scope.GROUP, Scope.GPU_GROUP, Scope.WORKLOAD, Scope.TRAFFIC


def _capacity(label: str, unit: Unit, allocatable: Line, *lines: Line) -> View:
    """Areas by pool with the lines of what is asked for and used."""
    return View(label, unit, (allocatable, *lines))


def _area(column: str, scope: Scope = _G) -> Line:
    return Line(column, scope, _("plots", "allocatable"), Stroke.STACK)


def _requested(column: str, scope: Scope, label: str = _("plots", "requested")) -> Line:
    return Line(column, scope, label, Stroke.SOLID, Tone.TEXT, always_together=True)


_LATENCY = (
    Line("latency_p50_ms", _T, _("plots", "p50"), Stroke.FAINT, together=Together.WORST, alone=True),
    Line("latency_p95_ms", _T, _("plots", "p95"), together=Together.WORST),
    Line("latency_p99_ms", _T, _("plots", "p99"), Stroke.DOTTED, together=Together.WORST, alone=True),
)

PLOTS: tuple[Plot, ...] = (
    Plot("load", _("plots", "Load"), (View("", Unit.RATE, (
        Line("offered_rps", _T, _("plots", "offered"), Stroke.DASHED),
        Line("served_rps", _T, _("plots", "served")),
        Line("lost_rps", _T, _("plots", "lost"), Stroke.AREA, Tone.BAD, always_together=True),
    )),), shown=True, help=_("plots", "Requests that arrive, that are served, and that are rejected or time out.")),
    Plot("capacity", _("plots", "Capacity by pool"), (
        _capacity(_("plots", "CPU"), Unit.CORES, _area("group_cpu_allocatable_cores"),
                  Line("cpu_allocatable_cores", _C, _("plots", "allocatable"), Stroke.FAINT, Tone.MUTED),
                  _requested("cpu_requested_cores", _C),
                  Line("cpu_used_cores", _C, _("plots", "used"), Stroke.DOTTED, Tone.TEXT)),
        _capacity(_("plots", "Memory"), Unit.BYTES, _area("group_memory_allocatable_bytes"),
                  Line("memory_allocatable_bytes", _C, _("plots", "allocatable"), Stroke.FAINT, Tone.MUTED),
                  _requested("memory_requested_bytes", _C)),
        _capacity(_("plots", "Pods"), Unit.COUNT, _area("group_pods_allocatable_count"),
                  _requested("group_pods_bound_count", _G, _("plots", "on nodes")),
                  Line("pods_running_count", _C, _("plots", "running"), Stroke.DOTTED, Tone.TEXT)),
        _capacity(_("plots", "GPU"), Unit.COUNT, _area("group_gpus_allocatable_count", _GPU),
                  _requested("group_gpus_requested_count", _GPU)),
    ), shown=True, help=_("plots", "What ready nodes offer to pods, what pods request of it, and what they use.")),
    Plot("replicas", _("plots", "Replicas and pending pods"), (View("", Unit.COUNT, (
        Line("replicas_desired_count", _W, _("plots", "desired"), Stroke.DASHED),
        Line("replicas_ready_count", _W, _("plots", "ready")),
        Line("replicas_active_count", _W, _("plots", "pods"), Stroke.FAINT, hidden=True),
        Line("replicas_pending_count", _W, _("plots", "not ready"), Stroke.DOTTED, hidden=True),
        Line("pods_pending_count", _C, _("plots", "pending"), Stroke.AREA, Tone.PENDING),
    )),), shown=True, help=_("plots", "What the autoscaler asks for, what is ready, and pods that wait for a node.")),
    Plot("latency", _("plots", "Latency"), (
        View(_("plots", "Linear"), Unit.MILLISECONDS, _LATENCY, slo_limits),
        View(_("plots", "Log"), Unit.MILLISECONDS, _LATENCY, slo_limits, logarithmic=True),
    ), shown=True, help=_("plots", "Time from request to answer. The broken line is the target of the SLO.")),
    Plot("nodes", _("plots", "Nodes by pool"), (View("", Unit.COUNT, (
        Line("group_nodes_ready_count", _G, _("plots", "ready"), Stroke.STACK),
        Line("group_nodes_target_count", _G, _("plots", "target"), Stroke.DASHED, Tone.TEXT, always_together=True),
        Line("nodes_ready_count", _C, _("plots", "ready"), Stroke.SOLID, Tone.TEXT),
        Line("nodes_booting_count", _C, _("plots", "booting"), Stroke.AREA, Tone.PENDING),
    )),), help=_("plots", "Ready nodes by pool, and the size that the Cluster Autoscaler asked the cloud for.")),
    Plot("cost", _("plots", "Cost per hour"), (View("", Unit.MONEY, (
        Line("group_cost_rate_currency_per_h", _G, _("plots", "cost"), Stroke.STACK),
        Line("cost_rate_currency_per_h", _C, _("plots", "total"), Stroke.SOLID, Tone.TEXT),
    )),), help=_("plots", "List price of all nodes that are billed, also while they boot.")),
    Plot("pool-use", _("plots", "Requested and used by pool"), (
        View(_("plots", "Requested"), Unit.CORES, (
            Line("group_cpu_requested_cores", _G, _("plots", "requested")),)),
        View(_("plots", "Used"), Unit.CORES, (Line("group_cpu_used_cores", _G, _("plots", "used")),)),
        View(_("plots", "Memory"), Unit.BYTES, (
            Line("group_memory_requested_bytes", _G, _("plots", "requested")),)),
    ), help=_("plots", "CPU that pods request and use on the nodes of each pool.")),
    Plot("cpu-by-workload", _("plots", "CPU by workload"), (View("", Unit.CORES, (
        Line("cpu_used_cores", _W, _("plots", "used"), Stroke.STACK),
    )),), help=_("plots", "CPU that the pods of each workload use.")),
    Plot("pods", _("plots", "Pods of the cluster"), (View("", Unit.COUNT, (
        Line("pods_running_count", _C, _("plots", "running"), Stroke.SOLID, Tone.ACCENT),
        Line("pods_pending_count", _C, _("plots", "pending"), Stroke.AREA, Tone.PENDING),
        Line("pods_unschedulable_count", _C, _("plots", "unschedulable"), Stroke.DOTTED, Tone.BAD),
    )),), help=_("plots", "Running pods, pods without a node, and those that the scheduler found no node for.")),
    Plot("queues", _("plots", "Requests in flight"), (View("", Unit.COUNT, (
        Line("in_flight_count", _T, _("plots", "in flight")),
    )),), help=_("plots", "Requests that are queued or being served.")),
    Plot("errors", _("plots", "Share of requests lost"), (View("", Unit.RATIO, (
        Line("requests_lost_ratio", _T, _("plots", "lost"), together=Together.WORST),
    )),), help=_("plots", "Requests that are rejected or time out, of all that arrive.")),
)  # fmt: skip
