"""A profile over the simulated time, as it is drawn beside its fields."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from planner.plan.model.traffic import LoadProfile
from planner.units import US_PER_S
from planner.workloads.load_profiles import rates
from ui.editor.previews.profile_times import sample_times, shown_span_us
from ui.theme.theme import ThemeSource

_HEIGHT = 116
_SCALES = ((2 * 86_400, 86_400, "d"), (2 * 3_600, 3_600, "h"), (120, 60, "min"), (0, 1, "s"))
_BYTES = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))


class ProfilePlot(pg.PlotWidget):  # type: ignore[misc]
    """The values; the band is one standard deviation of the noise, the broken line the end of the run."""

    def __init__(self, theme: ThemeSource, unit: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, enableMenu=False)
        self._theme, self._unit = theme, unit
        self.span_us, self.us_per_x, self.per_y = 0, US_PER_S, 1
        """What the horizontal axis covers, and what a step of 1 on each axis means."""
        self.setFixedHeight(_HEIGHT)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setToolTip(
            self.tr("Over simulated time. The band shows the noise; the dashed line marks the end of the run.")
        )
        self._high, self._low = pg.PlotCurveItem(), pg.PlotCurveItem()
        self._band = pg.FillBetweenItem(self._high, self._low)
        self.curve = pg.PlotCurveItem(antialias=True)
        self.run_end = pg.InfiniteLine(angle=90)
        for item in (self._band, self.curve, self.run_end):
            self.addItem(item)
        theme.changed.connect(self._paint)
        self._paint()

    def take_mouse(self, on: bool) -> None:
        """Whether the plot is for more than looking at."""
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not on)

    def show_profile(
        self, profile: LoadProfile, duration_us: int, cv: float = 0.0, *, keeps_axes: bool = False
    ) -> None:
        """Draw a profile of a run that long; `cv` is the variation of its noise."""
        span_us = shown_span_us(profile, duration_us)
        times = sample_times(profile, span_us)
        values = rates(profile, times)
        divisor, time_unit = _scale(span_us / US_PER_S)
        x = times / (US_PER_S * divisor)
        spread = cv * values
        top = float((values + spread).max())
        size, unit = _amount(top) if self._unit == "B" else (1, self._unit)
        self.span_us, self.us_per_x, self.per_y = span_us, US_PER_S * divisor, size
        self.curve.setData(x, values / size)
        self._high.setData(x, (values + spread) / size)
        self._low.setData(x, np.maximum(values - spread, 0.0) / size)
        self.run_end.setVisible(span_us > duration_us)
        self.run_end.setValue(duration_us / (US_PER_S * divisor))
        if keeps_axes:
            return
        self.setXRange(0, float(x[-1]), padding=0)
        self.setYRange(0, (top / size or 1.0) * 1.08, padding=0)
        self.setLabel("bottom", self.tr("simulated time ({0})").format(time_unit))
        self.setLabel("left", unit)

    def _paint(self) -> None:
        theme = self._theme.current
        color = theme.series_color(0)
        self.setBackground(theme.panel)
        self.curve.setPen(pg.mkPen(color, width=1.5))
        self.run_end.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DashLine))
        band = pg.mkColor(color)
        band.setAlpha(48)
        self._band.setBrush(pg.mkBrush(band))
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.enableAutoSIPrefix(False)


def _scale(seconds: float) -> tuple[int, str]:
    return next((size, name) for least, size, name in _SCALES if seconds >= least)


def _amount(value: float) -> tuple[int, str]:
    return next(((size, name) for size, name in _BYTES if value >= 2 * size), _BYTES[-1])
