"""Whatever is done, undoing all of it gives the plan back, and the views show what the plan holds."""

import random

import pytest
from PySide6.QtTest import QAbstractItemModelTester

from planner.plan.files.io import plan_to_text
from ui.editor.forms.field_row import FieldRow
from ui.editor.forms.group_editor import GroupEditor
from ui.editor.forms.list_editor import ListEditor
from ui.editor.forms.map_editor import MapEditor
from ui.editor.values.shapes import ShapeKind
from ui.editor.values.text import text_of

_TEXTS = ("", "1", "3", "250m", "2Gi", "30s", "web", "true", "-4", "0.5", "x y", "Utilization", "spot")
_STEPS = 120


def some_edit(chance, editor):
    """One thing a user may do."""
    verbs = [action for action in editor.row_actions if action.isEnabled()]
    kind = chance.choice(("section", "verb", "field", "field", "field", "part", "undo", "redo"))
    if kind == "section":
        section = chance.choice(editor.tree.sections)
        rows = section.rows(editor._document.plan)
        editor._show(section, chance.randrange(len(rows)) if rows else None)
    elif kind == "verb" and verbs:
        chance.choice(verbs).trigger()
    elif kind == "undo":
        editor._document.undo_stack.undo()
    elif kind == "redo":
        editor._document.undo_stack.redo()
    elif editor.form.page is not None and editor.form_box.isVisibleTo(editor):
        edit_field(chance, editor) if kind == "field" else edit_part(chance, editor)


def shown(editor, *kinds):
    found = [one for kind in kinds for one in editor.form.page.findChildren(kind)]
    return [one for one in found if one.isVisibleTo(editor.form)]


def edit_field(chance, editor):
    rows = [row for row in shown(editor, FieldRow) if not row.shape.read_only]
    if rows:
        row = chance.choice(rows)
        words = [text_of(row.shape, choice) for choice in row.shape.choices] or _TEXTS
        text = chance.choice(("true", "false") if row.shape.kind is ShapeKind.SWITCH else words)
        row.input.show_text(text.casefold() if row.shape.kind is ShapeKind.SWITCH else text)
        row.input.typed.emit(text)


def edit_part(chance, editor):
    parts = shown(editor, GroupEditor, ListEditor, MapEditor)
    if not parts:
        return
    part = chance.choice(parts)
    if isinstance(part, GroupEditor):
        toggle = part.fold.box if part.fold.box is not None and chance.random() < 0.5 else part.fold.arrow
        toggle.click()
    elif part.value and chance.random() < 0.4:
        part.remove(next(iter(part.value)) if isinstance(part, MapEditor) else 0)
    else:
        part.add_button.click()


@pytest.mark.parametrize("seed", range(6))
def test_undoing_every_edit_restores_the_plan(seed, editor, document):
    editor.testers = [
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        for model in (editor.tree, editor.rows, editor.problems.model)
    ]
    before, chance = plan_to_text(document.plan), random.Random(seed)
    changes = []
    document.changed.connect(changes.append)
    for _ in range(_STEPS):
        some_edit(chance, editor)
    editor.marks.refresh()
    assert len(changes) > 10
    shows_the_plan(editor)
    after, index = plan_to_text(document.plan), document.undo_stack.index()
    document.undo_stack.setIndex(0)
    assert plan_to_text(document.plan) == before
    shows_the_plan(editor)
    document.undo_stack.setIndex(index)
    assert plan_to_text(document.plan) == after
    shows_the_plan(editor)


def shows_the_plan(editor):
    plan = editor._document.plan
    for section in editor.tree.sections:
        assert editor.tree.rowCount(editor.tree.index_of(section, None)) == len(section.rows(plan))
    if editor.section.is_list:
        assert editor.rows.rowCount() == len(editor.section.rows(plan))
    if editor.form.page is not None and editor.row is not None:
        for row in shown(editor, FieldRow):
            draft = editor._document.drafts.get(row.path)
            text = draft.text if draft else text_of(row.shape, row.value)
            if draft and row.shape.kind is ShapeKind.SWITCH:  # pasted invalid text: reported below the box
                continue
            assert row.input.text().casefold() == text.casefold(), row.path
