"""Every plan that a search tried: what it costs against how often it keeps what is asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ui.answers.words.answer_words import AnswerWords
from ui.answers.words.texts import FigureName
from ui.theme.theme import ThemeSource

_POINT_PX, _BEST_PX = 8, 18
_ALPHA = 160
_PADDING = 0.06


class ParetoView(QWidget):
    """A click on a point makes a variant of its plan."""

    variant_wanted = Signal(str, tuple)
    """A name, and the changes that make the plan."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words: AnswerWords | None = None
        self._paths: tuple[str, ...] = ()
        self.plot, self.points = pg.PlotWidget(enableMenu=False), pg.ScatterPlotItem()
        self.plot.setAccessibleName(self.tr("Cost against risk"))
        self.plot.hideButtons()
        caption = QLabel(
            self.tr("Every tried plan, the front, and the best one (star). Click a point to keep it as a variant.")
        )
        caption.setProperty("muted", True)
        down = QVBoxLayout(self)
        down.setContentsMargins(8, 6, 8, 6)
        down.addWidget(caption)
        down.addWidget(self.plot, 1)
        theme.changed.connect(self._draw)

    def show_answer(self, words: AnswerWords, paths: Sequence[str]) -> bool:
        """Another answer, and the paths that its points set; False if it tried no plans."""
        self._words, self._paths = words, tuple(paths)
        self._draw()
        return bool(self._known())

    def choose(self, candidate: Mapping[str, Any]) -> None:
        """Keep this plan as a variant."""
        values = [str(value) for value in candidate["values"]]
        if len(values) == len(self._paths) and self._words is not None:
            changes = tuple(f"{path} = {value}" for path, value in zip(self._paths, values, strict=True))
            self.variant_wanted.emit(self._shown(candidate)[:80].strip(), changes)

    def _shown(self, candidate: Mapping[str, Any]) -> str:
        name = str(candidate["name"])
        return self._words.shown(name) if self._words is not None else name

    def _known(self) -> list[Mapping[str, Any]]:
        found = self._words.answer.more.get("candidates") or [] if self._words is not None else []
        return [one for one in found if one["objective"] is not None and one["kept"] is not None]

    def _draw(self) -> None:
        self._clear()
        words, known = self._words, self._known()
        if words is None or not known:
            return
        more = words.answer.more
        self._draw_front(more.get("pareto") or [])
        self._draw_points(known, more.get("best"))
        if more.get("clairvoyant") is not None:
            self._draw_bound(more["clairvoyant"]["mean"])
        self._name_axes(words)

    def _clear(self) -> None:
        theme = self._theme.current
        self.plot.clear()
        self.plot.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setSIPrefixEnableRanges(())  # else values below 1 are shown in thousandths
            axis.enableAutoSIPrefix(False)

    def _draw_front(self, front: Sequence[Mapping[str, Any]]) -> None:
        x, y = [one["objective"] for one in front], [one["kept"] for one in front]
        pen = pg.mkPen(self._theme.current.series_color(0))
        self.plot.plot(np.array(x, dtype=np.float64), np.array(y, dtype=np.float64), pen=pen)

    def _draw_points(self, known: Sequence[Mapping[str, Any]], best: object) -> None:
        theme = self._theme.current
        plain, star = pg.mkColor(theme.series_color(4)), pg.mkColor(theme.good)
        plain.setAlpha(_ALPHA)
        self.points = pg.ScatterPlotItem(hoverable=True, tip=lambda x, y, data: self._shown(data))
        self.points.addPoints(
            [
                {
                    "pos": (one["objective"], one["kept"]["mean"]),
                    "data": one,
                    "symbol": "star" if one["name"] == best else "o",
                    "size": _BEST_PX if one["name"] == best else _POINT_PX,
                    "brush": star if one["name"] == best else plain,
                    "pen": None,
                }
                for one in known
            ]
        )
        self.points.sigClicked.connect(self._click)
        self.plot.addItem(self.points)

    def _draw_bound(self, objective: float) -> None:
        muted = self._theme.current.muted
        self.plot.addItem(
            pg.InfiniteLine(
                objective,
                pen=pg.mkPen(muted, style=Qt.PenStyle.DotLine),
                label=self.tr("had the load been known"),
                labelOpts={"position": 0.5, "color": muted, "rotateAxis": (1, 0)},
            )
        )

    def _name_axes(self, words: AnswerWords) -> None:
        minimised = FigureName(str(words.answer.more.get("minimise", "cost")))
        figure = words.answer.figures.get(minimised.name)
        self.plot.setLabel("bottom", f"{minimised.shown} ({figure.unit})" if figure is not None else minimised.shown)
        self.plot.setLabel("left", self.tr("runs that keep what is asked for"))
        self.plot.getAxis("left").setTicks([[(share / 4.0, f"{25 * share} %") for share in range(5)]])
        self.plot.autoRange()
        self.plot.setYRange(0.0, 1.0, padding=_PADDING)

    def _click(self, _item: object, spots: Sequence[Any], _event: object) -> None:
        if len(spots):
            self.choose(spots[0].data())
