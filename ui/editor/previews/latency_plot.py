"""Latency of one pod over its load, drawn while one edits how it runs requests."""

from functools import partial
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout

from planner.plan.files.places import Path
from planner.plan.model.demand import Demand
from planner.plan.model.plan import Plan
from planner.units import format_cpu
from planner.workloads.load.latency_over_load import LatencyOverLoad, latency_over_load
from ui.editor.forms.card import Card
from ui.process.latest_work import LatestWork
from ui.theme.theme import ThemeSource

_HEIGHT = 128
_LEAST_NODE_MILLI = 1000
_TOP = 6.0
"""The plot is so many times as high as the p99 of a nearly idle pod, or as the target."""


class LatencyPlot(Card):
    """p50, p95 and p99 over requests per second at a pod. Computed in a thread, as quotas take their time."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._key: tuple[object, ...] | None = None
        self._work = LatestWork("latency", self)
        self.summary = QLabel()
        self.summary.setProperty("muted", True)
        self.summary.setWordWrap(True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.plot = pg.PlotWidget(enableMenu=False)
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.plot.setAccessibleName(self.tr("Latency of a pod over its load"))
        self.p50, self.p95, self.p99 = (pg.PlotCurveItem(antialias=True) for _ in range(3))
        self.saturation, self.knee = pg.InfiniteLine(angle=90), pg.InfiniteLine(angle=90)
        for item in (self.p50, self.p95, self.p99, self.saturation, self.knee):
            self.plot.addItem(item)
        self.plot.setLabel("left", self.tr("ms"))
        self.plot.setLabel("bottom", self.tr("requests/s at a pod"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.plot)
        column.addWidget(self.summary)
        theme.changed.connect(self._paint)
        self._paint()

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        workload = plan.workloads[path[1]] if len(path) > 1 and isinstance(path[1], int) else None
        limits = [] if workload is None else [one.limits.cpu for one in workload.pod.containers]
        limit = sum(one for one in limits if one is not None) if limits and None not in limits else None
        node = max((group.cpu for group in plan.node_groups), default=_LEAST_NODE_MILLI)
        key = (value, limit, node)
        if key != self._key:
            self._key = key
            self._work.start(partial(_latency, value, limit, node), self._answer)

    def _answer(self, found: LatencyOverLoad | None) -> None:
        self.plot.setVisible(found is not None)
        if found is None or self._key is None:
            self.summary.setText(self.tr("The idle CPU takes up all that a pod may use, so it serves no request."))
            return
        for curve, column in ((self.p50, found.p50_s), (self.p95, found.p95_s), (self.p99, found.p99_s)):
            curve.setData(found.rate, 1000.0 * column)
        self.saturation.setValue(found.saturation)
        self.knee.setVisible(found.knee is not None)
        if found.knee is not None:
            self.knee.setValue(found.knee)
        self.plot.setXRange(0.0, 1.04 * found.saturation, padding=0)
        self.plot.setYRange(0.0, _TOP * 1000.0 * float(found.p99_s[0]), padding=0)
        self.summary.setText(self._sentence(found))

    def _sentence(self, found: LatencyOverLoad) -> str:
        text = self.tr(
            "Thick: p50; dashed: p95; thin: p99. "
            "A pod serves up to {most} requests/s (vertical line). Nearly idle: p50 {p50}, p99 {p99}; "
            "at 80 %: p50 {late50}, p99 {late99}."
        ).format(
            most=_number(found.saturation), p50=_ms(found.p50_s[0]), p99=_ms(found.p99_s[0]),
            late50=_ms(_at(found, found.p50_s)), late99=_ms(_at(found, found.p99_s)),
        )  # fmt: skip
        if found.knee is not None and self._key is not None:
            limit = format_cpu(int(str(self._key[1])))
            more = self.tr("From {knee} requests/s on the CPU limit of {limit} throttles it (dotted line).")
            text += " " + more.format(knee=_number(found.knee), limit=limit)
        return text

    def _paint(self) -> None:
        theme = self._theme.current
        self.plot.setBackground(theme.panel)
        for number, (curve, width) in enumerate(((self.p50, 2.0), (self.p95, 1.0), (self.p99, 1.0))):
            style = Qt.PenStyle.SolidLine if number != 1 else Qt.PenStyle.DashLine
            curve.setPen(pg.mkPen(theme.series_color(number), width=width, style=style))
        self.saturation.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DashLine))
        self.knee.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DotLine))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.enableAutoSIPrefix(False)


def _latency(demand: Demand, limit_milli: int | None, node_milli: int) -> LatencyOverLoad | None:
    """Called in a thread: uses no Qt."""
    return latency_over_load(demand, limit_milli, node_milli)


def _at(found: LatencyOverLoad, column: Any) -> float:
    """At 80 % of saturation."""
    place = int(abs(found.rate - 0.8 * found.saturation).argmin())
    return float(column[place])


def _ms(seconds: float) -> str:
    return f"{_number(1000.0 * seconds)} ms"


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
