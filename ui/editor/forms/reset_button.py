"""The small button beside a field that differs from its default."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from ui.theme.icons import tinted_icon
from ui.theme.theme import ThemeSource

ROOM_PX = 20
"""Kept free beside every field that has a default, so that inputs are aligned."""
_ICON_PX = 12


class ResetButton(QToolButton):
    """Sets the field to its default."""

    def __init__(self, field: str, default: str, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        default = default or self.tr("empty")
        self.setObjectName("resetField")
        self.setAutoRaise(True)
        self.setFixedSize(ROOM_PX, ROOM_PX)
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name = self.tr("Reset {field} to the default ({default})").format(field=field, default=default)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self._dress()
        theme.changed.connect(self._dress)

    def _dress(self) -> None:
        theme = self._theme.current
        self.setIcon(tinted_icon("undo", theme.muted, theme.border))
