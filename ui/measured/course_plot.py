"""A measured course over the simulated one, with the band over seeds."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, QTimeZone
from PySide6.QtWidgets import QWidget

from planner.language.translation import language
from planner.measured.backtest.backtest import SideBySide
from planner.measured.measured_cluster import MeasuredCluster
from ui.measured.words import Shown
from ui.theme.theme import ThemeSource
from ui.wording.numbers import Unit, tick_text

_BAND_ALPHA = 60


class _Values(pg.AxisItem):  # type: ignore[misc]
    """Values with their unit."""

    def __init__(self) -> None:
        super().__init__("left")
        self.unit = Unit.COUNT

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(value, self.unit) for value in values]


class _Dates(pg.DateAxisItem):  # type: ignore[misc]
    """Dates and times in UTC, days and months in the language of the window."""

    def __init__(self) -> None:
        super().__init__("bottom", utcOffset=0)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        form = next((one.format for one in self.zoomLevel.tickSpecs if one.spacing == spacing), "")
        named = {"%a %d": QCoreApplication.translate("measured", "ddd d"), "%b": "MMM"}.get(form)
        if named is None:
            return list(super().tickStrings(values, scale, spacing))
        dates = (QDateTime.fromSecsSinceEpoch(int(value), QTimeZone.utc()) for value in values)
        return [QLocale(language()).toString(date, named) for date in dates]


class CoursePlot(pg.PlotWidget):  # type: ignore[misc]
    """One quantity of one workload or pool over the dates of the measurement."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        self.values = _Values()
        super().__init__(parent, axisItems={"bottom": _Dates(), "left": self.values}, enableMenu=False)
        self._theme = theme
        self._shown: tuple[SideBySide, MeasuredCluster, Shown] | None = None
        self.hideButtons()
        self.setMouseEnabled(x=True, y=False)
        self.showGrid(x=True, y=True, alpha=0.25)
        self.legend = self.addLegend(offset=(-8, 4))
        self.setAccessibleName(self.tr("Measured over simulated"))
        self.setToolTip(
            self.tr(
                "Both over UTC. The band holds 5 to 95 % of the seeds. Drag to move, turn the wheel to zoom, "
                "double-click to see all."
            )
        )
        theme.changed.connect(self._draw)
        self._draw()

    def show_courses(self, beside: SideBySide | None, measured: MeasuredCluster | None, shown: Shown | None) -> None:
        """Draw courses; None for an empty plot."""
        known = beside is not None and measured is not None and shown is not None
        self._shown = (beside, measured, shown) if known else None  # type: ignore[assignment]
        self._draw()
        self.autoRange()

    def mouseDoubleClickEvent(self, event: object) -> None:
        """Back to everything."""
        self.autoRange()

    def _draw(self) -> None:
        theme = self._theme.current
        self.clear()
        self.setBackground(theme.panel)
        self.legend.setLabelTextColor(theme.text)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
        if self._shown is None:
            return
        beside, measured, shown = self._shown
        self.values.unit = shown.unit
        times = measured.start_s + (np.arange(measured.steps) + 0.5) * measured.step_s
        band = pg.mkColor(theme.series_color(0))
        band.setAlpha(_BAND_ALPHA)
        sides = [pg.PlotCurveItem(times, _whole(part) * shown.factor) for part in (beside.low, beside.high)]
        self.addItem(pg.FillBetweenItem(*sides, brush=pg.mkBrush(band)))
        if beside.naive is not None:
            pen = pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DashLine)
            self._line(times, beside.naive * shown.factor, pen, self.tr("load × cost / target"))
        self._line(times, beside.middle * shown.factor, pg.mkPen(theme.series_color(0), width=2), self.tr("simulated"))
        self._line(times, beside.measured * shown.factor, pg.mkPen(theme.series_color(1), width=2), self.tr("measured"))

    def _line(self, times: np.ndarray, values: np.ndarray, pen: object, name: str) -> None:
        item = self.plot(times, values, pen=pen, name=name, connect="finite")
        item.setDownsampling(auto=True, method="peak")
        item.setClipToView(True)


def _whole(values: np.ndarray) -> np.ndarray:
    """Without gaps, which an area cannot have."""
    known = np.isfinite(values)
    steps = np.arange(len(values))
    return np.interp(steps, steps[known], values[known]) if known.any() else np.zeros(len(values))
