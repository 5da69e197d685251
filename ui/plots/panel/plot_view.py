"""One plot: curves of the run and of its baseline, limits, events and the cursor over the shared time."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QWidget

from ui.plots.catalogue import View
from ui.plots.curves.curve_layer import CurveLayer, Range
from ui.plots.curves.curves import Curve
from ui.plots.curves.curves_item import VerticalLines
from ui.plots.curves.paints import line_pen
from ui.plots.lines.limits import LimitLines
from ui.plots.lines.projection import projected
from ui.plots.lines.ramps import Ramps
from ui.plots.targets import Limit
from ui.plots.timeline.axes import TimeGrid, ValueAxis, color_axes, nice_top
from ui.plots.timeline.time_window import TimeWindow
from ui.runs.run_data import RunData
from ui.theme.theme import Theme
from ui.wording.numbers import Unit

RIGHT_MARGIN = 10
_LEAST_DRAG = 5
_WHEEL_STEP = 1.25
_TOP_Z = 500.0
_GRID_Z = -1000.0
_LEAST_TOP = {Unit.RATIO: 0.05}
_EVENT_Z = -450.0


class PlotView(pg.PlotWidget):  # type: ignore[misc]
    """Draws only; what it shows is handed to it. Mouse: drag zooms, wheel zooms, double-click resets."""

    hovered = Signal(object)
    """Time under the pointer in seconds, None when it has left."""
    pinned = Signal(float)
    """Time of a click."""
    selecting = Signal(object)
    """The band (start, end) that is being dragged; None when the drag ends."""

    def __init__(self, window: TimeWindow, theme: Theme, parent: QWidget | None = None) -> None:
        self.value_axis, self.time_grid = ValueAxis(), TimeGrid()
        super().__init__(parent, axisItems={"left": self.value_axis, "bottom": self.time_grid}, enableMenu=False)
        self._window = window
        self._view: View | None = None
        self._x_range: Range = (0.0, 0.0)
        self._y_range: Range = (0.0, 0.0)
        self._drag_from: float | None = None
        self._panned_to: float | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        for axis in (self.value_axis, self.time_grid):
            axis.setZValue(_GRID_Z)
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.layout.setContentsMargins(0, 2, RIGHT_MARGIN, 0)
        plot.getViewBox().disableAutoRange()
        plot.getViewBox().setDefaultPadding(0.0)
        self.layer = CurveLayer(plot.getViewBox())
        self.baseline = CurveLayer(plot.getViewBox(), is_baseline=True)
        self.limits, self.ramps = LimitLines(plot), Ramps(plot)
        self.events = VerticalLines(plot.getViewBox(), _EVENT_Z)
        self.cursor_line = pg.InfiniteLine(angle=90, movable=False)
        self.band = pg.LinearRegionItem(movable=False)
        for item in (self.cursor_line, self.band):
            plot.addItem(item, ignoreBounds=True)
        self.cursor_line.setZValue(_TOP_Z)
        self.cursor_line.hide()
        self.band.hide()
        self.recolor(theme)
        # Other sizes need other points; the scene knows its new layout only after the event.
        self._relayout = QTimer(self, singleShot=True, interval=0)
        self._relayout.timeout.connect(self.draw)
        plot.getViewBox().sigResized.connect(lambda _: self._relayout.start())

    # -- what is shown ----------------------------------------------------------------------------

    def show_curves(
        self, view: View, curves: Sequence[Curve], limits: Sequence[Limit],
        runs: tuple[RunData | None, RunData | None], theme: Theme,
    ) -> None:  # fmt: skip
        """Restart with the curves of the run and of its baseline."""
        self._view = view
        self.value_axis.show_unit(view.unit, view.logarithmic)
        self.layer.show(curves, runs[0], theme)
        self.baseline.show(curves, runs[1], theme)
        colors = {curve.subject: curve.color_index for curve in curves}
        self.limits.show(limits, colors, view.unit, view.logarithmic, theme)
        self.ramps.show([] if runs[0] is None else list(view.ramps(runs[0].plan)), theme)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self.setBackground(theme.panel)
        color_axes((self.value_axis, self.time_grid), theme)
        self.layer.recolor(theme)
        self.baseline.recolor(theme)
        self.limits.recolor(theme)
        self.ramps.recolor(theme)
        self.events.pen = line_pen(theme.pale(theme.warn, 0.7), [1.0, 3.0])
        self.cursor_line.setPen(line_pen(theme.cursor))
        self.band.setBrush(_glass(theme.accent, 40))
        for edge in self.band.lines:
            edge.setPen(line_pen(theme.accent))

    def catch_up(self) -> bool:
        """Take over what the runs have recorded."""
        return self.layer.catch_up() | self.baseline.catch_up()

    def draw(self) -> None:
        """Draw the part of the time that the window shows."""
        if self._view is None:
            return
        start_s, end_s, log = self._window.start_s, self._window.end_s, self._view.logarithmic
        pixels = max(int(self.getViewBox().width()), 50)
        if self._x_range != (start_s, end_s):
            self._x_range = (start_s, end_s)
            self.getViewBox().setXRange(start_s, end_s, padding=0.0)
        ranges = [layer.draw(start_s, end_s, pixels, log) for layer in (self.layer, self.baseline)]
        if self._view.projects:
            self.ramps.project(*projected(self.layer.data))
        highest = max(high for _, high in ranges)
        ranges.append(self.limits.value_range(self.getViewBox().height(), log, highest))
        highest = max(highest, self.ramps.top(end_s, highest), *(high for _, high in ranges))
        self._show_values(min(low for low, _ in ranges), highest, log)
        self.limits.place(self.getViewBox())
        self.ramps.place(self.getViewBox())

    def _show_values(self, low: float, high: float, log: bool) -> None:
        if log:
            wanted = (math.floor(4 * low) / 4, math.ceil(4 * high + 0.1) / 4) if low < high else (0.0, 3.0)
        else:
            wanted = (0.0, nice_top(high) if high > 0 else _LEAST_TOP.get(self.value_axis.unit, 1.0))
        if wanted != self._y_range:
            self._y_range = wanted
            self.getViewBox().setYRange(*wanted, padding=0.0)

    def move_cursor(self, time_s: float | None) -> None:
        """Put the cursor line there."""
        self.cursor_line.setVisible(time_s is not None)
        if time_s is not None:
            self.cursor_line.setValue(time_s)

    def show_band(self, band: tuple[float, float] | None) -> None:
        """Mark the part of the time that a drag would zoom to."""
        self.band.setVisible(band is not None)
        if band is not None:
            self.band.setRegion(band)

    def show_events(self, times_s: Sequence[float]) -> None:
        """Thin lines where something was decided."""
        self.events.draw(times_s)

    # -- mouse ------------------------------------------------------------------------------------

    def time_at(self, x: float) -> float:
        """Simulated time under a pixel column of the widget."""
        box = self.getViewBox().sceneBoundingRect()
        share = (x - box.left()) / max(box.width(), 1.0)
        return self._window.start_s + float(share) * (self._window.end_s - self._window.start_s)

    def _clamped_time(self, event: QMouseEvent) -> float:
        return min(max(self.time_at(event.position().x()), self._window.start_s), self._window.end_s)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._drag_from = event.position().x()
        elif event.button() is Qt.MouseButton.MiddleButton:
            self._panned_to = event.position().x()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._panned_to is not None:
            self._window.pan(self.time_at(self._panned_to) - self.time_at(x))
            self._panned_to = x
        elif self._is_dragged(x):
            assert self._drag_from is not None
            self.selecting.emit((self.time_at(self._drag_from), self._clamped_time(event)))
        else:
            inside = self.getViewBox().sceneBoundingRect().contains(event.position())
            self.hovered.emit(self._clamped_time(event) if inside else None)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        x, start, self._drag_from, self._panned_to = event.position().x(), self._drag_from, None, None
        event.accept()
        if start is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        self.selecting.emit(None)
        if abs(x - start) >= _LEAST_DRAG:
            self._window.zoom(self.time_at(start), self._clamped_time(event))
        else:
            self.pinned.emit(self._clamped_time(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._drag_from = None
        self._window.reset()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl or Shift: zoom or pan. The bare wheel scrolls the panel."""
        steps = (event.angleDelta().y() or event.angleDelta().x()) / 120.0
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._window.zoom_by(_WHEEL_STEP**-steps, self.time_at(event.position().x()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._window.pan(-steps * 0.1 * (self._window.end_s - self._window.start_s))
        else:
            event.ignore()
            return
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None)

    def _is_dragged(self, x: float) -> bool:
        return self._drag_from is not None and abs(x - self._drag_from) >= _LEAST_DRAG


def _glass(color: str, alpha: int) -> object:
    made = pg.mkColor(color)
    made.setAlpha(alpha)
    return pg.mkBrush(made)
