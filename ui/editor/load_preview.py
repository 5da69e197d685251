"""The load a profile makes, drawn while it is edited."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.plan.plan import Plan
from planner.plan.traffic import Traffic
from planner.units import US_PER_S
from planner.workloads.load_profiles import rates
from ui.editor.extras import Extra
from ui.theme.theme import ThemeSource

_POINTS = 240
_HEIGHT = 116
_SCALES = ((2 * 86_400, 86_400, "d"), (2 * 3_600, 3_600, "h"), (120, 60, "min"), (0, 1, "s"))


class LoadPreview(Extra):
    """Requests per second over the simulated time; the band is one standard deviation of the noise."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Traffic, int] | None = None
        self.plot = pg.PlotWidget()
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setMouseEnabled(False, False)
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.plot.setAccessibleName(self.tr("Requests per second over the run"))
        self.plot.setToolTip(self.tr("Requests per second over the simulated time; the band shows the noise."))
        self._high, self._low = pg.PlotCurveItem(), pg.PlotCurveItem()
        self._band = pg.FillBetweenItem(self._high, self._low)
        self.curve = pg.PlotCurveItem()
        for item in (self._band, self.curve):
            self.plot.addItem(item)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        theme.changed.connect(self._paint)
        self._paint()

    def present(self, value: Any, plan: Plan) -> None:
        shown = (value, plan.simulation.duration)
        if self._shown is not None and self._shown[0] is value and self._shown[1] == shown[1]:
            return
        self._shown = shown
        times = np.linspace(0, plan.simulation.duration, _POINTS).astype(np.int64)
        rate = rates(value.profile, times)
        seconds = plan.simulation.duration / US_PER_S
        divisor, unit = next((size, name) for least, size, name in _SCALES if seconds >= least)
        x = times / (US_PER_S * divisor)
        self.curve.setData(x, rate)
        spread = value.noise.cv * rate
        self._high.setData(x, rate + spread)
        self._low.setData(x, np.maximum(rate - spread, 0))
        top = float((rate + spread).max()) or 1.0
        self.plot.setXRange(0, float(x[-1]), padding=0)
        self.plot.setYRange(0, top * 1.08, padding=0)
        self.plot.setLabel("bottom", self.tr("simulated time ({0})").format(unit))
        self.plot.setLabel("left", self.tr("req/s"))

    def _paint(self) -> None:
        theme = self._theme.current
        color = theme.series_color(0)
        self.plot.setBackground(theme.panel)
        self.curve.setPen(pg.mkPen(color, width=1))
        band = pg.mkColor(color)
        band.setAlpha(48)
        self._band.setBrush(pg.mkBrush(band))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.enableAutoSIPrefix(False)
