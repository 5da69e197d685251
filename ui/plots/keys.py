"""Keys of the plots."""

from PySide6.QtCore import Qt

from ui.plots.timeline.time_window import TimeWindow
from ui.runs.time_cursor import TimeCursor

_STEP = 0.1


def steer(key: int, window: TimeWindow, cursor: TimeCursor) -> bool:
    """Zoom at the cursor, pan, show the whole run or unpin the cursor; False for keys that mean nothing here."""
    center_s = cursor.time_s if cursor.time_s is not None else (window.start_s + window.end_s) / 2
    match key:
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            window.zoom_by(0.5, center_s)
        case Qt.Key.Key_Minus:
            window.zoom_by(2.0, center_s)
        case Qt.Key.Key_Left | Qt.Key.Key_Right:
            step = _STEP if key == Qt.Key.Key_Right else -_STEP
            window.pan(step * (window.end_s - window.start_s))
        case Qt.Key.Key_0:
            window.reset()
        case Qt.Key.Key_Home:
            cursor.move(None)
        case _:
            return False
    return True
