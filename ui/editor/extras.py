"""What some groups show besides their fields."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from PySide6.QtWidgets import QWidget

from planner.plan.plan import Plan
from planner.plan.traffic import Traffic
from ui.theme.theme import ThemeSource


class Extra(QWidget):
    """A view of the value of a group, above its fields."""

    def present(self, value: Any, plan: Plan) -> None:
        """Show another value."""
        raise NotImplementedError


def _preview(theme: ThemeSource) -> Extra:
    from ui.editor.load_preview import LoadPreview  # pyqtgraph is loaded when a load is first looked at

    return LoadPreview(theme)


_EXTRAS: dict[type[BaseModel], Callable[[ThemeSource], Extra]] = {Traffic: _preview}


def extra_for(model: type[BaseModel], theme: ThemeSource) -> Extra | None:
    """The extra of a group; None for most."""
    make = _EXTRAS.get(model)
    return make(theme) if make else None
