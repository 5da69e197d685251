"""Names of workloads in the boxes of their pods, where there is room: more workloads are shown than there are colours,
and not every reader sees colours.
"""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics

from ui.map.drawing.coloring import Coloring
from ui.map.drawing.scene import MapScene

LETTERS_PX = 9
_LEAST_HEIGHT_PX, _LEAST_WIDTH_PX, _AROUND_PX = 11, 30, 3
_MOST = 400
"""With more pods in view the time could no longer be scrubbed fluidly; zoomed in there are fewer."""
_MIDDLE_LIGHT = 0.18
"""Luminance from which black is read better than white."""


@dataclass(frozen=True)
class PodName:
    """Letters within a pod's box."""

    area: QRect
    """On the whole map."""
    text: str
    color: QColor


def pod_names(scene: MapScene, top: int, bottom: int, metrics: QFontMetrics) -> list[PodName]:
    """Those of the pods between two heights of the whole map; the beginning of a name that does not fit."""
    if scene.look.coloring is not Coloring.WORKLOAD:
        return []
    layout, stacks, pods = scene.layout, scene.stacks, scene.moment.history.pods
    high, width = stacks.high - stacks.low, layout.width[stacks.node]
    above = layout.y[stacks.node] + layout.box_height - stacks.high
    has_room = (high >= _LEAST_HEIGHT_PX) & (width >= _LEAST_WIDTH_PX) & (above < bottom) & (above + high > top)
    found = []
    for row in np.flatnonzero(has_room).tolist() if np.count_nonzero(has_room) <= _MOST else ():
        area = QRect(int(layout.x[stacks.node[row]]), int(above[row]), int(width[row]), int(high[row]))
        name = pods.workloads[pods.workload[stacks.pods[row]]]
        text = _beginning(name, area.width() - 2 * _AROUND_PX, metrics)
        found.append(PodName(area, text, _readable_on(QColor.fromRgb(int(scene.colors[row])))))
    return found


def _beginning(name: str, width: int, metrics: QFontMetrics) -> str:
    """The name; what does not fit is cut off with an ellipsis, and nothing is left where that says nothing."""
    shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, width)
    return shown if len(shown) > 1 or shown == name else ""


def _readable_on(ground: QColor) -> QColor:
    parts = (ground.redF(), ground.greenF(), ground.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return QColor("#000000" if light > _MIDDLE_LIGHT else "#ffffff")
