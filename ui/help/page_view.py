"""Shows a page with its pictures, each at most as wide as the page."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

_MARGINS_PX = 60
_LEAST_PX = 320


class PageView(QTextBrowser):
    """Pictures are looked up beside the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = Path()
        self.setOpenLinks(False)

    def look_in(self, folder: Path) -> None:
        """Where the pictures of the next page are."""
        self._folder = folder

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """See the class; nothing is loaded from elsewhere."""
        url = QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value or url.scheme():
            return None
        picture = QImage(str(self._folder / url.path()))
        most = max(_LEAST_PX, self.viewport().width() - _MARGINS_PX)
        if picture.width() <= most:
            return picture
        return picture.scaledToWidth(most, Qt.TransformationMode.SmoothTransformation)
