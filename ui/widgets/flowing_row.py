"""A row whose parts go on in a further line where it is too narrow for them."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_GAP_PX, _LINE_GAP_PX = 8, 6


class FlowingRow(QLayout):
    """As wide at least as its widest part; each part has the size it wants."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_trial=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_trial=False)

    def sizeHint(self) -> QSize:
        wanted = [item.sizeHint() for item in self._shown()]
        width = sum(size.width() for size in wanted) + _GAP_PX * max(len(wanted) - 1, 0)
        return QSize(width, max((size.height() for size in wanted), default=0))

    def minimumSize(self) -> QSize:
        least = QSize()
        for item in self._shown():
            least = least.expandedTo(item.minimumSize())
        return least

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, is_trial: bool) -> int:
        """Lay the parts out in lines; the height that they take."""
        left, top, line = rect.x(), rect.y(), self.sizeHint().height()
        for item in self._shown():
            size = item.sizeHint()
            width = min(size.width(), rect.width())
            if left > rect.x() and left + width > rect.right() + 1:
                left, top = rect.x(), top + line + _LINE_GAP_PX
            if not is_trial:
                middle = top + (line - size.height()) // 2
                item.setGeometry(QRect(QPoint(left, middle), QSize(width, size.height())))
            left += width + _GAP_PX
        return top + line - rect.y()
