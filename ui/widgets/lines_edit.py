"""A text of a few lines that is edited as one value: as high as its lines are many."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

_MOST_LINES = 8
_AROUND_PX = 7
"""Between text and edge, above as below."""


class LinesEdit(QPlainTextEdit):
    """Used as a QLineEdit is: Enter ends the editing, Shift and Enter begin a line."""

    editingFinished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)
        self._fit()

    def text(self) -> str:
        """All lines."""
        return self.toPlainText()

    def setText(self, text: str) -> None:  # as Qt names it
        """Other lines, which nobody has edited yet."""
        self.setPlainText(text)
        self.setModified(False)

    def isModified(self) -> bool:  # as Qt names it
        """Whether it was edited since it was set."""
        return self.document().isModified()

    def setModified(self, on: bool) -> None:  # as Qt names it
        """Whether it counts as edited."""
        self.document().setModified(on)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.editingFinished.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.editingFinished.emit()

    def _fit(self) -> None:
        lines = min(max(self.blockCount(), 1), _MOST_LINES)
        is_cut = self.blockCount() > _MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_cut else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2 * _AROUND_PX)
