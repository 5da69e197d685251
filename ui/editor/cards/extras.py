"""What some groups show besides their fields."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from PySide6.QtWidgets import QWidget

from planner.plan.files.places import Path
from planner.plan.model.autoscalers.metric_series import ProfileValue
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Traffic
from planner.plan.model.use import UseOverTime
from ui.editor.forms.editor_base import FormLink


class Extra(QWidget):
    """A view of the value of a group, above its fields."""

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        """Show another value."""
        raise NotImplementedError


def _load(link: FormLink) -> Extra:
    from ui.editor.previews.load_preview import LoadPreview  # pyqtgraph is loaded when a load is first looked at

    return LoadPreview(link)


def _use(link: FormLink) -> Extra:
    from ui.editor.previews.load_preview import UsePreview

    return UsePreview(link)


def _metric(link: FormLink) -> Extra:
    from ui.editor.previews.load_preview import MetricPreview

    return MetricPreview(link)


_EXTRAS: dict[type[BaseModel], Callable[[FormLink], Extra]] = {
    Traffic: _load,
    UseOverTime: _use,
    ProfileValue: _metric,
}


def extra_for(model: type[BaseModel], link: FormLink) -> Extra | None:
    """The extra of a group; None for most."""
    make = _EXTRAS.get(model)
    return make(link) if make else None
