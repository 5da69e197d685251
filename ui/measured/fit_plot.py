"""The samples of a fit with its line, and what is left over."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.measured.calibration.fit import FitPoints, PointsOf
from ui.theme.theme import ThemeSource

_POINT_PX = 4
_ALPHA = 110


class FitPlot(QWidget):
    """Samples above, residuals below, on one axis."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.samples, self.residuals = pg.PlotWidget(enableMenu=False), pg.PlotWidget(enableMenu=False)
        self.samples.setAccessibleName(self.tr("Samples and the fit"))
        self.residuals.setAccessibleName(self.tr("Residuals"))
        self.residuals.setXLink(self.samples)
        down = QVBoxLayout(self)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(2)
        down.addWidget(self.samples, 3)
        down.addWidget(self.residuals, 2)
        for plot in (self.samples, self.residuals):
            plot.hideButtons()
            plot.showGrid(x=True, y=True, alpha=0.25)
            for side in ("left", "bottom"):  # before there are labels: later it would only hide the factor
                plot.getAxis(side).enableAutoSIPrefix(False)
        self._points: FitPoints | None = None
        theme.changed.connect(self._draw)
        self._draw()

    def show_points(self, points: FitPoints | None) -> None:
        """Draw the points of a fit; None for an empty plot."""
        self._points = points
        self._draw()
        for plot in (self.samples, self.residuals):
            plot.autoRange()

    def _draw(self) -> None:
        theme = self._theme.current
        for plot in (self.samples, self.residuals):
            plot.clear()
            plot.setBackground(theme.panel)
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(theme.border))
                axis.setTextPen(pg.mkPen(theme.muted))
                axis.setWidth(72) if side == "left" else None
        if self._points is None:
            return
        bottom, left = self._axes(self._points.of)
        self.samples.setLabel("left", left)
        self.residuals.setLabel("left", self.tr("residual"))
        self.residuals.setLabel("bottom", bottom)
        self._draw_points(self._points)

    def _draw_points(self, points: FitPoints) -> None:
        theme = self._theme.current
        _of, causes, effects, fitted = points
        dot = pg.mkColor(theme.series_color(0))
        dot.setAlpha(_ALPHA)
        dots = {"pen": None, "symbol": "o", "symbolSize": _POINT_PX, "symbolPen": None, "symbolBrush": dot}
        self.samples.plot(causes, effects, **dots)
        order = np.argsort(causes)
        self.samples.plot(causes[order], fitted[order], pen=pg.mkPen(theme.series_color(1), width=2))
        self.residuals.plot(causes, effects - fitted, **dots)
        self.residuals.addItem(pg.InfiniteLine(0, 0, pg.mkPen(theme.series_color(1), width=2)))

    def _axes(self, of: PointsOf) -> tuple[str, str]:
        return {
            PointsOf.USE_OVER_LOAD: (self.tr("requests/s of a pod"), self.tr("cores of a pod")),
            PointsOf.MEMORY_OVER_TIME: (self.tr("hours since the beginning"), self.tr("bytes of a pod")),
            PointsOf.MEMORY_OVER_REQUESTS: (self.tr("requests in flight at a pod"), self.tr("bytes of a pod")),
            PointsOf.CALLS_OVER_REQUESTS: (self.tr("requests/s of the callers"), self.tr("requests/s of the called")),
            PointsOf.GIVEN_UP_OVER_FAILED: (self.tr("failed attempts/s"), self.tr("requests/s given up")),
            PointsOf.ORDERED_TIMES: (self.tr("share of all, %"), self.tr("seconds")),
            PointsOf.ORDERED_CORES: (self.tr("share of the starts, %"), self.tr("cores")),
            PointsOf.LATENCY_OVER_TIME: (self.tr("hours since the beginning"), self.tr("seconds")),
            PointsOf.NOISE_OVER_TIME: (self.tr("hours since the beginning"), self.tr("load over its mean, minus 1")),
        }[of]
