"""Which curves a view has for a run: pure rules on names, without data or screen."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from planner.metrics.catalogue import Scope
from planner.plan.model.plan import Plan
from ui.plots.catalogue import Ink, Line, Plot, Stroke, Together, View
from ui.theme.thing_colors import POOL_COLORS, WORKLOAD_COLORS

MOST_APART = 6
"""More subjects than this are shown together unless the reader chooses otherwise."""
MOST_STACKED = 12
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class CurveChoice:
    """What the reader wants to see. None leaves it to the program."""

    workloads: frozenset[str] | None = None
    together: bool | None = None


@dataclass(frozen=True)
class Curve:
    """One curve: what it is called, the columns it is made of, and its look."""

    key: str
    line: Line
    subject: str
    """Workload or pool; empty for the cluster and for several together."""
    columns: tuple[str, ...]
    """Combined as `combine` says."""
    own: tuple[str, ...]
    """Columns of the value that is read out: in a stack its own part only."""
    color_index: int = -1
    """For `Theme.series_color`; -1 for none."""
    count: int = 1
    """How many subjects are combined in it."""

    @property
    def combine(self) -> Together:
        return self.line.together

    @property
    def stroke(self) -> Stroke:
        return self.line.stroke

    @property
    def tone(self) -> Ink:
        """Where the colour comes from, now that it is known who is shown."""
        if self.line.tone is Ink.SUBJECT and self.color_index < 0:
            return Ink.ACCENT
        return self.line.tone


_MARKS = (
    "group_nodes_target_count",
    "replicas_desired_count",
    "offered_rps",
    "queue_length_count",
    "vpa_target_cpu_cores",
)
"""Metrics that every pool, workload, workload with requests or with a queue, and vertical pod autoscaler has."""
_OF_WORKLOADS = (Scope.WORKLOAD, Scope.TRAFFIC, Scope.QUEUE, Scope.SIZED)


class Subjects:
    """Names of the pools and workloads of a run, in the order of its plan, read off its columns."""

    def __init__(self, names: Sequence[str], targets: Mapping[str, str] = NOTHING) -> None:
        """`targets`: workloads by the namespace and name of the vertical pod autoscaler that sizes them."""
        self._targets = targets
        self.names = frozenset(names)
        self.pools, self.workloads, self.serving, self.queues, self.sized = _subjects(names)
        self._pool_colors = POOL_COLORS.of(self.pools)
        self._workload_colors = WORKLOAD_COLORS.of(self.workloads)
        self._chosen: dict[tuple[Scope, frozenset[str] | None], tuple[str, ...]] = {}

    def of(self, scope: Scope) -> tuple[str, ...]:
        """All subjects of a scope."""
        if scope is Scope.TRAFFIC:
            return self.serving
        if scope is Scope.QUEUE:
            return self.queues
        if scope is Scope.SIZED:
            return self.sized
        if scope is Scope.WORKLOAD:
            return self.workloads
        return self.pools if scope in (Scope.GROUP, Scope.GPU_GROUP) else ()

    def color_index(self, scope: Scope, subject: str) -> int:
        """The subject's own colour, the same in all plots; -1 if unknown."""
        is_workload = scope in _OF_WORKLOADS
        return (
            self.workload_color(self._workload(scope, subject)) if is_workload else self._pool_colors.get(subject, -1)
        )

    def workload_color(self, name: str) -> int:
        """The workload's own colour; -1 if unknown."""
        return self._workload_colors.get(name, -1)

    def chosen(self, scope: Scope, choice: CurveChoice) -> tuple[str, ...]:
        """Subjects to show: all pools; of the workloads those chosen, else those that serve requests, else all."""
        if scope not in _OF_WORKLOADS:
            return self.of(scope)
        key = scope, choice.workloads
        if key not in self._chosen:
            wanted = choice.workloads if choice.workloads is not None else frozenset(self.serving or self.workloads)
            self._chosen[key] = tuple(one for one in self.of(scope) if self._workload(scope, one) in wanted)
        return self._chosen[key]

    def _workload(self, scope: Scope, subject: str) -> str:
        """The workload that a subject is, or belongs to."""
        return self._targets.get(subject.rpartition("/")[0], "") if scope is Scope.SIZED else subject


