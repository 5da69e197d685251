"""The plot of bands with its heading: which series, and which colour is which variant."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from planner.experiments.answers.answer import ExperimentAnswer
from planner.language.phrases import said
from planner.plan.model.plan import Plan
from planner.units import US_PER_MS, US_PER_S
from ui.answers.band_plot import BandPlot
from ui.theme.theme import ThemeSource
from ui.wording.numbers import Unit

_SWATCH_PX, _IN_A_ROW = 10, 4
_P95 = 95
_OF_FIGURES = {
    "cost": "nodes_ready_count",
    "nodes_peak": "nodes_ready_count",
    "node_hours": "nodes_ready_count",
    "pending_pod_time": "pods_pending_count",
    "pods_pending_peak": "pods_pending_count",
    "latency_p95_worst": "latency_p95_ms",
    "slo_attainment": "latency_p95_ms",
    "requests_offered": "offered_rps",
    "cpu_requested_peak": "cpu_requested_cores",
    "cpu_used_peak": "cpu_used_cores",
    "cpu_allocatable_peak": "cpu_allocatable_cores",
}
"""The series that shows best how a figure came about."""


class BandPanel(QWidget):
    """Bands of one series; another one is chosen above."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answer: ExperimentAnswer | None = None
        self._plan: Plan | None = None
        self.series, self.plot, self.legend = QComboBox(), BandPlot(theme), QGridLayout()
        self.series.setAccessibleName(self.tr("Series"))
        self.plot.setAccessibleName(self.tr("Median and band of the series"))
        caption = QLabel(self.tr("median and 5–95 % of the runs, moment by moment (pointwise)"))
        caption.setProperty("muted", True)
        across = QHBoxLayout()
        across.addWidget(self.series)
        across.addWidget(caption)
        across.addStretch(1)
        self.legend.setColumnStretch(2 * _IN_A_ROW, 1)
        down = QVBoxLayout(self)
        down.setContentsMargins(10, 6, 10, 6)
        down.addLayout(across)
        down.addLayout(self.legend)
        down.addWidget(self.plot, 1)
        self.series.currentIndexChanged.connect(self._draw)
        theme.changed.connect(self._show_legend)

    def show_answer(self, answer: ExperimentAnswer, plan: Plan) -> None:
        """Bands of another answer; the chosen series stays, if there is one."""
        self._answer, self._plan = answer, plan
        wanted = self.series.currentData() or self._best(answer)
        self.series.blockSignals(True)
        self.series.clear()
        for name in answer.bands:
            self.series.addItem(self.title_of(name), name)
        self.series.setCurrentIndex(max(0, self.series.findData(wanted)))
        self.series.blockSignals(False)
        self.setVisible(bool(answer.bands))
        self._show_legend()
        self._draw()

    def show_figure(self, figure: str) -> None:
        """The series that belongs to a figure, if there is one."""
        base, bracket, subject = figure.partition("[")
        wanted = _OF_FIGURES.get(base, "")
        for name in (f"{wanted}{bracket}{subject}", wanted):
            row = self.series.findData(name)
            if name and row >= 0:
                self.series.setCurrentIndex(row)
                return

    def _best(self, answer: ExperimentAnswer) -> str:
        latencies = [name for name in answer.bands if name.startswith("latency_p95_ms[")]
        return next(iter((*latencies, *answer.bands)), "")

    def title_of(self, name: str) -> str:
        """A series in words."""
        base, _, subject = name.removesuffix("]").partition("[")
        titles = {
            "nodes_ready_count": self.tr("Ready nodes"),
            "pods_pending_count": self.tr("Pending pods"),
            "cpu_requested_cores": self.tr("CPU requested"),
            "cpu_allocatable_cores": self.tr("CPU allocatable"),
            "cpu_used_cores": self.tr("CPU used"),
            "replicas_ready_count": self.tr("Ready replicas of {subject}"),
            "latency_p95_ms": self.tr("p95 latency of {subject}"),
            "offered_rps": self.tr("Load of {subject}"),
        }
        return titles.get(base, name).format(subject=subject)

    def _draw(self) -> None:
        name, answer = self.series.currentData(), self._answer
        if answer is None or name not in answer.bands:
            return
        time_s = np.asarray(answer.band_time_us, dtype=np.float64) / US_PER_S
        parting = answer.first_parting
        mark_s = None if parting is None else parting.get("atS")
        self.plot.show_bands(time_s, answer.bands[name], _unit(name), self._limit(name), mark_s)

    def _limit(self, series: str) -> float | None:
        """The SLO of the workload, in the series' unit."""
        base, _, subject = series.removesuffix("]").partition("[")
        if base != "latency_p95_ms" or self._plan is None:
            return None
        slos = (one.slo for one in self._plan.workloads if one.name == subject)
        return next((slo.target / US_PER_MS for slo in slos if slo is not None and slo.percentile == _P95), None)

    def _show_legend(self) -> None:
        """A coloured square and a name for each of several variants, in as many rows as they need."""
        while (item := self.legend.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        names = [said(one.name) for one in self._answer.variants] if self._answer is not None else []
        for number, text in enumerate(names if len(names) > 1 else ()):
            row, at = divmod(number, _IN_A_ROW)
            swatch, name = QLabel(), QLabel(text)
            pixmap = QPixmap(_SWATCH_PX, _SWATCH_PX)
            pixmap.fill(self._theme.current.series_color(number))
            swatch.setPixmap(pixmap)
            name.setTextFormat(Qt.TextFormat.PlainText)
            self.legend.addWidget(swatch, row, 2 * at)
            self.legend.addWidget(name, row, 2 * at + 1)


def _unit(series: str) -> Unit:
    if series.startswith("latency"):
        return Unit.MILLISECONDS
    if series.startswith("offered"):
        return Unit.RATE
    return Unit.CORES if series.startswith("cpu") else Unit.COUNT
