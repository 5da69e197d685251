"""Return presses the button that has the focus, as the space bar does; Qt has that in dialogs only."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def press_with_return(buttons: Iterable[QAbstractButton], owner: QWidget) -> None:
    """Let Return press these buttons, which live as long as their owner at most."""
    presses = _Presses(owner)
    for button in buttons:
        button.installEventFilter(presses)


class _Presses(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in _RETURN
        if is_press and isinstance(watched, QAbstractButton):
            watched.click()
            return True
        return False
