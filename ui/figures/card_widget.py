"""One card: title, value, a note below, and the difference to the baseline."""

import textwrap

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ui.figures.card import FigureCard
from ui.figures.change import Judgement
from ui.help.context_help import HelpText, show_help_on
from ui.process.guard import guarded
from ui.theme.theme import Theme

_LEAST_POINTS = 7.0
_BETWEEN_PARTS = " · "
_TIP_LETTERS = 80


class ElidedLabel(QLabel):
    """A line of text that leaves out its last parts where there is no room, and is cut with an ellipsis where that is
    not enough; the tool tip has all of it.
    """

    ink = ""
    """The colour of the text, kept here: a style sheet of the program that comes later takes a palette back."""

    def __init__(self, shrinks: bool = False) -> None:
        """`shrinks`: for a number, of which nothing may be missing; it gets smaller before it is cut."""
        super().__init__()
        self._shrinks = shrinks

    def minimumSizeHint(self) -> QSize:
        """Narrow: the text gives way."""
        return QSize(24, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """As wide as the text would like."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2, super().sizeHint().height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, cut to the width."""
        painter = QPainter(self)
        painter.setPen(QColor(self.ink))
        font, text = QFont(self.font()), self.shown_text()
        if self._shrinks:
            while font.pointSizeF() > _LEAST_POINTS and QFontMetricsF(font).horizontalAdvance(text) > self.width():
                font.setPointSizeF(font.pointSizeF() - 0.5)
        painter.setFont(font)
        text = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)

    def shown_text(self) -> str:
        """As many of its parts as there is room for, the first one in any case."""
        text, metrics = self.text(), self.fontMetrics()
        while _BETWEEN_PARTS in text and metrics.horizontalAdvance(text) > self.width():
            text = text.rpartition(_BETWEEN_PARTS)[0]
        return text


class CardWidget(QFrame):
    """Shows one FigureCard."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keyFigure")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)  # as high as the highest
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.WhatsThisCursor)
        self._theme = theme
        self._card: FigureCard | None = None
        self._title, self._value, self._note, self._change = (ElidedLabel(shrinks=line == 1) for line in range(4))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 7, 5, 7)
        layout.setSpacing(1)
        for label, points, is_bold in (
            (self._title, -1, False), (self._value, 5, True), (self._note, -1, False), (self._change, -1, True),
        ):  # fmt: skip
            font = label.font()
            font.setPointSizeF(font.pointSizeF() + points)
            font.setBold(is_bold)
            label.setFont(font)
            layout.addWidget(label)
        self.choose_theme(theme)

    def show_card(self, card: FigureCard) -> None:
        """Take over the texts."""
        if card == self._card:
            return
        self._card = card
        self._title.setText(card.title)
        self._value.setText(card.value)
        self._note.setText(card.note)
        self._change.setText(card.change.text if card.change else "")
        self._paint_change()
        parts = [card.value, card.note, card.change.text if card.change else ""]
        self.setAccessibleName(card.title)
        self.setAccessibleDescription(". ".join(part for part in parts if part))
        lines = "\n".join(part for part in (f"{card.title}: {card.value}", *parts[1:], card.help) if part).splitlines()
        self.setToolTip("\n".join(textwrap.fill(line, _TIP_LETTERS) for line in lines))

    def help_text(self) -> HelpText:
        """What the figure means and how it is computed."""
        card = self._card or FigureCard("", "")
        shown = " · ".join(part for part in (card.value, card.note) if part)
        facts = (
            (self.tr("Formula"), card.formula),
            (self.tr("Now"), shown),
            (self.tr("Difference"), card.change.text if card.change else ""),
        )
        return HelpText(card.title, card.help, facts)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            show_help_on(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            show_help_on(self)
        else:
            super().keyPressEvent(event)

    def show_change(self, is_shown: bool) -> None:
        """The line of the difference takes no room when there is no baseline."""
        self._change.setVisible(is_shown)

    def choose_theme(self, theme: Theme) -> None:
        """Colours."""
        self._theme = theme
        self.setStyleSheet(
            f"#keyFigure {{ background: {theme.panel}; border: 1px solid {theme.border}; border-radius: 8px; }}"
            f"#keyFigure:focus {{ border-color: {theme.accent}; }}"
            " #keyFigure QLabel { background: transparent; border: none; padding: 0; }"
        )
        for label, color in ((self._title, theme.muted), (self._value, theme.text), (self._note, theme.muted)):
            _color(label, color)
        self._paint_change()

    def _paint_change(self) -> None:
        verdict = self._card.change.verdict if self._card is not None and self._card.change else Judgement.SAME
        theme = self._theme
        colors = {Judgement.BETTER: theme.good, Judgement.WORSE: theme.bad, Judgement.SAME: theme.muted}
        _color(self._change, colors[verdict])


def _color(label: ElidedLabel, color: str) -> None:
    label.ink = color
    label.update()
