"""The legend of a plot: what each curve is, and its value at the cursor beside that of the baseline."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.plots.catalogue import Ink, Stroke
from ui.plots.curves.curves import Curve
from ui.plots.curves.paints import color_of, paint_of
from ui.process.guard import guarded
from ui.theme.theme import Theme
from ui.wording.translations import translated

_SWATCH, _GAP, _SPACE = 16, 5, 14
_MOST_MEASURED = 500


class Entry(NamedTuple):
    """One entry. Without a curve to read from it only explains a stroke."""

    label: str
    sample: Curve
    """Curve whose look the entry shows."""
    read: Curve | None
    """Curve whose value it shows."""
    shows_color: bool = True
    """False draws the stroke in grey: it is shared by many subjects."""


class Reading(NamedTuple):
    """Texts of the values; empty where there is none."""

    value: str
    baseline: str = ""


def legend_entries(curves: Sequence[Curve]) -> list[Entry]:
    """Entries for curves in drawing order: one each, or strokes first and then one per subject."""
    lines = [curve for curve in curves if curve.stroke is not Stroke.STACK and curve.tone is not Ink.MUTED]
    totals = [Entry(_label(curve), curve, curve) for curve in curves if curve.tone is Ink.MUTED]
    stacked = [Entry(_name(curve), curve, curve) for curve in reversed(curves) if curve.stroke is Stroke.STACK]
    subjects = dict.fromkeys(curve.subject for curve in lines if curve.subject)
    if len(subjects) <= 1:
        return [*(Entry(_label(curve), curve, curve) for curve in lines), *stacked, *totals]
    entries: list[Entry] = []
    seen: dict[str, None] = {}
    for curve in lines:
        if curve.line.column not in seen:
            seen[curve.line.column] = None
            is_many = bool(curve.subject)
            entries.append(Entry(_label(curve), curve, None if is_many else curve, shows_color=not is_many))
    for subject in subjects:
        main = _main([curve for curve in lines if curve.subject == subject])
        entries.append(Entry(subject, main, main))
    return [*entries, *stacked, *totals]


def _main(curves: Sequence[Curve]) -> Curve:
    return next((curve for curve in curves if curve.stroke is Stroke.SOLID), curves[0])


def _label(curve: Curve) -> str:
    return translated(curve.line.label)


def _name(curve: Curve) -> str:
    if curve.subject:
        return curve.subject
    return QCoreApplication.translate("plots", "{count} others").format(count=curve.count)


class Legend(QWidget):
    """Paints as many entries as fit; the tool tip has them all."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entries: list[Entry] = []
        self.readings: list[Reading] = []
        self._widths: list[float] = []
        self._advances: dict[str, float] = {}
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 4)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Restart."""
        self.entries, self.readings = list(entries), [Reading("")] * len(entries)
        self._widths = [0.0] * len(entries)
        self.update()

    def show_values(self, read: Callable[[Curve], Reading]) -> None:
        """Take over the values under the cursor."""
        readings = [read(entry.read) if entry.read is not None else Reading("") for entry in self.entries]
        if readings != self.readings:
            self.readings = readings
            self.update()
            self.setAccessibleDescription(self.full_text())

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme
        self.update()

    def full_text(self) -> str:
        """All entries with their values, one a line."""
        versus = QCoreApplication.translate("plots", "{label}: {value} (baseline {baseline})")
        lines = []
        for entry, reading in zip(self.entries, self.readings, strict=True):
            if reading.baseline:
                lines.append(versus.format(label=entry.label, value=reading.value, baseline=reading.baseline))
            else:
                lines.append(f"{entry.label}: {reading.value}" if reading.value else entry.label)
        return "\n".join(lines)

    # -- painting ---------------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, x, left_out = QFontMetricsF(self.font()), 0.0, 0
        room = self.width() - self._advance("+99", metrics)
        for position in range(len(self.entries)):
            width = self._width(position, metrics)
            if x + width > (self.width() if position + 1 == len(self.entries) else room):
                left_out = len(self.entries) - position
                break
            self._paint_entry(painter, position, x, metrics)
            x += width + _SPACE
        if left_out:
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(QPointF(x, self._baseline(metrics)), f"+{left_out}")
        painter.end()

    def event(self, event: QEvent) -> bool:
        """The tool tip is made when it is asked for: values change ten times a second."""
        if event.type() is QEvent.Type.ToolTip:
            self.setToolTip(self.full_text())
        elif event.type() is QEvent.Type.FontChange:
            self._advances.clear()
        return super().event(event)

    def _advance(self, text: str, metrics: QFontMetricsF) -> float:
        """The width of a text, measured once."""
        if text not in self._advances:
            if len(self._advances) >= _MOST_MEASURED:
                self._advances.clear()
            self._advances[text] = metrics.horizontalAdvance(text)
        return self._advances[text]

    def _baseline(self, metrics: QFontMetricsF) -> float:
        return (self.height() + metrics.ascent() - metrics.descent()) / 2

    def _width(self, position: int, metrics: QFontMetricsF) -> float:
        """Room for an entry; it never shrinks, so that the others do not jump about while values change."""
        reading = self.readings[position]
        width = _SWATCH + _GAP + self._advance(self.entries[position].label, metrics)
        for text in (reading.value, reading.baseline and f"({reading.baseline})"):
            width += _GAP + self._advance(text, metrics) if text else 0.0
        self._widths[position] = max(self._widths[position], width)
        return self._widths[position]

    def _paint_entry(self, painter: QPainter, position: int, x: float, metrics: QFontMetricsF) -> None:
        entry, reading, theme = self.entries[position], self.readings[position], self._theme
        self._paint_swatch(painter, entry, x)
        x += _SWATCH + _GAP
        baseline = f"({reading.baseline})" if reading.baseline else ""
        parts = ((entry.label, theme.muted), (reading.value, theme.text), (baseline, theme.muted))
        for text, color in parts:
            if text:
                painter.setPen(QColor(color))
                painter.drawText(QPointF(x, self._baseline(metrics)), text)
                x += self._advance(text, metrics) + _GAP

    def _paint_swatch(self, painter: QPainter, entry: Entry, x: float) -> None:
        paint, middle = paint_of(entry.sample, self._theme), self.height() / 2
        if paint.brush is not None:
            painter.fillRect(QRectF(x + 2, middle - 5, _SWATCH - 4, 10), paint.brush)
            painter.setPen(QPen(color_of(entry.sample, self._theme), 2))
            painter.drawLine(QPointF(x + 2, middle - 5), QPointF(x + _SWATCH - 2, middle - 5))
            return
        pen = QPen(paint.pen)
        pen.setWidthF(2.0)
        pen.setCosmetic(False)
        if entry.sample.stroke in (Stroke.DASHED, Stroke.DOTTED):
            pen.setDashPattern([2.2, 1.4] if entry.sample.stroke is Stroke.DASHED else [1.0, 1.2])
        if not entry.shows_color and entry.sample.tone is Ink.SUBJECT:
            pen.setColor(self._theme.pale(self._theme.muted, 0.5 if entry.sample.stroke is Stroke.FAINT else 1.0))
        painter.setPen(pen)
        painter.drawLine(QPointF(x, middle), QPointF(x + _SWATCH, middle))
