"""The headings of the lanes: names, and what of them is requested and used."""

from PySide6.QtCore import QElapsedTimer, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QWidget

from ui.map.drawing.layout import HEAD_PX
from ui.map.drawing.scene import MapScene
from ui.map.drawing.words import heading_of

_READ_MS = 100
"""While the time is scrubbed, sums are added up and written at most so often: nobody reads faster."""
_BETWEEN_PX = 22


class Headings:
    """Paints them over the map. While moments follow each other quickly those of a moment ago stay for a while."""

    def __init__(self, view: QWidget) -> None:
        self._view = view
        self._of: MapScene | None = None
        self._texts: tuple[tuple[str, str], ...] = ()
        self._since = QElapsedTimer()
        self._late = QTimer(view, singleShot=True, interval=_READ_MS)
        self._late.timeout.connect(view.update)

    def forget(self) -> None:
        """The next ones are of another run, or of more of the same."""
        self._of = None

    def texts(self, scene: MapScene) -> tuple[tuple[str, str], ...]:
        """Name and facts of each lane."""
        of = self._of
        if of is scene:
            return self._texts
        if of is None or of.look != scene.look or self._since.hasExpired(_READ_MS):
            self._of, self._texts = scene, tuple(heading_of(scene, lane) for lane in range(len(scene.layout.lanes)))
            self._since.start()
        elif not self._late.isActive():
            self._late.start()
        return self._texts

    def paint(self, painter: QPainter, scene: MapScene, left_px: int, top_px: int) -> None:
        """Those in view, of a map that begins at `left_px` and is scrolled down by `top_px`."""
        theme, font = scene.theme, painter.font()
        bold = QFont(font)
        bold.setBold(True)
        for (name, facts), box in zip(self.texts(scene), scene.layout.lanes, strict=True):
            area = QRect(left_px + box.left, box.top - top_px, box.room, HEAD_PX)
            if area.bottom() < 0 or area.top() > self._view.height():
                continue
            painter.setFont(bold)
            painter.setPen(QColor(theme.text))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            painter.setFont(font)
            painter.setPen(QColor(theme.muted))
            area.adjust(painter.fontMetrics().horizontalAdvance(name) + _BETWEEN_PX, 0, 0, 0)
            facts = painter.fontMetrics().elidedText(facts, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), facts)
