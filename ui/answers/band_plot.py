"""Series of all variants on one time axis: the median, and the band of 5 to 95 % of the runs at each moment."""

from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from planner.experiments.statistics.quantiles import Band
from ui.plots.timeline.axes import time_ticks
from ui.theme.theme import Theme, ThemeSource
from ui.wording.numbers import Unit, clock_text, tick_text

Floats = NDArray[np.float64]
_BAND_ALPHA = 56
_LEAST_PX = 150


class ClockAxis(pg.AxisItem):  # type: ignore[misc]
    """Simulated time as hh:mm:ss."""

    def __init__(self) -> None:
        super().__init__("bottom")

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        return [(1.0, time_ticks(minVal, maxVal, size))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [clock_text(value) for value in values]


class UnitAxis(pg.AxisItem):  # type: ignore[misc]
    """Values with their unit."""

    def __init__(self) -> None:
        super().__init__("left")
        self.unit = Unit.COUNT

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(value, self.unit) for value in values]


class BandPlot(pg.PlotWidget):  # type: ignore[misc]
    """One series in all variants."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        self.clock, self.values = ClockAxis(), UnitAxis()
        super().__init__(parent, axisItems={"bottom": self.clock, "left": self.values}, enableMenu=False)
        self._theme = theme
        self._shown: tuple[Floats, Mapping[str, Band], Unit, float | None, float | None] | None = None
        self.setMinimumHeight(_LEAST_PX)
        self.hideButtons()
        self.setMouseEnabled(x=True, y=False)
        self.showGrid(x=True, y=True, alpha=0.25)
        self.setToolTip(
            self.tr(
                "The line is the median of the runs; the band holds 5 to 95 % of them at each single moment. Drag to "
                "move, turn the wheel to zoom, double-click to see all."
            )
        )
        theme.changed.connect(self._draw)
        self._paint(theme.current)

    def show_bands(
        self, time_s: Floats, bands: Mapping[str, Band], unit: Unit, limit: float | None, mark_s: float | None
    ) -> None:
        """Draw bands by variant, a limit across, and the moment at which the first two variants part."""
        self._shown = time_s, bands, unit, limit, mark_s
        self._draw()
        self.see_all()

    def see_all(self) -> None:
        """Both axes as wide as what is drawn."""
        if self._shown is None or not len(self._shown[0]):
            return
        time_s, bands, _unit, limit, _mark = self._shown
        tops = [part for band in bands.values() for part in (band.high, band.middle)]
        finite = [float(np.nanmax(part[np.isfinite(part)])) for part in tops if np.isfinite(part).any()]
        top = max([*finite, limit if limit is not None and finite and limit < 3 * max(finite) else 0.0], default=1.0)
        self.setXRange(float(time_s[0]), float(time_s[-1]), padding=0.01)
        self.setYRange(0.0, (top or 1.0) * 1.06, padding=0)

    def mouseDoubleClickEvent(self, event: object) -> None:
        """Back to everything."""
        self.see_all()

    def _draw(self) -> None:
        theme = self._theme.current
        self._paint(theme)
        self.clear()
        if self._shown is None:
            return
        time_s, bands, unit, limit, mark_s = self._shown
        self.values.unit = unit
        for number, band in enumerate(bands.values()):
            self._add_band(time_s, band, theme.series_color(number))
        if limit is not None:
            pen = pg.mkPen(theme.bad, width=1, style=Qt.PenStyle.DashLine)
            label = self.tr("SLO {value}").format(value=tick_text(limit, unit))
            options = {"position": 0.06, "color": theme.bad, "anchors": [(0.0, 1.0), (0.0, 1.0)]}
            self.addItem(pg.InfiniteLine(limit, 0, pen, label=label, labelOpts=options), ignoreBounds=True)
        if mark_s is not None:
            pen = pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DotLine)
            text = self.tr("first parting decision")
            options = {"position": 0.92, "color": theme.muted, "anchors": [(0.0, 0.5), (0.0, 0.5)]}
            self.addItem(pg.InfiniteLine(mark_s, 90, pen, label=text, labelOpts=options), ignoreBounds=True)

    def _add_band(self, time_s: Floats, band: Band, color: str) -> None:
        fill = pg.mkColor(color)
        fill.setAlpha(_BAND_ALPHA)
        known = np.isfinite(band.low) & np.isfinite(band.high)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], known, [False])).astype(np.int8)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            part = slice(begin, end)
            sides = [pg.PlotCurveItem(time_s[part], side[part]) for side in (band.low, band.high)]
            self.addItem(pg.FillBetweenItem(*sides, brush=pg.mkBrush(fill)))
        self.addItem(pg.PlotCurveItem(time_s, band.middle, pen=pg.mkPen(color, width=1), connect="finite"))

    def _paint(self, theme: Theme) -> None:
        self.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setSIPrefixEnableRanges(())  # else values below 1 are shown in thousandths
            axis.enableAutoSIPrefix(False)
