"""Pens and brushes of curves: colour shows the subject, stroke the metric."""

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from ui.plots.catalogue import Ink, Stroke
from ui.plots.curves.curves import Curve
from ui.theme.theme import Theme

_DASHES = {Stroke.DASHED: [5.0, 3.0], Stroke.DOTTED: [1.5, 2.5]}
_STACK_SHARE = 0.38
_EDGE_SHARE = 0.6
_AREA_SHARE = 0.30
_FAINT_SHARE = 0.45
_MAIN_WIDTH = 1.3
_BASELINE_SHARE = 0.75
BASELINE_DASHES = [2.0, 2.5]


class Paint(NamedTuple):
    """How a curve is drawn; no brush means no filling."""

    pen: QPen
    brush: QBrush | None


def color_of(curve: Curve, theme: Theme) -> QColor:
    """The full colour of a curve."""
    if curve.tone is Ink.SUBJECT:
        return QColor(theme.series_color(curve.color_index))
    named = {
        Ink.TEXT: theme.text,
        Ink.MUTED: theme.muted,
        Ink.ACCENT: theme.accent,
        Ink.BAD: theme.bad,
        Ink.PENDING: theme.pending,
    }
    return QColor(named[curve.tone])


def paint_of(curve: Curve, theme: Theme) -> Paint:
    """Pen and brush of a curve. Areas let the grid shine through."""
    color = color_of(curve, theme)
    if curve.stroke is Stroke.STACK:
        return Paint(line_pen(theme.pale(color, _EDGE_SHARE)), QBrush(_glass(color, _STACK_SHARE)))
    if curve.stroke is Stroke.AREA:
        return Paint(line_pen(color), QBrush(_glass(color, _AREA_SHARE)))
    if curve.stroke is Stroke.FAINT:
        return Paint(line_pen(theme.pale(color, _FAINT_SHARE)), None)
    return Paint(line_pen(color, _DASHES.get(curve.stroke), _MAIN_WIDTH), None)


def baseline_pen(theme: Theme) -> QPen:
    """Curves of the run that is compared with stay in the background."""
    return line_pen(theme.pale(theme.muted, _BASELINE_SHARE), BASELINE_DASHES)


def line_pen(color: QColor | str, dashes: list[float] | None = None, width: float = 1.0) -> QPen:
    """A pen whose width does not change with the scale of the plot."""
    pen = QPen(QColor(color), width)
    pen.setCosmetic(True)
    if dashes is not None:
        pen.setDashPattern(dashes)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _glass(color: QColor, share: float) -> QColor:
    glass = QColor(color)
    glass.setAlphaF(share)
    return glass
