"""A growing load as a calendar: each month's cost as a bar, its nodes above it, and in red where something breaks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from planner.plan.values.money import money_text
from ui.answers.band_plot import UnitAxis
from ui.answers.words.answer_words import AnswerWords
from ui.theme.theme import ThemeSource
from ui.wording.numbers import Unit

_BAR_WIDTH, _MOST_LABELLED = 0.7, 36
_LINES, _MOST_FOR_TEXTS = 4, 0.7
"""Of text above the highest bar, and the share of the height that they may take."""


class GrowthView(QWidget):
    """One answer at a time."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: AnswerWords | None = None
        axis = UnitAxis()
        axis.unit = Unit.AMOUNT
        self.plot = pg.PlotWidget(axisItems={"left": axis}, enableMenu=False)
        self.plot.setAccessibleName(self.tr("Cost and capacity by month"))
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        caption = QLabel(
            self.tr("Each month's cost; above it the load and the most nodes. ✗ and red: something breaks.")
        )
        caption.setProperty("muted", True)
        down = QVBoxLayout(self)
        down.setContentsMargins(8, 6, 8, 6)
        down.addWidget(caption)
        down.addWidget(self.plot, 1)
        theme.changed.connect(self._draw)

    def show_answer(self, words: AnswerWords) -> bool:
        """Another answer; False if it has no months."""
        self._words = words
        self._draw()
        return bool(self._months())

    def _months(self) -> list[Mapping[str, Any]]:
        """Today, and the months to come; answers of earlier versions do not know today."""
        if self._words is None:
            return []
        today, months = self._words.answer.more.get("today"), self._words.answer.more.get("months") or ()
        return [today, *months] if today else list(months)

    def _draw(self) -> None:
        theme, months, words = self._theme.current, self._months(), self._words
        self.plot.clear()
        self.plot.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setSIPrefixEnableRanges(())  # else values below 1 are shown in thousandths
            axis.enableAutoSIPrefix(False)
        if not months or words is None:
            return
        for broken, color in ((False, theme.series_color(0)), (True, theme.bad)):
            chosen = [one for one in months if bool(one["breaks"]) is broken]
            at = np.array([one["month"] for one in chosen], dtype=np.float64)
            cost = np.array([one["cost"] for one in chosen], dtype=np.float64)
            if len(chosen):
                self.plot.addItem(pg.BarGraphItem(x=at, height=cost, width=_BAR_WIDTH, brush=color, pen=None))
        if len(months) <= _MOST_LABELLED:
            self._label(months, words.currency)
        self.plot.setLabel("bottom", self.tr("month"))
        self.plot.setLabel("left", self.tr("cost a month ({currency})").format(currency=words.currency))
        self.plot.getAxis("bottom").setTicks([[(one["month"], self._name(one)) for one in months]])
        self.plot.setXRange(months[0]["month"] - 0.6, months[-1]["month"] + 0.6, padding=0.0)
        self._make_room(months)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The texts keep their height."""
        super().resizeEvent(event)
        if months := self._months():
            self._make_room(months)

    def _make_room(self, months: list[Mapping[str, Any]]) -> None:
        """Texts above the highest bar are seen whole, however low the view is."""
        height = max(self.plot.getViewBox().height(), 1.0)
        share = min((_LINES + 1) * self.fontMetrics().lineSpacing() / height, _MOST_FOR_TEXTS)
        top = max(max(one["cost"] for one in months), 1e-9) / (1.0 - share)
        self.plot.setYRange(0.0, top, padding=0.0)

    def _name(self, month: Mapping[str, Any]) -> str:
        return str(month["month"]) if month["month"] else self.tr("today")

    def _label(self, months: list[Mapping[str, Any]], currency: str) -> None:
        theme = self._theme.current
        for one in months:
            lines = [
                "✗" if one["breaks"] else "",
                self.tr("load × {load}").format(load=f"{one['load']:.3g}"),
                self.tr("{count} nodes").format(count=f"{one['nodesPeak']:.3g}"),
                money_text(one["cost"], currency),
            ]
            if len(months) > _MOST_LABELLED // 2:
                lines = [lines[0], f"{one['nodesPeak']:.3g}"]
            text = pg.TextItem("\n".join(line for line in lines if line), color=theme.text, anchor=(0.5, 1.0))
            text.setPos(one["month"], one["cost"])
            self.plot.addItem(text)
