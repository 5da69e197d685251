"""Draws all curves of a layer in one go.

One item with a few calls of the painter per curve, in pixels: an item of its own for every curve costs several
times as much, and each call is a chance for the run's thread to keep the window waiting.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.functions import create_qpolygonf, ndarray_from_qpolygonf
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from ui.process.guard import guarded

Floats = NDArray[np.float64]

SMOOTH_POINTS = 600
"""Up to so many points a curve is drawn with smooth edges. A dense one has nothing to smooth, is many times
slower with any pen but the thinnest, and has to be drawn ten times a second."""


@dataclass
class DrawnCurve:
    """A curve in the units of its axes; nan breaks the line. A brush fills it down to `floor`, or to zero."""

    pen: QPen = field(default_factory=QPen)
    thin_pen: QPen = field(default_factory=QPen)
    brush: QBrush | None = None
    floor: "DrawnCurve | None" = None
    x: Floats = field(default_factory=lambda: np.empty(0))
    y: Floats = field(default_factory=lambda: np.empty(0))
    lines: list[QPolygonF] = field(default_factory=list)
    """Its parts without gaps, in pixels."""
    areas: list[QPolygonF] = field(default_factory=list)

    def paint_with(self, pen: QPen, brush: QBrush | None = None) -> None:
        """Take another pen and brush."""
        self.pen, self.brush = QPen(pen), brush
        self.pen.setCosmetic(False)  # polygons are in pixels already: so it grows with the scale of the screen
        self.thin_pen = QPen(pen)
        self.thin_pen.setWidthF(1.0)


class CurvesItem(QGraphicsItem):
    """Lives in the view box itself, whose pixels are its units."""

    def __init__(self, box: pg.ViewBox, z: float) -> None:
        super().__init__(box)
        self._box = box
        self._curves: Sequence[DrawnCurve] = ()
        self._place: tuple[float, ...] = ()
        """Size and ranges that the polygons were made for."""
        self.setZValue(z)

    def draw(self, curves: Sequence[DrawnCurve]) -> None:
        """Draw these, the first at the bottom; to be called again whenever one of them has changed."""
        self._curves, self._place = curves, ()
        self.setVisible(bool(curves))
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        rect, ((left, right), (low, high)) = self._box.rect(), self._box.viewRange()
        place = (rect.width(), rect.height(), left, right, low, high)
        if place != self._place:
            self._place = place
            times: dict[int, Floats] = {}  # curves share their times
            for curve in self._curves:
                if id(curve.x) not in times:
                    times[id(curve.x)] = (curve.x - left) * (rect.width() / max(right - left, 1e-9))
                _lay_out(curve, times[id(curve.x)], rect.height(), low, high)
        for curve in self._curves:
            is_smooth = len(curve.x) <= SMOOTH_POINTS
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_smooth)
            if curve.brush is not None:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(curve.brush)
                for area in curve.areas:
                    painter.drawPolygon(area)
            painter.setPen(curve.pen if is_smooth else curve.thin_pen)
            for line in curve.lines:
                painter.drawPolyline(line)


class VerticalLines(QGraphicsItem):
    """Thin lines at times, from the bottom to the top."""

    def __init__(self, box: pg.ViewBox, z: float) -> None:
        super().__init__(box)
        self._box = box
        self.times_s: tuple[float, ...] = ()
        self.pen = QPen()
        self.setZValue(z)

    def draw(self, times_s: Sequence[float]) -> None:
        """Draw a line at each of these times."""
        if tuple(times_s) != self.times_s:
            self.times_s = tuple(times_s)
            self.setVisible(bool(times_s))
            self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        rect, ((left, right), _) = self._box.rect(), self._box.viewRange()
        painter.setPen(self.pen)
        for time_s in self.times_s:
            x = (time_s - left) * rect.width() / max(right - left, 1e-9)
            painter.drawLine(QPointF(x, 0.0), QPointF(x, rect.height()))


def _lay_out(curve: DrawnCurve, x: Floats, height: float, low: float, high: float) -> None:
    """Make the polygons of a curve with its points at `x` pixels in a view of that height and range."""
    scale = height / max(high - low, 1e-300)
    y = height - (curve.y - low) * scale
    zero = height + low * scale
    curve.lines, curve.areas = [], []
    for begin, end in _parts(y):
        curve.lines.append(_polygon(x[begin:end], y[begin:end]))
        if curve.brush is None:
            continue
        if curve.floor is not None and len(curve.floor.x) == len(curve.x):
            lower = height - (curve.floor.y[begin:end][::-1] - low) * scale
            xs, ys = np.concatenate([x[begin:end], x[begin:end][::-1]]), np.concatenate([y[begin:end], lower])
        else:
            ends = np.array([x[end - 1], x[begin]])
            xs, ys = np.concatenate([x[begin:end], ends]), np.concatenate([y[begin:end], [zero, zero]])
        curve.areas.append(_polygon(xs, np.where(np.isfinite(ys), ys, zero)))


def _parts(y: Floats) -> Iterator[tuple[int, int]]:
    """Begin and end of the parts without gaps; a lone point is no line."""
    finite = np.isfinite(y)
    if finite.all():
        borders = np.array([0, len(y)])
    else:
        borders = np.flatnonzero(np.diff(finite, prepend=False, append=False))
    for begin, end in borders.reshape(-1, 2).tolist():
        if end - begin >= 2:
            yield begin, end


def _polygon(x: Floats, y: Floats) -> QPolygonF:
    polygon: QPolygonF = create_qpolygonf(len(x))
    points = ndarray_from_qpolygonf(polygon)
    points[:, 0], points[:, 1] = x, y
    return polygon
