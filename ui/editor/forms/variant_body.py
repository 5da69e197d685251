"""The form of a row that is one of several kinds: a chooser of the kind, and the fields of that kind."""

from pydantic import BaseModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.plan.files.places import Path
from ui.editor.forms.editor_base import Editor, FormLink
from ui.editor.forms.group_editor import FieldsBody
from ui.editor.forms.type_chooser import choose_kind, type_chooser
from ui.editor.values.adjust import tag_of
from ui.editor.values.shapes import PlanField, Shape, fields_of


class VariantBody(QWidget):
    """Looks like `FieldsBody` to the page around it; the fields are rebuilt when a row of another kind is shown."""

    def __init__(self, shape: Shape, link: FormLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape, self._link = shape, link
        self._path: Path = ()
        self._value: BaseModel | None = None
        self._body: FieldsBody | None = None
        self._bodies: dict[type[BaseModel], FieldsBody] = {}
        self.chooser = type_chooser(shape, link, 0, self._choose)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(5)
        self._column.addWidget(self.chooser)

    @property
    def fields(self) -> tuple[PlanField, ...]:
        """The fields of the kind that is shown."""
        return self._body.fields if self._body is not None else ()

    @property
    def editors(self) -> dict[str, Editor]:
        """The editors of the kind that is shown."""
        return self._body.editors if self._body is not None else {}

    def present(self, path: Path, model: BaseModel) -> None:
        """Show a row."""
        self._path, self._value = path, model
        body = self._bodies.get(type(model))
        if body is None:
            body = self._bodies[type(model)] = FieldsBody(fields_of(type(model)), self._link, 0)
            self._column.addWidget(body)
        if self._body is not None and self._body is not body:
            self._body.hide()
        self._body = body
        body.show()
        self.chooser.present((*path, "type"), tag_of(type(model)))
        body.present(path, model)

    def show_only_set(self) -> None:
        """See FieldsBody."""
        if self._body is not None:
            self._body.show_only_set()

    def mark(self) -> None:
        """Show what is wrong in each field."""
        if self._body is not None:
            self._body.mark()

    def open_way(self, path: Path, depth: int) -> QWidget | None:
        """The widget of the field that the step `depth` of the path names."""
        if depth < len(path) and path[depth] == "type":
            return self.chooser.input
        return self._body.open_way(path, depth) if self._body is not None else None

    def _choose(self, tag: str) -> None:
        if self._value is not None:
            choose_kind(self._shape, self._link, self._path, self._value, tag)
