"""Menus that are filled again whenever they open."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu


def emptied(menu: QMenu) -> QMenu:
    """The menu without entries, nor the menus and groups below it, which `QMenu.clear` leaves alive."""
    menu.clear()
    for below in menu.findChildren(QObject, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if isinstance(below, QMenu | QActionGroup):
            below.deleteLater()
    return menu
