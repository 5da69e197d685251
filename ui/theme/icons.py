"""Icons of the window: own SVG drawings, tinted to the theme."""

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from ui.process.folders import resource
from ui.theme.theme import Theme, ThemeSource

_SIZES_PX = (16, 20, 24, 32, 40, 48, 64)


def tinted_pixmap(name: str, color: str, size_px: int, ratio: float = 1.0) -> QPixmap:
    """A drawing of `resources/icons` in one colour; `size_px` counts logical pixels."""
    key, kept = f"{name} {color} {size_px} {ratio}", QPixmap()
    if QPixmapCache.find(key, kept):
        return kept
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace(b"currentColor", color.encode("ascii"))))
    side = round(size_px * ratio)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


@cache
def _drawing(name: str) -> bytes:
    """A file of `resources/icons`; it is drawn in many sizes and colours."""
    return resource("icons", f"{name}.svg").read_bytes()


def tinted_icon(name: str, color: str, disabled: str) -> QIcon:
    """A drawing as an icon for all usual sizes, paler when disabled."""
    icon = QIcon()
    for size in _SIZES_PX:
        icon.addPixmap(tinted_pixmap(name, color, size), QIcon.Mode.Normal)
        icon.addPixmap(tinted_pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return icon


class Icons(QObject):
    """Gives actions and buttons their icons and repaints them when the theme changes."""

    def __init__(self, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dressed: dict[QObject, Callable[[Theme], QIcon]] = {}
        theme.changed.connect(self._dress_all)

    def dress(self, owner: QAction | QAbstractButton, name: str, *, on_accent: bool = False) -> None:
        """Give an action or button the drawing `name`; `on_accent` if it is drawn on the accent colour."""

        def icon(theme: Theme) -> QIcon:
            return tinted_icon(name, theme.on_accent if on_accent else theme.text, theme.border)

        self._dressed[owner] = icon
        owner.destroyed.connect(lambda: self._dressed.pop(owner, None))
        owner.setIcon(icon(self._theme.current))

    def _dress_all(self) -> None:
        for owner, icon in self._dressed.items():
            if isinstance(owner, QAction | QAbstractButton):
                owner.setIcon(icon(self._theme.current))
