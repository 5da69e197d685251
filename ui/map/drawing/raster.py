"""Paints the boxes of the map into an array of pixels, all of a line at once: no item and no call per pod."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from planner.record.moment import ClusterMoment, NodeState
from ui.map.drawing.coloring import Colors, rgb
from ui.map.drawing.layout import HEAD_PX, MapLayout
from ui.map.drawing.stacks import Stacks
from ui.theme.theme import Theme

Frame = tuple[NDArray[np.intp], NDArray[np.intp], Colors]
Frames = tuple[Frame, ...]
_CLEAR = 0
_APART_PX = 4
"""Pods as high as this have a line between them."""
_HATCH_PX, _DASH_PX = 6, 4
_FINE_PX = 8
"""Boxes narrower than this have no room for patterns: only their edge shows their state."""


@dataclass(frozen=True)
class Canvas:
    """A part of the map: pixels from `top` down."""

    pixels: NDArray[np.uint32]
    top: int


def paint_boxes(
    canvas: Canvas, layout: MapLayout, moment: ClusterMoment, stacks: Stacks, colors: Colors, theme: Theme
) -> None:
    """Draw every box that can be seen over the background."""
    columns = _columns(moment, stacks, colors, layout.box_height, theme)
    state = moment.node_state[moment.nodes]
    for lane, box in enumerate(layout.lanes):
        place = np.full(box.lines * box.per_line, -1, np.intp)
        mine = np.flatnonzero(layout.slots.lane[moment.nodes] == lane)
        place[layout.slots.number[moment.nodes[mine]]] = mine
        states, frames = _states(state, place), _frames(theme, layout.box_height, box.width)
        for line in range(box.lines):
            y = box.top + HEAD_PX + line * (layout.box_height + layout.gap) - canvas.top
            if -layout.box_height < y < len(canvas.pixels):
                begin, end = line * box.per_line, (line + 1) * box.per_line
                end = begin + _filled(place[begin:end])
                if end > begin:
                    lane_pixels = canvas.pixels[:, box.left :]
                    boxes = columns[place[begin:end]]
                    _paint_line(lane_pixels, y, box.width, layout.gap, boxes, states[begin:end], frames)


def _filled(nodes: NDArray[np.intp]) -> int:
    """How many places of a line are taken, with the gaps between them."""
    return len(nodes) - int(np.argmax(nodes[::-1] >= 0)) if nodes.max() >= 0 else 0


def _states(state: NDArray[np.int8], nodes: NDArray[np.intp]) -> NDArray[np.intp]:
    if not len(state):
        return np.zeros(len(nodes), np.intp)
    return np.where(nodes >= 0, state[nodes], NodeState.ABSENT).astype(np.intp)


def _columns(moment: ClusterMoment, stacks: Stacks, colors: Colors, height: int, theme: Theme) -> Colors:
    """A column of pixels per node that is there, from the top down, and a last one for none."""
    nodes, pods = moment.nodes, len(stacks.pods)
    ground = rgb(theme.raised)
    position = np.zeros(len(moment.history.nodes), np.intp)
    position[nodes] = np.arange(len(nodes))
    of_pod = position[stacks.node]
    count = np.bincount(of_pod, minlength=len(nodes))
    full = np.zeros(len(nodes), np.int32)
    full[of_pod] = stacks.high  # the last of a node is the highest
    elements = pods + len(nodes)
    lengths, fills = np.empty(elements, np.int32), np.empty(elements, np.uint32)
    at_pod, at_free = np.arange(pods) + of_pod, np.cumsum(count) + np.arange(len(nodes))
    lengths[at_pod], fills[at_pod] = stacks.high - stacks.low, colors
    lengths[at_free], fills[at_free] = height - full, ground
    flat = np.repeat(fills, lengths)
    tops = np.cumsum(lengths)[at_pod] - 1
    flat[tops[lengths[at_pod] >= _APART_PX]] = ground
    found = np.full((len(nodes) + 1, height), rgb(theme.panel), np.uint32)
    found[:-1] = flat.reshape(len(nodes), height)[:, ::-1]
    return found


def _paint_line(
    pixels: NDArray[np.uint32], y: int, width: int, gap: int, columns: Colors, state: NDArray[np.intp], frames: Frames
) -> None:
    """Boxes side by side; `columns` and `state` have one for each."""
    height = columns.shape[1]
    above, below = max(0, -y), max(0, y + height - len(pixels))
    room = min(len(columns), (pixels.shape[1] + gap) // (width + gap))
    columns, state = columns[:room, above : height - below], state[:room]
    step = pixels.strides[1]
    shape = (columns.shape[1], room, width)
    line = as_strided(pixels[max(0, y) :], shape, (pixels.strides[0], (width + gap) * step, step))
    line[:] = columns.T[:, :, None]
    if not above and not below and (state == NodeState.READY).all():
        _paint_edges(line, frames[NodeState.READY])
        return
    for one in np.flatnonzero(np.bincount(state)):  # np.unique would load masked arrays
        down, across, color = frames[one]
        seen = (down >= above) & (down < height - below)
        boxes = np.flatnonzero(state == one)
        line[down[seen, None] - above, boxes, across[seen, None]] = color[seen, None]


def _paint_edges(line: Colors, frame: Frame) -> None:
    """The frame of boxes that are all ready and wholly in view: their edges, in one colour, if they have any."""
    for color in frame[2][:1]:
        for edge in (line[0], line[-1], line[:, :, 0], line[:, :, -1]):
            edge[...] = color


@lru_cache(maxsize=64)
def _frames(theme: Theme, height: int, width: int) -> Frames:
    """What is drawn over the pods of a box, by state: rows, columns and colours of its pixels."""
    found = np.full((len(NodeState), height, width), _CLEAR, np.uint32)
    down, across = np.mgrid[0:height, 0:width]
    depth = np.minimum(np.minimum(down, height - 1 - down), np.minimum(across, width - 1 - across))
    edge = depth == 0
    is_fine = width >= _FINE_PX
    thick = depth <= (1 if is_fine else 0)
    dashed = (down + across) // _DASH_PX % 2 == 0
    found[NodeState.READY][edge & is_fine] = rgb(theme.border)
    found[NodeState.BOOTING][edge] = rgb(theme.border)
    found[NodeState.BOOTING][thick & (dashed | (not is_fine))] = rgb(theme.warn)
    found[NodeState.DRAINING][((down + across) % _HATCH_PX == 0) & is_fine] = rgb(theme.text)
    found[NodeState.DRAINING][edge] = rgb(theme.muted if is_fine else theme.text)
    found[NodeState.TROUBLE][thick] = rgb(theme.bad)
    corner = max(4, width // 3)
    found[NodeState.TROUBLE][(width - 1 - across) + down < corner] = rgb(theme.bad)
    found[NodeState.FAILED][thick & (dashed | (not is_fine))] = rgb(theme.bad)
    cross = (down * width // height == across) | (down * width // height == width - 1 - across)
    found[NodeState.FAILED][cross & is_fine] = rgb(theme.bad)
    return tuple((*np.nonzero(one), one[one != _CLEAR]) for one in found)
