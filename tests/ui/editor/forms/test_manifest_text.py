"""The manifest of a row is shown for every kind that the export writes."""

import pytest

from planner.kube.exporter import manifest_text
from planner.plan.edits.edit import replace_at
from planner.plan.model.workloads import WorkloadKind
from ui.editor.forms.manifest_text import EXPRESSIBLE, ManifestText
from ui.editor.navigator.sections import sections

LISTS = sorted({section.fields[0] for section in sections() if section.is_list})


def add_row(editor, document, field):
    section = next(one for one in editor.tree.sections if one.fields[0] == field and not one.facet)
    editor._show(section, None)
    editor.actions_of_rows.add.trigger()
    editor._show(section, len(section.rows(document.plan)) - 1)
    return len(section.rows(document.plan)) - 1


@pytest.mark.parametrize("field", LISTS)
def test_the_switch_is_there_where_the_export_writes_the_row(editor, document, field):
    if field == "scaled_jobs":
        document.apply(replace_at(document.plan, ("workloads", 1, "kind"), WorkloadKind.JOB), "Job")
    row = add_row(editor, document, field)
    if field == "services":
        document.apply(replace_at(document.plan, (field, row, "selector"), {"app": "web"}), "Select")
    shown = editor.findChild(ManifestText)
    switch, text = shown.switch, manifest_text(document.plan, field, row)
    assert switch.isVisibleTo(editor) == bool(text) == (field in EXPRESSIBLE)
    if text:
        switch.click()
        assert shown.text.toPlainText() == text and f"name: {getattr(document.plan, field)[row].name}" in text
