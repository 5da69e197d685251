"""The inputs of single values. Each shows a text and signals what was typed or chosen, as text."""

import itertools
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QUndoStack,
    QWheelEvent,
)
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QMenu, QPlainTextEdit, QWidget

from ui.process.guard import guarded

_GAP = 8
_visits = itertools.count()


def _is_undo(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and (
        event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
    )


class LineInput(QLineEdit):
    """A line with what its text amounts to written behind it, in a muted colour. Undo is the document's."""

    typed = Signal(str)

    def __init__(self, undo: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undo = undo
        self.visit = next(_visits)
        """Typing merges into one undo step as long as the line keeps the focus."""
        self._suffix = ""
        self._muted = QColor("#808080")
        self.extend_menu: Callable[[QMenu], None] | None = None
        self.textEdited.connect(self.typed)
        self.textChanged.connect(self._make_room)

    def show_text(self, text: str) -> None:
        """Show a text that was not typed here."""
        if text != self.text():
            place = self.cursorPosition()
            self.setText(text)
            self.setCursorPosition(min(place, len(text)) if self.hasFocus() else 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.visit = next(_visits)
        super().focusInEvent(event)

    def show_suffix(self, suffix: str, muted: str) -> None:
        """What the text amounts to."""
        self._suffix, self._muted = suffix, QColor(muted)
        self._make_room()
        self.update()

    def _room(self) -> int:
        """Pixels of the suffix; 0 where it would leave too little for the text."""
        metrics = self.fontMetrics()
        wanted = metrics.horizontalAdvance(self._suffix) + _GAP if self._suffix else 0
        text = metrics.horizontalAdvance(self.text()) + 3 * _GAP
        return wanted if wanted + text <= self.width() else 0

    def _make_room(self) -> None:
        room = self._room()
        if self.textMargins().right() != room:
            self.setTextMargins(0, 0, room, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._room():
            painter = QPainter(self)
            painter.setPen(self._muted)
            area = self.rect().adjusted(0, 0, -_GAP, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._suffix)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and _is_undo(event):
            event.ignore()  # the window's action undoes the step, not the letters
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self._undo.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self._undo.redo()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()  # a plan file is for the window
        else:
            super().dragEnterEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        if self.extend_menu is not None:
            menu.addSeparator()
            self.extend_menu(menu)
        menu.exec(event.globalPos())


class TextInput(QPlainTextEdit):
    """Several lines of text."""

    typed = Signal(str)

    def __init__(self, undo: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undo = undo
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 4 + 14)
        self._shows = False
        self.textChanged.connect(self._emit_typed)

    def text(self) -> str:
        """What it holds."""
        return self.toPlainText()

    def show_text(self, text: str) -> None:
        """Show a text that was not typed here."""
        if text != self.text():
            self._shows = True
            self.setPlainText(text)
            self._shows = False

    def _emit_typed(self) -> None:
        if not self._shows:
            self.typed.emit(self.text())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.ignore()  # a plan file is for the window
        else:
            super().dragEnterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self._undo.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self._undo.redo()
        else:
            super().keyPressEvent(event)


class ChoiceInput(QComboBox):
    """One of a few words. The wheel scrolls the form, it never changes a value under the pointer."""

    typed = Signal(str)

    def __init__(self, words: list[str], nothing: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._odd: str | None = None
        for word in words:
            self.addItem(word or nothing, word)
        self.activated.connect(self._emit_typed)

    def text(self) -> str:
        """The word that is chosen."""
        return str(self.currentData())

    def show_text(self, text: str) -> None:
        """Choose a word without a signal. A word that is not offered is shown too, until another one is chosen."""
        if text != self._odd and self._odd is not None:
            self.removeItem(self.count() - 1)
            self._odd = None
        if self.findData(text) < 0:
            self.addItem(text, text)
            self._odd = text
        self.setCurrentIndex(self.findData(text))

    def _emit_typed(self, _index: int) -> None:
        self.typed.emit(self.text())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class NameInput(QComboBox):
    """A name that may be chosen among those there are, or typed."""

    typed = Signal(str)

    def __init__(self, names: Callable[[], list[str]], undo: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.line = LineInput(undo, self)
        self.setLineEdit(self.line)
        self.setCompleter(None)  # type: ignore[arg-type]
        self.line.typed.connect(self.typed)
        self.activated.connect(lambda _index: self.typed.emit(self.currentText()))

    def text(self) -> str:
        """The name."""
        return self.currentText()

    def show_text(self, text: str) -> None:
        """Show a name without a signal."""
        if text != self.currentText():
            self.setEditText(text)

    def showPopup(self) -> None:
        text = self.currentText()
        self.clear()
        self.addItems(self._names())
        self.setCurrentIndex(self.findText(text))
        self.setEditText(text)
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self.count():
            self.addItems(self._names())
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class SwitchInput(QCheckBox):
    """Yes or no."""

    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clicked.connect(lambda on: self.typed.emit("true" if on else "false"))

    def text(self) -> str:
        """ "true" or "false"."""
        return "true" if self.isChecked() else "false"

    def show_text(self, text: str) -> None:
        """Set it without a signal."""
        self.setChecked(text.casefold() == "true")


Input = LineInput | TextInput | ChoiceInput | NameInput | SwitchInput
