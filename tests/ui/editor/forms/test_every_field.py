"""A field of the plan has an editor by itself."""

from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from planner.plan.files.places import model_tag
from planner.plan.model.plan import Plan
from planner.plan.values.fields import PlanModel, setting
from ui.editor.forms.editor_base import FormLink
from ui.editor.forms.field_row import FieldRow
from ui.editor.forms.form import make_editor
from ui.editor.forms.group_editor import FieldsBody, GroupEditor
from ui.editor.forms.list_editor import ListEditor
from ui.editor.forms.map_editor import MapEditor
from ui.editor.navigator.sections import CATALOGUE, sections
from ui.editor.problems.marks import Marks
from ui.editor.values.edits import PlanEdits
from ui.editor.values.seeds import new_model, seed_of
from ui.editor.values.shapes import ShapeKind, fields_of


def models_of(model, seen=None):
    """All models a plan consists of."""
    seen = {} if seen is None else seen
    if model in seen:
        return seen
    seen[model] = True
    for field in fields_of(model):
        shapes = [field.shape, field.shape.item]
        for part in (part for shape in shapes if shape for part in shape.models):
            models_of(part, seen)
    return seen


ALL_MODELS = [model for model in models_of(Plan) if model is not Plan]


@pytest.fixture
def link(document, theme):
    return FormLink(PlanEdits(document), Marks(document), theme, make_editor)


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda model: model.__name__)
def test_every_field_of_every_model_has_an_editor(model, link, qtbot):
    value = new_model(model)
    body = FieldsBody(fields_of(model), link, 0)
    qtbot.addWidget(body)
    body.present((), value)
    declared = {name for name in model.model_fields if not (name == "type" and model.model_fields[name].is_required()
                and model_tag(model))}  # fmt: skip
    assert set(body.editors) == declared
    for name, editor in body.editors.items():
        assert editor.shape.kind is not ShapeKind.RAW, f"{model.__name__}.{name} is edited as JSON"
        kinds = {
            ShapeKind.GROUP: GroupEditor,
            ShapeKind.VARIANT: GroupEditor,
            ShapeKind.LIST: ListEditor,
            ShapeKind.MAP: MapEditor,
        }
        assert type(editor) is kinds.get(editor.shape.kind, FieldRow)


def test_every_field_of_the_plan_is_in_a_section():
    shown = {name for section in sections() for name in section.fields}
    assert shown == set(Plan.model_fields)


def test_a_field_missing_from_the_catalogue_gets_its_own_section(monkeypatch):
    left = [section for section in CATALOGUE if section.key not in ("priority_classes", "scheduler")]
    monkeypatch.setattr("ui.editor.navigator.sections.CATALOGUE", tuple(left))
    added = {section.key: section.is_list for section in sections()[len(left) :]}
    assert {"priority_classes": True, "scheduler": False}.items() <= added.items()


def test_every_section_shows_a_form(editor, document):
    for section in editor.tree.sections:
        editor._show(section, 0 if section.rows(document.plan) else None)
        if not section.is_list or section.rows(document.plan):
            assert {field.name for field in section.form_fields()} == set(editor.form.page.body.editors)


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda model: model.__name__)
def test_every_field_has_a_description(model):
    for field in fields_of(model):
        assert field.shape.title and field.shape.help, f"{model.__name__}.{field.name}"


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda model: model.__name__)
def test_every_model_has_initial_values(model):
    begun = new_model(model)
    assert isinstance(begun, model)
    for field in fields_of(model):
        if field.shape.optional:
            model.model_validate({name: getattr(begun, name) for name in begun.model_fields_set})
            assert seed_of(field.shape) is not None


class Later(PlanModel):
    """A model as a later version may have it."""

    portion: int | str = setting("25%", "Portion", "A count or a share.")
    odd: tuple[int, str] = setting((1, "a"), "Odd", "Something no editor is made for.")
    maybe: bool | None = setting(None, "Maybe", "Yes, no or not given.")
    names: tuple[str, ...] = setting((), "Names", "Some names.")


def test_a_field_of_a_new_type_can_be_edited(link, qtbot):
    body = FieldsBody(fields_of(Later), link, 0)
    qtbot.addWidget(body)
    body.present((), Later())
    kinds = {name: editor.shape.kind for name, editor in body.editors.items()}
    assert kinds == {
        "portion": ShapeKind.PORTION,
        "odd": ShapeKind.RAW,
        "maybe": ShapeKind.SWITCH,
        "names": ShapeKind.LIST,
    }
    inputs: dict[str, Any] = {
        name: editor.input for name, editor in body.editors.items() if isinstance(editor, FieldRow)
    }
    assert inputs["odd"].text() == '[1, "a"]'
    assert inputs["portion"].text() == "25%"
    assert [inputs["maybe"].itemData(i) for i in range(3)] == ["", "true", "false"]


def test_inputs_have_names_for_screen_readers(editor, document):
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit

    for section in editor.tree.sections:
        editor._show(section, 0 if section.rows(document.plan) else None)
        for kind in (QLineEdit, QComboBox, QPlainTextEdit, QAbstractButton):
            for widget in editor.findChildren(kind):
                inner = isinstance(widget.parent(), QComboBox)
                if widget.isVisibleTo(editor) and not inner and not widget.objectName().startswith("qt_"):
                    named = widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text())
                    assert named, f"{type(widget).__name__} in {section.key}"


def test_forms_shown_long_ago_go_with_all_their_parts_and_come_again(editor, document):
    def visit_all():
        for section in editor.tree.sections:
            editor.show_path((section.fields[0], 0) if section.is_list else (section.fields[0],))
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            editor.form.open_first()
        return len(editor.findChildren(FieldRow)), len(editor.form.findChildren(QWidget))

    first = visit_all()
    assert first[0] < len([one for section in editor.tree.sections for one in section.form_fields()]) / 2
    assert [visit_all() for _ in range(3)] == [first] * 3
    editor.show_path(("simulation",))
    assert editor.form.page.body.editors
