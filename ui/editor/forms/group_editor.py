"""Nested settings: a part of the form that folds, with a check box if it may be absent, and a chooser of its type."""

from typing import Any

from pydantic import BaseModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from planner.plan.derived.idle_fields import is_idle
from planner.plan.files.places import Path
from ui.editor.forms.card import Card
from ui.editor.forms.editor_base import Editor, FormLink
from ui.editor.forms.field_row import FieldRow
from ui.editor.forms.folded_editor import FoldedEditor, fold_place
from ui.editor.forms.type_chooser import choose_kind, type_chooser
from ui.editor.values.adjust import tag_of
from ui.editor.values.seeds import seed_of
from ui.editor.values.shapes import PlanField, Shape, ShapeKind, fields_of
from ui.editor.values.summaries import summary_of

OPEN_AT_START = frozenset(
    (
        "pod containers requests profile metrics simulation hpa_controller metrics_pipeline"
        " kubelet source mode overhead targets selector labels"
    ).split()
)
"""Parts that most plans set and that leave room for what follows; the others start closed."""


class FieldsBody(QWidget):
    """The fields of one model, one below the other."""

    def __init__(
        self, fields: tuple[PlanField, ...], link: FormLink, depth: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.fields = fields
        self._link = link
        self._idle: dict[str, bool] = {}
        self.editors = {field.name: link.make(field.shape, link, depth) for field in fields}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        for editor in self.editors.values():
            column.addWidget(editor)

    def present(self, path: Path, model: BaseModel) -> None:
        """Show the fields of a model."""
        for name, editor in self.editors.items():
            editor.present((*path, name), getattr(model, name))
            self._fit_use(name, editor)

    def _fit_use(self, name: str, editor: Editor) -> None:
        """A field that has no effect in this plan is not shown while it holds its default."""
        was_idle, idle = self._idle.get(name, False), is_idle(self._link.edits.document.plan, editor.path)
        self._idle[name] = idle
        if idle or was_idle or self._link.shows_only_set:
            self._show_if_wanted(name, editor)

    def _show_if_wanted(self, name: str, editor: Editor) -> None:
        is_wanted = editor.shape.required or not (self._link.shows_only_set or self._idle.get(name, False))
        editor.setVisible(is_wanted or _is_set(editor, self._link))

    def show_only_set(self) -> None:
        """Hide the fields that hold their default and have nothing wrong, also in the parts that are open; or show
        all, as the link says."""
        for body in (self, *self.findChildren(FieldsBody)):
            for name, editor in body.editors.items():
                body._show_if_wanted(name, editor)

    def mark(self) -> None:
        """Show what is wrong in each field."""
        for editor in self.editors.values():
            editor.mark()

    def open_way(self, path: Path, depth: int) -> QWidget | None:
        """The widget of the field that the step `depth` of the path names."""
        editor = self.editors.get(str(path[depth])) if depth < len(path) else None
        if editor is None:
            return None
        editor.show()
        return editor.open_way(path)


def _is_set(editor: Editor, link: FormLink) -> bool:
    """Whether a field differs from its default, or something is wrong with it."""
    return editor.value != editor.shape.default or bool(link.marks.within(editor.path))


class GroupEditor(FoldedEditor):
    """One model, or one of several distinguished by their type."""

    def __init__(self, shape: Shape, link: FormLink, depth: int = 0, title: str = "") -> None:
        super().__init__(shape, link, title)
        self.opens_at_start = False
        """Open unless the user has closed it: the form is about this part alone."""
        self._depth = depth + 1
        self._body: FieldsBody | None = None
        self._model: type[BaseModel] | None = None
        self._chooser: FieldRow | None = None
        self._card: Card | None = None
        self._known_fold: tuple[str, ...] | None = None
        self.fold.part_toggled.connect(self._on_part_toggled)

    def present(self, path: Path, value: Any) -> None:
        self.path, self.value = path, value
        self._remember_fold()
        if self.fold.box is not None:
            self.fold.box.setChecked(value is not None)
        self.fold.arrow.setEnabled(value is not None)
        if value is None:
            self.fold.set_open(False)
        if not self.fold.is_open:
            self.fold.say(summary_of(self.shape, value))
            return
        self._build(type(value))
        assert self._body is not None
        if self._chooser is not None:
            self._chooser.present((*path, "type"), tag_of(type(value)))
        self._body.present(path, value)
        if self._card is not None:
            self._card.present(path, value, self.link.edits.document.plan)

    def _remember_fold(self) -> None:
        """Open or closed as the same part of another row was left."""
        place = fold_place(self.path)
        if place != self._known_fold and self.value is not None:
            self._known_fold = place
            at_start = self.opens_at_start or (bool(place) and place[-1] in OPEN_AT_START)
            self.fold.set_open(self.link.folds.get(place, at_start or self.fold.is_open))

    def _build(self, model: type[BaseModel]) -> None:
        """Make the fields of a model, if they are not there already."""
        if model is self._model:
            return
        inside = self.fold.inside
        if self._body is None:
            if self.shape.kind is ShapeKind.VARIANT:
                self._chooser = type_chooser(self.shape, self.link, self._depth, self._choose)
                inside.addWidget(self._chooser)
        else:
            for old in (self._body, self._card):
                if old is not None:
                    inside.removeWidget(old)
                    old.hide()
                    old.deleteLater()
        self._card = self.link.cards.of_model(model, self.link)
        if self._card is not None:
            inside.addWidget(self._card)
        self._body, self._model = FieldsBody(fields_of(model), self.link, self._depth), model
        inside.addWidget(self._body)

    def _choose(self, tag: str) -> None:
        if self.value is not None:
            choose_kind(self.shape, self.link, self.path, self.value, tag)

    def _on_part_toggled(self, wanted: bool) -> None:
        """The check box: add the part with initial values, or remove it."""
        self.fold.set_open(wanted)
        self.link.folds[fold_place(self.path)] = wanted
        done = self.link.edits.put(self.path, self.shape, seed_of(self.shape) if wanted else None)
        if not done:
            self.present(self.path, self.value)

    def shown_parts(self) -> list[FieldsBody]:
        return [self._body] if self._body is not None else []

    def open_way(self, path: Path) -> QWidget:
        if self.value is not None and not self.fold.is_open:
            self._unfold()
        if len(path) <= len(self.path) or self.value is None:
            return self.fold.box or self.fold.arrow
        if self._chooser is not None and path[len(self.path)] == "type":
            return self._chooser.input
        found = self._body.open_way(path, len(self.path)) if self._body is not None else None
        return found or self.fold.arrow
