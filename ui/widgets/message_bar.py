"""Messages inside the window: what happened, where, and what to do. None of them is modal."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ui.theme.icons import tinted_icon, tinted_pixmap
from ui.theme.theme import ThemeSource
from ui.widgets.return_presses import press_with_return

_ICON_PX = 18
_BRIEF_MS = 6_000
_MOST = 4
"""More at once would push the plan out of sight; the oldest goes."""

Action = tuple[str, Callable[[], object]]
"""Text of a button and what it does; the message goes with the click."""


class MessageKind(StrEnum):
    """How much a message matters; also the name of its drawing."""

    INFO = "info"
    GOOD = "good"
    WARNING = "warning"
    ERROR = "error"


class MessageBar(QWidget):
    """The messages of a window, one below the other, the newest at the top."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._messages: list[Message] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 8, 10, 0)
        self._layout.setSpacing(5)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def messages(self) -> "tuple[Message, ...]":
        """What is shown now, the newest first."""
        return tuple(self._messages)

    def show_message(
        self,
        kind: MessageKind,
        text: str,
        remedy: str = "",
        actions: Sequence[Action] = (),
        *,
        key: str = "",
        brief: bool = False,
    ) -> None:
        """Show a message; one with the same non-empty `key` is replaced. `brief` ones go by themselves."""
        if key:
            self.withdraw(key)
        message = Message(self._theme, kind, text, remedy, actions, key)
        message.finished = lambda: self._remove(message)
        self._messages.insert(0, message)
        self._layout.insertWidget(0, message)
        for oldest in self._messages[_MOST:]:
            self._remove(oldest)
        self.show()
        if brief:
            QTimer.singleShot(_BRIEF_MS, message, message.end)

    def withdraw(self, key: str) -> None:
        """Take back the message with this key, if it is there."""
        for message in [known for known in self._messages if known.key == key]:
            self._remove(message)

    def _remove(self, message: "Message") -> None:
        if message in self._messages:
            self._messages.remove(message)
            self._layout.removeWidget(message)
            message.hide()
            message.deleteLater()
        self.setVisible(bool(self._messages))


class Message(QFrame):
    """One message: drawing, text, remedy, buttons and a cross."""

    def __init__(
        self, theme: ThemeSource, kind: MessageKind, text: str, remedy: str, actions: Sequence[Action], key: str
    ) -> None:
        super().__init__()
        self.kind, self.text, self.remedy, self.key = kind, text, remedy, key
        self.finished: Callable[[], None] = lambda: None
        self._theme = theme
        self.setObjectName("message")
        self.setProperty("kind", kind.value)
        self.setAccessibleName(f"{text} {remedy}".strip())
        self._icon, self._cross = QLabel(), QToolButton()
        self.buttons = [self._button(name, act) for name, act in actions]
        self._compose()
        press_with_return((*self.buttons, self._cross), self)
        theme.changed.connect(self._paint)
        self._paint()

    def end(self) -> None:
        """Take this message away."""
        self.finished()

    def _compose(self) -> None:
        words = QLabel(f"{self.text}\n{self.remedy}" if self.remedy else self.text)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._cross.setAutoRaise(True)
        self._cross.setToolTip(self.tr("Close this message"))
        self._cross.setAccessibleName(self.tr("Close this message"))
        self._cross.clicked.connect(self.end)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(10)
        row.addWidget(self._icon)
        row.addWidget(words, 1)
        for button in self.buttons:
            row.addWidget(button)
        row.addWidget(self._cross)

    def _button(self, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(name)

        def click() -> None:
            self.end()
            act()

        button.clicked.connect(click)
        return button

    def _paint(self) -> None:
        theme = self._theme.current
        color = {
            MessageKind.INFO: theme.accent,
            MessageKind.GOOD: theme.good,
            MessageKind.WARNING: theme.warn,
            MessageKind.ERROR: theme.bad,
        }[self.kind]
        self._icon.setPixmap(tinted_pixmap(self.kind.value, color, _ICON_PX, self.devicePixelRatioF()))
        self._cross.setIcon(tinted_icon("close", theme.muted, theme.border))
        self._cross.setIconSize(QSize(14, 14))
