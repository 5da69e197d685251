"""Where the boxes of the map are, in pixels of the whole map: lanes in columns, each in lines of boxes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ui.map.moments.slots import Slots

HEAD_PX, LANE_GAP_PX = 22, 10
_SIZES = (
    (64, 230), (52, 190), (42, 156), (36, 134), (30, 112), (26, 96), (22, 80), (18, 66), (15, 54), (12, 44), (10, 36),
    (8, 28), (6, 22), (5, 17), (4, 13),
)  # fmt: skip
"""Width and height of a box, the largest first."""
_LEAST_LANE_PX, _APART_PX = 400, 18
"""A lane in a column is wide enough for its heading."""
_MOST_HIGH = 3
_MOST_WIDE = 3.0
"""A large machine is drawn at most so many times as wide as a small one."""


@dataclass(frozen=True)
class LaneBox:
    """One lane: its heading, then its lines."""

    left: int
    top: int
    room: int
    """How wide the lane is, heading included."""
    per_line: int
    lines: int
    width: int
    """Of a box, without the gap after it."""


@dataclass(frozen=True)
class MapLayout:
    """Boxes of one height; those of a lane have one width."""

    slots: Slots
    lanes: tuple[LaneBox, ...]
    box_height: int
    gap: int
    total_height: int

    @cached_property
    def x(self) -> NDArray[np.int32]:
        """Left edge per node row."""
        boxes, slots = self._columns, self.slots
        within = slots.number % boxes[0][slots.lane] * (boxes[1][slots.lane] + self.gap)
        return (boxes[3][slots.lane] + within).astype(np.int32)

    @cached_property
    def y(self) -> NDArray[np.int32]:
        """Upper edge per node row."""
        boxes, slots = self._columns, self.slots
        line = slots.number // boxes[0][slots.lane]
        return (boxes[2][slots.lane] + HEAD_PX + line * (self.box_height + self.gap)).astype(np.int32)

    @cached_property
    def width(self) -> NDArray[np.int32]:
        """Width per node row."""
        return self._columns[1][self.slots.lane]

    @cached_property
    def _columns(self) -> tuple[NDArray[np.int32], ...]:
        lanes = [(lane.per_line, lane.width, lane.top, lane.left) for lane in self.lanes] or [(1, 1, 0, 0)]
        return tuple(np.array(column, np.int32) for column in zip(*lanes, strict=True))


def layout_of(slots: Slots, capacity: NDArray[np.float64], width: int, height: int, zoom: int = 0) -> MapLayout:
    """The largest boxes with which everything fits into the view, or those `zoom` sizes larger.

    `capacity` per lane decides how wide its boxes are.
    """
    fitting = next(
        (at for at in range(len(_SIZES)) if _laid_out(slots, capacity, width, at).total_height <= height),
        None,
    )
    if fitting is None:
        fitting = _largest_beyond(slots, capacity, width)
    size = max(fitting - zoom, 0)
    layout = _laid_out(slots, capacity, width, size)
    wider = (_laid_out(slots, capacity, width, size, base) for base, _high in _SIZES[:size])
    return next((each for each in wider if each.total_height == layout.total_height), layout)


def _largest_beyond(slots: Slots, capacity: NDArray[np.float64], width: int) -> int:
    """The size where nothing fits and the map scrolls. Many headings are no reason for boxes that nobody can read: the
    largest with as few lines as the smallest have, and with a map up to three times as high.
    """
    smallest = _laid_out(slots, capacity, width, len(_SIZES) - 1)
    lines = sum(lane.lines for lane in smallest.lanes)
    for size in range(len(_SIZES)):
        tried = _laid_out(slots, capacity, width, size)
        if (
            tried.total_height <= _MOST_HIGH * smallest.total_height
            and sum(lane.lines for lane in tried.lanes) == lines
        ):
            return size
    return len(_SIZES) - 1


def _laid_out(slots: Slots, capacity: NDArray[np.float64], width: int, size: int, base: int | None = None) -> MapLayout:
    """With as many lanes beside each other as make the map lowest, the fewest of those.

    `base`: another width of a box, where lines have room that would stay empty.
    """
    most = max(1, min(len(slots.counts), (width + _APART_PX) // (_LEAST_LANE_PX + _APART_PX)))
    box = (base or _SIZES[size][0], _SIZES[size][1])
    tried = (_in_columns(slots, capacity, width, box, columns) for columns in range(1, most + 1))
    return min(tried, key=lambda layout: layout.total_height)


def _in_columns(
    slots: Slots, capacity: NDArray[np.float64], width: int, box: tuple[int, int], columns: int
) -> MapLayout:
    base, high = box
    gap = 4 if base >= 12 else 2 if base >= 6 else 1
    least = float(capacity[capacity > 0].min()) if (capacity > 0).any() else 1.0
    room = (width - (columns - 1) * _APART_PX) // columns
    lanes: list[LaneBox] = []
    top = most_lines = 0
    for at, count in enumerate(slots.counts):
        column = at % columns
        if at and not column:
            top, most_lines = top + HEAD_PX + most_lines * (high + gap) + LANE_GAP_PX, 0
        wide = int(base * min(max((capacity[at] / least) ** 0.5, 1.0), _MOST_WIDE))
        per_line = max(1, (room + gap) // (wide + gap))
        lines = max(1, -(-count // per_line))
        most_lines = max(most_lines, lines)
        lanes.append(LaneBox(column * (room + _APART_PX), top, room, per_line, lines, wide))
    bottom = top + HEAD_PX + most_lines * (high + gap) + LANE_GAP_PX if lanes else 0
    return MapLayout(slots, tuple(lanes), high, gap, bottom)
