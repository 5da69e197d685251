"""How one autoscaler alone would answer to a step or a spike of load, drawn while it is edited."""

from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from planner.hpa.what_if.played_plan import Reaction, what_if
from planner.hpa.what_if.played_pods import LoadShape
from planner.plan.files.places import Path
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.plan import Plan
from planner.units import US_PER_MIN, US_PER_S, format_duration
from ui.editor.forms.card import Card
from ui.process.latest_work import LatestWork
from ui.theme.theme import ThemeSource
from ui.wording.figures import span_text

_HEIGHT, _TOP_PX = 118, 8
_FACTORS = (0.5, 1.5, 2.0, 3.0, 5.0, 10.0)
_USUAL = 2.0
_SPIKE_US = 5 * US_PER_MIN
_SPAN_US = 20 * US_PER_MIN


class ReactionPlot(Card):
    """Replicas over twenty minutes; the load changes after the first. Computed in a thread, as it takes its time."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._key: tuple[object, ...] = ()
        self._work = LatestWork("reaction", self)
        self._shown: tuple[Any, Plan] | None = None
        self.factor, self.shape, self.summary = QComboBox(), QComboBox(), QLabel()
        for factor in _FACTORS:
            self.factor.addItem(f"× {factor:g}", factor)
        self.factor.setCurrentIndex(_FACTORS.index(_USUAL))
        self.factor.setAccessibleName(self.tr("Load change"))
        self.shape.addItem(self.tr("step"), None)
        self.shape.addItem(self.tr("5 min spike"), _SPIKE_US)
        self.shape.setAccessibleName(self.tr("Load shape"))
        self.summary.setProperty("muted", True)
        self.summary.setWordWrap(True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._make_plot()
        self._lay_out()
        self.factor.currentIndexChanged.connect(self._again)
        self.shape.currentIndexChanged.connect(self._again)
        theme.changed.connect(self._paint)
        self._paint()

    def _make_plot(self) -> None:
        self.plot = pg.PlotWidget(enableMenu=False, axisItems={"left": _WholeAxis("left")})
        self.plot.setFixedHeight(_HEIGHT)
        self.plot.setMouseEnabled(False, False)
        self.plot.getPlotItem().setContentsMargins(0, _TOP_PX, 0, 0)  # or the topmost number is cut
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.plot.setAccessibleName(self.tr("Replicas after a load change"))
        self.needed, self.wanted, self.ready = (pg.PlotCurveItem(stepMode="right") for _ in range(3))
        for curve in (self.needed, self.wanted, self.ready):
            self.plot.addItem(curve)
        self.plot.setLabel("left", self.tr("pods"))
        self.plot.setLabel("bottom", self.tr("min"))

    def _lay_out(self) -> None:
        question = QHBoxLayout()
        question.setSpacing(6)
        question.addWidget(QLabel(self.tr("What if load")))
        for box in (self.factor, self.shape):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            question.addWidget(box, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addLayout(question)
        layout.addWidget(self.plot, 1)
        layout.addWidget(self.summary)

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        self._shown = (row, plan)
        self._draw()

    def _again(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        row, plan = self._shown
        key = (row, plan.workloads, plan.hpa_controller, plan.metrics_pipeline, self.factor.currentIndex(),
               self.shape.currentIndex())  # fmt: skip
        if len(key) == len(self._key) and all(new is old for new, old in zip(key, self._key, strict=True)):
            return
        self._key = key
        load = LoadShape(self.factor.currentData(), hold_us=self.shape.currentData())
        self._work.start(partial(_reaction, row, plan, load), self._answer)

    def _answer(self, reaction: Reaction | None) -> None:
        self.plot.setVisible(reaction is not None)
        if reaction is None or not reaction.steps:
            self.summary.setText(self.tr("The workload it scales is not in the plan, so there is nothing to show."))
            return
        self._show(reaction)

    def _show(self, reaction: Reaction) -> None:
        steps = reaction.steps
        minutes = np.array([step.time_us / US_PER_MIN for step in steps])
        replicas = np.array([step.replicas for step in steps], dtype=float)
        before = replicas[0]
        needed = np.array([step.load for step in steps]) * before
        self.wanted.setData(minutes, replicas)
        self.ready.setData(minutes, np.array([step.ready for step in steps], dtype=float))
        self.needed.setData(minutes, needed)
        self.plot.setXRange(0.0, float(minutes[-1]), padding=0)
        self.plot.setYRange(0.0, float(max(replicas.max(), needed.max())) * 1.1, padding=0)
        self.summary.setText(self._sentence(reaction))

    def _sentence(self, reaction: Reaction) -> str:
        sizes = [step.replicas for step in reaction.steps]
        first, peak, last = sizes[0], max(sizes), sizes[-1]
        if reaction.settled_us is None:
            text = self.tr(
                "{first} pods initially, {last} after {span}. Solid: requested; dotted: ready; dashed: needed."
            )
            return text.format(first=first, last=last, span=format_duration(_SPAN_US))
        if reaction.rounds == 1:
            text = self.tr(
                "Up to {peak} pods in one step, {time} after the change; {last} after {span}. Solid: "
                "requested; dotted: ready; dashed: needed."
            )
        else:
            text = self.tr(
                "Up to {peak} pods in {rounds} steps, the last {time} after the change; {last} after "
                "{span}. Solid: requested; dotted: ready; dashed: needed."
            )
        time, span = span_text(reaction.settled_us / US_PER_S), format_duration(_SPAN_US)
        return text.format(peak=peak, rounds=reaction.rounds, time=time, last=last, span=span)

    def _paint(self) -> None:
        theme = self._theme.current
        self.plot.setBackground(theme.panel)
        self.wanted.setPen(pg.mkPen(theme.series_color(0), width=2))
        self.ready.setPen(pg.mkPen(theme.series_color(0), width=1, style=Qt.PenStyle.DotLine))
        self.needed.setPen(pg.mkPen(theme.muted, width=1, style=Qt.PenStyle.DashLine))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.enableAutoSIPrefix(False)


class _WholeAxis(pg.AxisItem):  # type: ignore[misc]
    """There is no half a pod."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        return [level for level in super().tickSpacing(minVal, maxVal, size) if level[0] >= 1] or [(1.0, 0.0)]


def _reaction(row: HorizontalPodAutoscaler, plan: Plan, load: LoadShape) -> Reaction | None:
    """Called in a thread: uses no Qt. None where the workload is not in the plan."""
    try:
        return what_if(plan, row, load, _SPAN_US)
    except KeyError:
        return None
