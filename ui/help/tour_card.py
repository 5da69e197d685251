"""A tour of the window: a card beside a part of it, and a frame around that part. The window stays usable meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.process.guard import guarded
from ui.theme.theme import ThemeSource
from ui.widgets.return_presses import press_with_return

_WIDTH_PX, _GAP_PX = 360, 10
_FRAME_PX, _RADIUS_PX = 3, 6
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


@dataclass(frozen=True)
class TourStep:
    """What is said of one part of the window."""

    title: str
    text: str
    part: QWidget


class TourCard(QFrame):
    """Goes through the steps; Esc ends it, wherever the focus is. It takes no click from the rest of the window."""

    ended = Signal()

    def __init__(self, steps: Sequence[TourStep], theme: ThemeSource, window: QWidget) -> None:
        super().__init__(window)
        self._steps, self._window = tuple(steps), window
        self.position = 0
        self.frame = _PartFrame(theme, window)
        self.setObjectName("helpCard")
        self.setFixedWidth(_WIDTH_PX)
        self._count, self.title, self.text = QLabel(), QLabel(), QLabel()
        self.back, self.next, self.end_button = QPushButton(self.tr("&Back")), QPushButton(), QPushButton()
        self._lay_out()
        self.back.clicked.connect(lambda: self.show_step(self.position - 1))
        self.next.clicked.connect(lambda: self.show_step(self.position + 1))
        self.end_button.clicked.connect(self.end)
        press_with_return((self.back, self.next, self.end_button), self)
        for watched in {window, *(step.part for step in self._steps)}:
            watched.installEventFilter(self)

    def _lay_out(self) -> None:
        self.title.setProperty("heading", True)
        self._count.setProperty("muted", True)
        self.text.setWordWrap(True)
        self.end_button.setText(self.tr("&End tour"))
        self.next.setProperty("primary", True)
        head, buttons = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self._count)
        buttons.addWidget(self.end_button)
        buttons.addStretch(1)
        buttons.addWidget(self.back)
        buttons.addWidget(self.next)
        down = QVBoxLayout(self)
        down.setContentsMargins(14, 12, 14, 12)
        down.setSpacing(8)
        down.addLayout(head)
        down.addWidget(self.text)
        down.addLayout(buttons)

    def show_step(self, position: int) -> None:
        """Show this step, counted from 0; after the last one the tour is over."""
        if position >= len(self._steps):
            self.end()
            return
        self.position, step = position, self._steps[position]
        self._count.setText(self.tr("{step} of {steps}").format(step=position + 1, steps=len(self._steps)))
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.back.setEnabled(position > 0)
        self.next.setText(self.tr("&Done") if position == len(self._steps) - 1 else self.tr("&Next"))
        self.setAccessibleName(f"{step.title}, {self._count.text()}")
        self.setAccessibleDescription(step.text)
        self._place()
        self.next.setFocus(Qt.FocusReason.PopupFocusReason)

    def end(self) -> None:
        """The tour is over."""
        self.frame.hide()
        self.frame.deleteLater()
        self.hide()
        self.deleteLater()
        self.ended.emit()

    def _place(self) -> None:
        """Put frame and card where the part is now."""
        part = self._steps[self.position].part
        shown = QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()) if part.isVisible() else QRect()
        self.frame.surround(shown)
        size = QSize(_WIDTH_PX, max(self.heightForWidth(_WIDTH_PX), self.sizeHint().height()))
        self.resize(size)
        self.move(place_beside(shown, size, self._window.rect()))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and self.isVisible():
            QTimer.singleShot(0, self, self._place)
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if watched is not self._window or not is_escape or not self.isVisible():
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # or the key would go to the action that stops the run
        elif event.type() == QEvent.Type.KeyPress:
            self.end()
        return True


class _PartFrame(QWidget):
    """A frame that lies over the window and lets every click through."""

    def __init__(self, theme: ThemeSource, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self.update)

    def surround(self, part: QRect) -> None:
        """Show the frame around this part of the window; nowhere if it is empty."""
        self.setGeometry(part.adjusted(-_FRAME_PX, -_FRAME_PX, _FRAME_PX, _FRAME_PX))
        self.setVisible(not part.isEmpty())
        self.raise_()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.current.accent), _FRAME_PX))
        inside = self.rect().adjusted(_FRAME_PX - 1, _FRAME_PX - 1, 1 - _FRAME_PX, 1 - _FRAME_PX)
        painter.drawRoundedRect(inside, _RADIUS_PX, _RADIUS_PX)
        painter.end()


def place_beside(part: QRect, card: QSize, window: QRect) -> QPoint:
    """Where the card hides least of the part: below, right, above or left of it, within the window."""
    corners = (
        QPoint(part.left(), part.bottom() + _GAP_PX),
        QPoint(part.right() + _GAP_PX, part.top()),
        QPoint(part.left(), part.top() - card.height() - _GAP_PX),
        QPoint(part.left() - card.width() - _GAP_PX, part.top()),
    )
    room = window.adjusted(_GAP_PX, _GAP_PX, -_GAP_PX, -_GAP_PX)
    places = [QRect(_within(corner, card, room), card) for corner in corners]
    return min(places, key=lambda place: _area(place & part)).topLeft()


def _within(corner: QPoint, card: QSize, room: QRect) -> QPoint:
    left = max(room.left(), min(corner.x(), room.right() - card.width()))
    return QPoint(left, max(room.top(), min(corner.y(), room.bottom() - card.height())))


def _area(overlap: QRect) -> int:
    return 0 if overlap.isEmpty() else overlap.width() * overlap.height()
