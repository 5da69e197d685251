"""The document: undo steps, the mark of change, opening and saving."""

import pytest

from planner.errors import PlannerError
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan
from tests.builders import a_plan
from ui.document.plan_document import PlanDocument

MAXIMUM = ("node_groups", 0, "max_size")


def set_maximum(document, size, merge=""):
    document.apply(replace_at(document.plan, MAXIMUM, size), f"Set maximum to {size}", merge)


def maximum(document):
    return document.plan.node_groups[0].max_size


def test_an_edit_can_be_undone_and_redone(document):
    before = maximum(document)
    set_maximum(document, 7)
    assert (maximum(document), document.modified, document.undo_stack.undoText()) == (7, True, "Set maximum to 7")
    document.undo_stack.undo()
    assert (maximum(document), document.modified) == (before, False)
    document.undo_stack.redo()
    assert maximum(document) == 7


def test_a_change_reports_the_fields_that_differ(document, qtbot):
    with qtbot.waitSignal(document.changed) as changed:
        set_maximum(document, 7)
    assert changed.args == [frozenset({"node_groups"})]
    with qtbot.waitSignal(document.changed) as changed:
        document.undo_stack.undo()
    assert changed.args == [frozenset({"node_groups"})]


def test_steps_with_the_same_merge_key_are_merged(document):
    before = document.plan
    for size in (5, 6, 7):
        set_maximum(document, size, merge="max")
    set_maximum(document, 8, merge="other")
    set_maximum(document, 9)
    set_maximum(document, 10)
    assert document.undo_stack.count() == 4
    for _step in range(4):
        document.undo_stack.undo()
    assert document.plan == before and not document.modified


def test_merged_steps_that_cancel_out_leave_no_step(document):
    before = maximum(document)
    set_maximum(document, 7, merge="max")
    set_maximum(document, before, merge="max")
    document.undo_stack.undo()
    assert maximum(document) == before


def test_an_equal_plan_adds_no_step(document):
    document.apply(document.plan.model_copy(), "Nothing")
    assert document.undo_stack.count() == 0


def test_a_step_is_not_merged_across_a_save(document, tmp_path):
    set_maximum(document, 7, merge="max")
    document.save_as(tmp_path / "a.headroom")
    set_maximum(document, 8, merge="max")
    assert document.modified
    document.undo_stack.undo()
    assert (maximum(document), document.modified) == (7, False)


def test_a_saved_plan_opens_as_an_equal_plan(document, tmp_path):
    path = tmp_path / "shop 계획.headroom"
    set_maximum(document, 7)
    document.save_as(path)
    assert (document.modified, document.path) == (False, path)
    again = PlanDocument()
    again.open(path)
    assert again.plan == document.plan and not again.modified
    set_maximum(again, 9)
    again.save()
    assert load_plan(path) == again.plan
    assert load_plan(path.with_name(path.name + "~")) == document.plan


@pytest.mark.parametrize("content", [b"", b"\0\0", b"{}", b'{"schemaVersion": 1, "nodGroups": []}'])
def test_a_bad_file_leaves_the_document_as_it_was(document, tmp_path, content):
    path = tmp_path / "bad.headroom"
    path.write_bytes(content)
    set_maximum(document, 7)
    plan = document.plan
    with pytest.raises(PlannerError):
        document.open(path)
    assert (document.plan is plan, document.path, document.modified) == (True, None, True)
    document.undo_stack.undo()
    assert not document.modified


def test_a_failed_save_leaves_the_document_modified(document, tmp_path):
    set_maximum(document, 7)
    with pytest.raises(PlannerError):
        document.save_as(tmp_path / "missing" / "a.headroom")
    assert document.modified and document.path is None


def test_a_recovered_plan_counts_as_modified(document, tmp_path, qtbot):
    with qtbot.waitSignal(document.replaced):
        document.open_copy(a_plan(name="Recovered"), tmp_path / "a.headroom")
    assert document.modified
    document.save()
    assert not document.modified
    document.open_copy(a_plan(name="Recovered again"), None)
    document.new()
    assert not document.modified


def test_problems_and_hints_follow_the_plan(document):
    assert document.check.findings.problems == ()
    document.apply(replace_at(document.plan, ("node_groups", 0, "min_size"), 15_000), "Raise the minimum")
    assert [problem.where for problem in document.check.findings.problems] == ["nodeGroups[0].minSize"]
    document.undo_stack.undo()
    assert document.check.findings.problems == ()
