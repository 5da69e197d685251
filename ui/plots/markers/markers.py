"""Which decisions are worth a mark over time, and how marks that would touch become one. Rules without a screen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import JobsMade, ReplicaDetails
from planner.record.details.requests import ResizeApplied
from planner.units import US_PER_S
from ui.plots.curves.envelope import Growing
from ui.wording.translations import marked, translated

MERGE_PIXELS = 16.0
"""About the width of a mark with a number in it."""
CELL_PIXELS = 48.0
"""A longer row of marks that touch is cut into pieces of this width: their numbers show when it was busiest."""
_INSIDE_PIXELS = 5.0


class Kind(Enum):
    """A lane of marks; the value is its name."""

    EVENT = marked("plots", "Events")
    """What people and the world do: events of the plan, rollouts and Jobs that end."""
    RESCALE = marked("plots", "HPA")
    PREEMPTION = marked("plots", "Preempted")
    EVICTION = marked("plots", "Evicted")
    RESIZE = marked("plots", "Resized in place")
    KILL = marked("plots", "OOM kills")
    NODE = marked("plots", "Nodes")
    """Conditions, taints and drains of nodes; states of zones."""
    SCALE_UP = marked("plots", "Scale-up")
    SCALE_DOWN = marked("plots", "Scale-down")
    FAULT = marked("plots", "Failed")

    @property
    def title(self) -> str:
        return translated(self.value)


_KINDS = MappingProxyType(
    {
        (Actor.PLAN_EVENT, Verdict.HAPPENED): Kind.EVENT,
        (Actor.PLAN_EVENT, Verdict.ENDED): Kind.EVENT,
        (Actor.CONTROLLER, Verdict.ENDED): Kind.EVENT,
        (Actor.HPA, Verdict.SCALED): Kind.RESCALE,
        (Actor.PROPORTIONAL, Verdict.SCALED): Kind.RESCALE,
        (Actor.KUBELET, Verdict.OOM_KILLED): Kind.KILL,
        (Actor.KUBELET, Verdict.RESIZED): Kind.RESIZE,
        (Actor.KUBELET, Verdict.DEFERRED): Kind.RESIZE,
        (Actor.KUBELET, Verdict.INFEASIBLE): Kind.FAULT,
        (Actor.KUBELET, Verdict.PRESSURE): Kind.NODE,
        (Actor.KUBELET, Verdict.PRESSURE_OVER): Kind.NODE,
        (Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE): Kind.NODE,
        (Actor.NODE_LIFECYCLE, Verdict.TAINTED): Kind.NODE,
        (Actor.NODE_LIFECYCLE, Verdict.NODE_READY): Kind.NODE,
        (Actor.NODE_LIFECYCLE, Verdict.ZONE_STATE): Kind.NODE,
        (Actor.DRAIN, Verdict.DRAINING): Kind.NODE,
        (Actor.DRAIN, Verdict.DRAINED): Kind.NODE,
        (Actor.DRAIN, Verdict.ENDED): Kind.EVENT,
        (Actor.DRAIN, Verdict.FAILED): Kind.FAULT,
        (Actor.KUBELET, Verdict.REFUSED): Kind.FAULT,
        (Actor.CONTROLLER, Verdict.FAILED): Kind.FAULT,
        (Actor.SCHEDULER, Verdict.PREEMPTED): Kind.PREEMPTION,
        (Actor.SCHEDULER, Verdict.FAILED): Kind.FAULT,
        (Actor.SCALE_UP, Verdict.TRIGGERED): Kind.SCALE_UP,
        (Actor.SCALE_UP, Verdict.FAILED): Kind.FAULT,
        (Actor.SCALE_DOWN, Verdict.REMOVING): Kind.SCALE_DOWN,
        (Actor.KARPENTER, Verdict.LAUNCHED): Kind.SCALE_UP,
        (Actor.KARPENTER, Verdict.FAILED): Kind.FAULT,
        (Actor.KARPENTER, Verdict.REMOVING): Kind.SCALE_DOWN,
        (Actor.SCALE_DOWN, Verdict.FAILED): Kind.FAULT,
    }
    | {(actor, Verdict.EVICTED): Kind.EVICTION for actor in Actor}
)


def kind_of(decision: Decision) -> Kind | None:
    """The lane of a decision; None for the everyday ones (a pod bound, a size kept)."""
    return _KINDS.get((decision.actor, decision.verdict))


def direction_of(decision: Decision) -> int:
    """1 if something grows by the decision, -1 if it shrinks or ends, 0 if that is not known."""
    kind = kind_of(decision)
    if kind is Kind.RESCALE:
        size = decision.details
        if not isinstance(size, ReplicaDetails) or isinstance(size, JobsMade):
            return 0
        return int(size.desired > size.current) - int(size.desired < size.current)
    if kind is Kind.RESIZE:
        return _resize_direction(decision)
    if kind is Kind.NODE:
        return _NODE_DIRECTIONS.get(decision.verdict, 0)
    return {Kind.SCALE_UP: 1, Kind.FAULT: 0, Kind.EVENT: 0, None: 0}.get(kind, -1)


def _resize_direction(decision: Decision) -> int:
    """Up if some request rises; 0 while the resize waits."""
    if not isinstance(decision.details, ResizeApplied):
        return 0
    return 1 if any(one.after > (one.before or 0) for one in decision.details.changes) else -1


_NODE_DIRECTIONS = MappingProxyType(
    {
        Verdict.NODE_READY: 1,
        Verdict.PRESSURE_OVER: 1,
        Verdict.UNREACHABLE: -1,
        Verdict.TAINTED: -1,
        Verdict.PRESSURE: -1,
        Verdict.DRAINING: -1,
    }
)


@dataclass(frozen=True)
class DecisionMark:
    """One or more decisions of a lane that are drawn as one. Pixels count from the left end of the time."""

    kind: Kind
    left: float
    right: float
    decisions: tuple[Decision, ...]

    @property
    def first(self) -> Decision:
        return self.decisions[0]


@dataclass
class _Lane:
    times_s: Growing = field(default_factory=Growing)
    rows: list[int] = field(default_factory=list)
    """Rows of the decisions in the run's list."""


