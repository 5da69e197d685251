"""What the numbers of a profile mean where it does not give requests a second."""

from typing import Any

from PySide6.QtCore import QCoreApplication

from planner.plan.files.places import Path
from ui.editor.values.shapes import Shape
from ui.wording.numbers import Unit, value_text

_PER_SECOND = "requests/s"


def meaning_in_profile(path: Path, shape: Shape, value: Any) -> str | None:
    """The unit shown after a rate in the form; None for rates of requests and other fields."""
    if shape.unit != _PER_SECOND:
        return None
    if "use" in path:
        if path[path.index("use") + 1] == "memory":
            return value_text(float(value), Unit.BYTES) if isinstance(value, int | float) else ""
        return QCoreApplication.translate("FieldRow", "cores")
    return "" if path and path[0] == "metric_series" else None
