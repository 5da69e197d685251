"""Makes the Tab key follow what is seen in parts whose inputs come and go; Qt puts late ones behind all others."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

_SAME_LINE_PX = 6


def order_by_place(part: QWidget, ground: QWidget) -> None:
    """Tab goes from `part` through the visible inputs on `ground` inside it, line by line, and then on as before."""
    policy, before = part.focusPolicy(), part
    part.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # or Qt would not take it as the place to begin from
    for widget in in_reading_order(ground):
        QWidget.setTabOrder(before, widget)
        before = widget
    part.setFocusPolicy(policy)


def in_reading_order(ground: QWidget) -> list[QWidget]:
    """All that takes the focus by Tab, from the top left to the bottom right."""
    places = sorted((_middle(widget, ground), number, widget) for number, widget in enumerate(_inputs(ground)))
    lines: list[tuple[int, int, QWidget]] = []
    line, line_y = -1, -_SAME_LINE_PX - 1
    for (y, x), _number, widget in places:
        if y - line_y > _SAME_LINE_PX:
            line, line_y = line + 1, y
        lines.append((line, x, widget))
    return [widget for _line, _x, widget in sorted(lines, key=lambda place: place[:2])]


def _inputs(ground: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in ground.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None and widget.isVisibleTo(ground)
    ]


def _middle(widget: QWidget, ground: QWidget) -> tuple[int, int]:
    corner = widget.mapTo(ground, QPoint(0, 0))
    return corner.y() + widget.height() // 2, corner.x()
