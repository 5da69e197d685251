"""Cards: what a form shows above its fields, such as a plot of the load or the price of a reserve."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.plan.files.places import Path
from planner.plan.model.plan import Plan

if TYPE_CHECKING:
    from ui.editor.forms.editor_base import FormLink


class Card(QWidget):
    """A view of one value of the plan, above the fields of that value."""

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        """Show another value, or the same value after an edit."""
        raise NotImplementedError

    def mark(self) -> None:
        """Show problems and hints, if the card has any to show."""


class StackedCards(Card):
    """Several cards, one below the other."""

    def __init__(self, *parts: Card) -> None:
        super().__init__()
        self.parts = parts
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(6)
        for part in parts:
            column.addWidget(part)

    def present(self, path: Path, value: Any, plan: Plan) -> None:
        for part in self.parts:
            part.present(path, value, plan)

    def mark(self) -> None:
        for part in self.parts:
            part.mark()


CardMaker = Callable[["FormLink"], Card]


@dataclass(frozen=True)
class CardMakers:
    """How cards are made. Forms receive this, so that they know no card and cards may use the forms."""

    by_section: Mapping[str, CardMaker] = field(default_factory=dict)
    """By the key of a section of the plan, for the form of a row."""
    by_model: Mapping[type[BaseModel], CardMaker] = field(default_factory=dict)
    """By the model of a group of fields inside a form."""

    def of_section(self, section: str, link: "FormLink") -> Card | None:
        """The card of a section's form; None for most."""
        make = self.by_section.get(section)
        return make(link) if make else None

    def of_model(self, model: type[BaseModel], link: "FormLink") -> Card | None:
        """The card of a group of fields; None for most."""
        make = self.by_model.get(model)
        return make(link) if make else None
