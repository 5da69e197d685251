"""How figures respond to numbers of the plan: curves, a heat map, a tornado chart."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName, Writing
from ui.theme.theme import ThemeSource

_HEAT, _TORNADO = "heat map", "tornado"
_BAR_HEIGHT = 0.6
_MOST_LABELLED = 200


class _FigureAxis(pg.AxisItem):  # type: ignore[misc]
    """Values of a figure with their unit; of others as they are."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.write: Callable[[float], str] | None = None

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.write is None:
            return list(super().tickStrings(values, scale, spacing))
        return [self.write(value) for value in values]


class ResponseView(QWidget):
    """One figure at a time, in one of the ways that the answer has."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: AnswerWords | None = None
        self._axes = {side: _FigureAxis(side) for side in ("left", "bottom")}
        self.figure, self.way = QComboBox(), QComboBox()
        self.plot = pg.PlotWidget(axisItems=self._axes, enableMenu=False)
        self.figure.setAccessibleName(self.tr("Figure"))
        self.way.setAccessibleName(self.tr("Kind of plot"))
        self.plot.setAccessibleName(self.tr("Response of the figure"))
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        across = QHBoxLayout()
        across.addWidget(self.figure)
        across.addWidget(self.way)
        across.addStretch(1)
        down = QVBoxLayout(self)
        down.setContentsMargins(8, 6, 8, 6)
        down.addLayout(across)
        down.addWidget(self.plot, 1)
        for box in (self.figure, self.way):
            box.currentIndexChanged.connect(self._draw)
        theme.changed.connect(self._draw)

    def show_answer(self, words: AnswerWords) -> bool:
        """Another answer; False if it says nothing of responses."""
        self._words, answer = words, words.answer
        curves = answer.more.get("curves") or {}
        sensitivity = answer.more.get("sensitivity") or {}
        paths = [str(one["path"]) for one in next(iter(curves.values()), [])]
        ways = [(self.tr("by {path}").format(path=words.path(path)), path) for path in paths]
        if answer.more.get("heatMap"):
            ways.insert(0, (self.tr("heat map"), _HEAT))
        if sensitivity.get("tornado"):
            ways.append((self.tr("tornado: each number at its ends"), _TORNADO))
        for box in (self.figure, self.way):
            box.blockSignals(True)
            box.clear()
        for name in answer.looked_at:
            self.figure.addItem(FigureName(name).shown, name)
        for title, way in ways:
            self.way.addItem(title, way)
        for box in (self.figure, self.way):
            box.blockSignals(False)
        self._draw()
        return bool(ways) and self.figure.count() > 0

    def _draw(self) -> None:
        theme = self._theme.current
        self.plot.clear()
        self.plot.setBackground(theme.panel)
        for axis in self._axes.values():
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setSIPrefixEnableRanges(())  # else values below 1 are shown in thousandths
            axis.enableAutoSIPrefix(False)
            axis.setTicks(None)
            axis.write = None
        words, name, way = self._words, self.figure.currentData(), self.way.currentData()
        if words is None or name not in words.answer.figures or way is None:
            return
        answer, write = words.answer, words.write(name)
        if way == _HEAT:
            self._draw_heat(answer.more["heatMap"], words, write)
        elif way == _TORNADO:
            self._draw_tornado(answer.more["sensitivity"]["tornado"].get(name, []), words, write)
        else:
            curve = next((one for one in answer.more["curves"].get(name, []) if one["path"] == way), None)
            if curve is not None:
                self._draw_curve(curve, words, write)
        self.plot.autoRange()

    def _draw_curve(self, curve: Mapping[str, Any], words: AnswerWords, write: Writing) -> None:
        theme, points = self._theme.current, curve["points"]
        x, labels = _positions([str(point["value"]) for point in points])
        mean = np.array([point["mean"] for point in points], dtype=np.float64)
        low = np.array([mean[at] if one["low"] is None else one["low"] for at, one in enumerate(points)])
        high = np.array([mean[at] if one["high"] is None else one["high"] for at, one in enumerate(points)])
        pen = pg.mkPen(theme.series_color(0), width=1)
        self.plot.addItem(pg.ErrorBarItem(x=x, y=mean, top=high - mean, bottom=mean - low, beam=0, pen=pen))
        self.plot.plot(x, mean, pen=pen, symbol="o", symbolSize=6, symbolBrush=theme.series_color(0), symbolPen=None)
        self.plot.setLabel("bottom", words.path(curve["path"]))
        self._axes["left"].write = write.plain
        self.plot.setLabel("left", write.name.shown)
        self.plot.getAxis("bottom").setTicks([list(zip(x, labels, strict=True))])

    def _draw_heat(self, heat: Mapping[str, Any], words: AnswerWords, write: Writing) -> None:
        theme = self._theme.current
        rows = np.array(heat["figures"][write.name.name], dtype=np.float64)
        image = pg.ImageItem(rows, axisOrder="row-major")
        image.setRect(QRectF(-0.5, -0.5, rows.shape[1], rows.shape[0]))
        colors = pg.ColorMap(np.array([0.0, 1.0]), [pg.mkColor(theme.panel), pg.mkColor(theme.series_color(0))])
        image.setColorMap(colors)
        self.plot.addItem(image)
        for side, part in (("bottom", heat["x"]), ("left", heat["y"])):
            self.plot.getAxis(side).setTicks([list(enumerate(map(str, part["values"])))])
            self.plot.setLabel(side, words.path(part["path"]))
        if rows.size <= _MOST_LABELLED:
            self._label_heat(rows, colors, write)

    def _label_heat(self, rows: NDArray[np.float64], colors: pg.ColorMap, write: Writing) -> None:
        theme = self._theme.current
        low, high = np.nanmin(rows, initial=np.inf), np.nanmax(rows, initial=-np.inf)
        for (down, across), value in np.ndenumerate(rows):
            shown, color = "–", theme.text
            if math.isfinite(value):
                share = (value - low) / (high - low) if high > low else 0.0
                shown, color = write.value(value), theme.text_on(colors.map(share, mode="qcolor"))
            text = pg.TextItem(shown, color=color, anchor=(0.5, 0.5))
            text.setPos(across, down)
            self.plot.addItem(text)

    def _draw_tornado(self, bars: Sequence[Mapping[str, Any]], words: AnswerWords, write: Writing) -> None:
        theme = self._theme.current
        rows = list(enumerate(reversed(bars)))
        for row, bar in rows:
            ends = sorted((bar["low"], bar["high"]))
            brush = pg.mkBrush(theme.series_color(0))
            item = pg.BarGraphItem(x0=[ends[0]], x1=[ends[1]], y=[row], height=_BAR_HEIGHT, brush=brush, pen=None)
            self.plot.addItem(item)
            for at, value in ((bar["lowAt"], bar["low"]), (bar["highAt"], bar["high"])):
                text = pg.TextItem(str(at), color=theme.text, anchor=(1.1 if value == ends[0] else -0.1, 0.5))
                text.setPos(value, row)
                self.plot.addItem(text)
        self.plot.getAxis("left").setTicks([[(row, words.path(str(bar["path"]))) for row, bar in rows]])
        self._axes["bottom"].write = write.plain
        self.plot.setLabel("left", "")
        self.plot.setLabel("bottom", write.name.shown)


def _positions(values: Sequence[str]) -> tuple[NDArray[np.float64], list[str]]:
    """Where values are on an axis: numbers at themselves, anything else one behind the other."""
    try:
        return np.array([float(value) for value in values]), list(values)
    except ValueError:
        return np.arange(float(len(values))), list(values)