def sized_workloads(plan: Plan) -> Mapping[str, str]:
    """Workloads by the namespace and name of their vertical pod autoscaler."""
    return {f"{one.namespace}/{one.name}": one.target for one in plan.vertical_pod_autoscalers}


def shows_together(subjects: Subjects, choice: CurveChoice) -> bool:
    """Whether workloads share a curve."""
    if choice.together is not None:
        return choice.together
    return len(subjects.chosen(Scope.WORKLOAD, choice)) > MOST_APART


def curves_of(view: View, subjects: Subjects, choice: CurveChoice, shown: frozenset[str] | None = None) -> list[Curve]:
    """The curves of a view in drawing order. `shown`: columns that the reader ticked; None for the usual ones."""
    found: list[Curve] = []
    for line in view.lines:
        if not (line.column in shown if shown is not None else _is_usual(line, subjects, choice)):
            continue
        if line.stroke is Stroke.STACK:
            found.extend(_stack(line, subjects, choice))
        else:
            found.extend(_lines(line, subjects, choice))
    return found


def _is_usual(line: Line, subjects: Subjects, choice: CurveChoice) -> bool:
    """Whether a line is drawn unless the reader says otherwise."""
    is_crowded = len(subjects.chosen(line.scope, choice)) > 1 and not shows_together(subjects, choice)
    return not line.hidden and not (line.alone and is_crowded)


def offered_views(plot: Plot, subjects: Subjects) -> list[View]:
    """Views of a plot that this run has anything to show in."""
    everyone = CurveChoice(frozenset(subjects.workloads), together=False)

    def has_any(line: Line) -> bool:
        if line.scope is Scope.CLUSTER:
            return line.column in subjects.names
        return any(_column(line, name) in subjects.names for name in subjects.chosen(line.scope, everyone))

    found = [view for view in plot.views if any(_is_usual(x, subjects, everyone) and has_any(x) for x in view.lines)]
    return found or [plot.views[0]]


def _lines(line: Line, subjects: Subjects, choice: CurveChoice) -> list[Curve]:
    if line.scope is Scope.CLUSTER:
        names: tuple[str, ...] = (line.column,)
        return [Curve(line.column, line, "", names, names)] if line.column in subjects.names else []
    members = [name for name in subjects.chosen(line.scope, choice) if _column(line, name) in subjects.names]
    is_workload = line.scope in _OF_WORKLOADS
    if line.always_together or (is_workload and shows_together(subjects, choice)):
        if len(members) != 1 or line.always_together:
            names = tuple(_column(line, name) for name in members)
            return [Curve(line.column, line, "", names, names, count=len(members))] if members else []
    return [_of_subject(line, subjects, name) for name in members]


def _of_subject(line: Line, subjects: Subjects, name: str) -> Curve:
    column = _column(line, name)
    return Curve(column, line, name, (column,), (column,), subjects.color_index(line.scope, name))


def _stack(line: Line, subjects: Subjects, choice: CurveChoice) -> list[Curve]:
    """Curves from the top of the stack down, so that each lower one covers the part of it that is not its own."""
    members = [name for name in subjects.chosen(line.scope, choice) if _column(line, name) in subjects.names]
    columns = [_column(line, name) for name in members]
    curves = []
    for position, name in enumerate(members[:MOST_STACKED]):
        index = subjects.color_index(line.scope, name)
        below, own = tuple(columns[: position + 1]), (columns[position],)
        curves.append(Curve(columns[position], line, name, below, own, index))
    if len(members) > MOST_STACKED:
        rest = tuple(columns[MOST_STACKED:])
        curves.append(Curve(f"{line.column}*", line, "", tuple(columns), rest, count=len(rest)))
    return curves[::-1]


def _column(line: Line, subject: str) -> str:
    return f"{line.column}[{subject}]"


def _subjects(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Of each metric of `_MARKS` those that have it."""
    found: dict[str, list[str]] = {column: [] for column in _MARKS}
    for name in names:
        column, _, subject = name.partition("[")
        if column in found and subject:
            found[column].append(subject[:-1])
    return (tuple(subjects) for subjects in found.values())