class MarkLog:
    """The marks of a run, brought up to date as decisions arrive."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self._decisions = decisions
        self._seen = 0
        self._lanes: dict[Kind, _Lane] = {}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Lanes that have marks, in the order of `Kind`."""
        return tuple(kind for kind in Kind if kind in self._lanes)

    def catch_up(self) -> bool:
        """Look at new decisions; whether one of them is worth a mark."""
        found: dict[Kind, list[int]] = {}
        new = self._decisions[self._seen :]  # tens of thousands at once, as a run of many pods begins
        kind_of = _KINDS.get
        for row, kind in enumerate([kind_of((one.actor, one.verdict)) for one in new], self._seen):
            if kind is not None:
                found.setdefault(kind, []).append(row)
        self._seen = len(self._decisions)
        for kind, rows in found.items():
            lane = self._lanes.setdefault(kind, _Lane())
            lane.times_s.extend(np.array([self._decisions[row].time_us / US_PER_S for row in rows]))
            lane.rows.extend(rows)
        return bool(found)

    def marks(self, kind: Kind, start_s: float, end_s: float, pixels: float) -> list[DecisionMark]:
        """The marks of a lane between two times, merged where they would touch."""
        lane = self._lanes.get(kind)
        if lane is None or not end_s > start_s:
            return []
        times_s = lane.times_s.view
        first, last = np.searchsorted(times_s, start_s), np.searchsorted(times_s, end_s, side="right")
        x = (times_s[first:last] - start_s) * (pixels / (end_s - start_s))
        return [
            DecisionMark(kind, left, right, self._at(lane, int(first) + begin, int(first) + end))
            for run_begin, run_end in merged(x)
            for begin, end, left, right in cells(x, run_begin, run_end)
        ]

    def _at(self, lane: _Lane, begin: int, end: int) -> tuple[Decision, ...]:
        return tuple(self._decisions[row] for row in lane.rows[begin:end])


def merged(x: NDArray[np.float64], distance: float = MERGE_PIXELS) -> list[tuple[int, int]]:
    """Begin and end (exclusive) of the runs of positions that are nearer to each other than `distance`."""
    if not len(x):
        return []
    cuts = np.flatnonzero(np.diff(x) >= distance) + 1
    borders = [0, *cuts.tolist(), len(x)]
    return list(zip(borders[:-1], borders[1:], strict=True))


def cells(x: NDArray[np.float64], begin: int, end: int) -> list[tuple[int, int, float, float]]:
    """A row of marks in pieces that do not move as it grows: begin, end (exclusive), left and right of each."""
    if x[end - 1] - x[begin] <= CELL_PIXELS:
        return [(begin, end, float(x[begin]), float(x[end - 1]))]
    cell = np.floor_divide(x[begin:end], CELL_PIXELS)
    # What hangs over into a cell by less than a mark's width goes with its neighbour.
    cell[x[begin:end] < (cell[0] + 1) * CELL_PIXELS] += int((cell[0] + 1) * CELL_PIXELS - x[begin] < MERGE_PIXELS)
    cell[cell == cell[-1]] -= int(x[end - 1] - cell[-1] * CELL_PIXELS < MERGE_PIXELS)
    cuts = begin + np.flatnonzero(np.diff(cell)) + 1
    borders = [begin, *cuts.tolist(), end]
    pieces = []
    for first, last in zip(borders[:-1], borders[1:], strict=True):
        left = float(x[first]) if first == begin else cell[first - begin] * CELL_PIXELS + _INSIDE_PIXELS
        right = float(x[last - 1]) if last == end else (cell[first - begin] + 1) * CELL_PIXELS - _INSIDE_PIXELS
        pieces.append((first, last, float(left), float(max(right, left))))
    return pieces
