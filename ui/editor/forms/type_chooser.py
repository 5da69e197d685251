"""The box that shows the type of a value, and changes it."""

from collections.abc import Callable

from pydantic import BaseModel
from PySide6.QtCore import QCoreApplication

from planner.plan.files.places import Path
from ui.editor.forms.editor_base import FormLink
from ui.editor.forms.field_row import FieldRow
from ui.editor.values.adjust import as_alternative, chosen_model, tag_of
from ui.editor.values.seeds import named_in
from ui.editor.values.shapes import Shape, ShapeKind


def type_chooser(shape: Shape, link: FormLink, depth: int, choose: Callable[[str], None]) -> FieldRow:
    """A box with the kinds of a shape; `choose` gets the tag of the chosen one."""
    tags = tuple(tag_of(model) for model in shape.models)
    title = QCoreApplication.translate("GroupEditor", "Type")
    help_text = QCoreApplication.translate("GroupEditor", "The type of this entry.")
    chooser = FieldRow(Shape(ShapeKind.CHOICE, title, help_text, choices=tags), link, depth)
    chooser.input.typed.disconnect()
    chooser.input.typed.connect(choose)
    return chooser


def choose_kind(shape: Shape, link: FormLink, path: Path, value: BaseModel, tag: str) -> None:
    """Make a value another kind; it keeps what both have, and names what the plan has."""
    model = next(model for model in shape.models if tag_of(model) == tag)
    if chosen_model(shape.models, value) != shape.models.index(model):
        link.edits.put(path, shape, as_alternative(value, model, named_in(model, link.edits.document.plan)))
