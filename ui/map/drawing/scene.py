"""Everything that the map shows of one moment, worked out once and used for painting, pointing and tables."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.record.moment import ClusterMoment, NodeState, Timeline
from ui.map.drawing.coloring import Colored, Coloring, Colors, colored, rgb
from ui.map.drawing.layout import MapLayout, layout_of
from ui.map.drawing.stacks import Stacks, stacks_of
from ui.map.moments.finding import found_nodes, found_pods
from ui.map.moments.measures import PodMeasures, Stacking, UseOfPods, lane_capacity
from ui.map.moments.slots import Slots, slots_of
from ui.runs.run_data import RunData
from ui.theme.theme import Theme

_DIMMED = 0.22
"""What is left of the colour of a pod that was not searched for."""


@dataclass(frozen=True)
class MapLook:
    """What the reader chose."""

    stacking: Stacking = Stacking.CPU_REQUEST
    coloring: Coloring = Coloring.WORKLOAD
    wanted: str = ""
    """What is searched for; empty for nothing."""
    zoom: int = 0


class Ground:
    """A run's nodes and pods with their places: the same for all its moments."""

    def __init__(self, run: RunData, timeline: Timeline) -> None:
        self.run, self.timeline = run, timeline
        self.slots: Slots = slots_of(timeline.history.nodes)
        self.use = UseOfPods(run, timeline.history.pods.workloads)
        self._layouts: dict[tuple[int, int, int, bool], MapLayout] = {}

    def layout(self, width: int, height: int, look: MapLook) -> MapLayout:
        """Where the boxes are in a view of this size."""
        key = width, height, look.zoom, look.stacking.is_memory
        if key not in self._layouts:
            lanes, history = self.slots.lanes, self.timeline.history
            capacity = lane_capacity(history, self.slots.lane, len(lanes), look.stacking.is_memory)
            self._layouts = {key: layout_of(self.slots, capacity, width, height, look.zoom)}
        return self._layouts[key]


@dataclass(frozen=True, eq=False)
class MapScene:
    """A moment as it is drawn."""

    ground: Ground
    moment: ClusterMoment
    layout: MapLayout
    look: MapLook
    theme: Theme

    @cached_property
    def numbers(self) -> PodMeasures:
        """What is stacked."""
        return PodMeasures(self.moment, self.look.stacking, self.ground.use)

    @cached_property
    def stacks(self) -> Stacks:
        """Where the pods are in their boxes."""
        return stacks_of(self.moment, self.numbers.size, self.numbers.capacity, self.layout.box_height)

    @cached_property
    def colored(self) -> Colored:
        """The colours of the pods, whatever is searched for."""
        return colored(self.moment, self.look.coloring, self.numbers, self.theme, self.ground.run.plan.costs.currency)

    @cached_property
    def colors(self) -> Colors:
        """The colours as they are drawn: what is not searched for is pale."""
        colors = self.colored.colors
        if not self.look.wanted:
            return colors
        is_found = self.found_pods | np.isin(self.moment.node_of_bound, self.found_nodes)
        return np.where(is_found, colors, _faded(colors, rgb(self.theme.raised)))

    @cached_property
    def found_pods(self) -> NDArray[np.bool_]:
        """Whether each pod of `ClusterMoment.bound` is searched for."""
        return found_pods(self.moment.history.pods, self.moment.bound, self.look.wanted)

    @cached_property
    def found_nodes(self) -> NDArray[np.intp]:
        """Rows of the nodes that are searched for by their own name, and there."""
        return found_nodes(self.moment, self.look.wanted)

    def box(self, node: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of a node's box on the whole map."""
        layout = self.layout
        return int(layout.x[node]), int(layout.y[node]), int(layout.width[node]), layout.box_height

    def node_at(self, x: int, y: int) -> int | None:
        """The node whose box is there."""
        layout, nodes = self.layout, self.moment.nodes
        across, down = x - layout.x[nodes], y - layout.y[nodes]
        hit = np.flatnonzero((across >= 0) & (across < layout.width[nodes]) & (down >= 0) & (down < layout.box_height))
        return int(nodes[hit[0]]) if len(hit) else None

    def pod_at(self, node: int, y: int) -> int | None:
        """The pod at a height in the box of a node."""
        return self.stacks.pod_at(node, int(self.layout.y[node]) + self.layout.box_height - 1 - y)

    def neighbour(self, node: int | None, across: int, down: int) -> int | None:
        """The next node in reading order (`across`), or the nearest one in the lines above or below (`down`)."""
        nodes, layout = self.moment.nodes, self.layout
        if not len(nodes):
            return None
        order = nodes[np.lexsort((layout.x[nodes], layout.y[nodes]))]
        place = np.flatnonzero(order == node) if node is not None else np.empty(0, np.intp)
        if node is None or not len(place):
            return int(order[0])
        if across:
            return int(order[min(max(int(place[0]) + across, 0), len(order) - 1)])
        lines = np.unique(layout.y[nodes])
        line = lines[min(max(int(np.searchsorted(lines, layout.y[node])) + down, 0), len(lines) - 1)]
        there = nodes[layout.y[nodes] == line]
        return int(there[np.argmin(np.abs(layout.x[there] - layout.x[node]))])

    @cached_property
    def _lane_sums(self) -> tuple[NDArray[Any], ...]:
        """Per lane: nodes, those that boot, capacity of the others, and of the pods what is requested and used."""
        moment, numbers, lane = self.moment, self.numbers, self.layout.slots.lane
        lanes, nodes = len(self.layout.lanes), self.moment.nodes
        is_booting = moment.node_state[nodes] == NodeState.BOOTING
        offers = np.where(is_booting, 0.0, numbers.capacity[nodes])
        of_pods = lane[moment.node_of_bound]
        return (
            np.bincount(lane[nodes], minlength=lanes),
            np.bincount(lane[nodes[is_booting]], minlength=lanes),
            np.bincount(lane[nodes], offers, lanes),
            np.bincount(of_pods, numbers.requested, lanes),
            np.bincount(of_pods, numbers.used, lanes),
        )

    def booting(self, lane: int) -> int:
        """Nodes of a lane that are not Ready yet."""
        return int(self._lane_sums[1][lane])

    def lane_facts(self, lane: int) -> tuple[int, float | None, float | None]:
        """Nodes of a lane, and the shares of them that are requested and used; None where they offer nothing."""
        count, _booting, offers, requested, used = (column[lane] for column in self._lane_sums)
        if offers <= 0:
            return int(count), None, None
        return int(count), float(requested / offers), float(used / offers)


def _faded(colors: Colors, ground: int) -> Colors:
    found = np.full(len(colors), 0xFF000000, np.uint32)
    for shift in (0, 8, 16):
        part = (colors >> shift) & 0xFF
        mixed = _DIMMED * part + (1.0 - _DIMMED) * (ground >> shift & 0xFF)
        found |= mixed.astype(np.uint32) << np.uint32(shift)
    return found
