"""What the forms of some lists show above their fields: quick inputs, a plot, figures."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.plan.files.places import Path
from planner.plan.model.plan import Plan
from ui.editor.forms.editor_base import FormLink


class RowExtra(QWidget):
    """A view of a row of the plan, above its fields."""

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        """Show another row, or the same after an edit."""
        raise NotImplementedError

    def mark(self) -> None:
        """Show what is wrong, where the extra tells it."""


class Stacked(RowExtra):
    """Several extras, one below the other."""

    def __init__(self, *parts: RowExtra) -> None:
        super().__init__()
        self.parts = parts
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(6)
        for part in parts:
            column.addWidget(part)

    def present(self, path: Path, row: Any, plan: Plan) -> None:
        for part in self.parts:
            part.present(path, row, plan)

    def mark(self) -> None:
        for part in self.parts:
            part.mark()


def _autoscaler(link: FormLink) -> RowExtra:
    from ui.editor.cards.quick_autoscale import QuickAutoscale
    from ui.editor.previews.reaction_plot import (
        ReactionPlot,  # pyqtgraph is loaded when an autoscaler is first looked at
    )

    return Stacked(QuickAutoscale(link), ReactionPlot(link.theme))


def _reserve(link: FormLink) -> RowExtra:
    from ui.editor.cards.reserve_card import ReserveCard

    return ReserveCard(link)


def _pool(link: FormLink) -> RowExtra:
    from ui.editor.cards.machine_card import MachineCard

    return MachineCard(link)


_EXTRAS: dict[str, Callable[[FormLink], RowExtra]] = {
    "node_groups": _pool,
    "horizontal_pod_autoscalers": _autoscaler,
    "overprovisioning": _reserve,
}
"""By the key of the section."""


def row_extra_for(section: str, link: FormLink) -> RowExtra | None:
    """The extra of a section's form; None for most."""
    make = _EXTRAS.get(section)
    return make(link) if make else None
