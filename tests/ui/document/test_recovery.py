"""The recovery copy: when it is there, when it goes, and when it is offered."""

import json
import subprocess
import sys

import pytest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import plan_to_text
from tests.builders import a_plan
from ui.document.plan_document import PlanDocument
from ui.document.recovery import AUTOSAVE_MS, RecoveryCopy, lost_plans


@pytest.fixture
def copy(document, tmp_path):
    copy = RecoveryCopy(document, tmp_path / "recovery")
    yield copy
    copy.discard()


def rename(document, name):
    document.apply(replace_at(document.plan, ("name",), name), "Rename")


def leave_behind(folder, plan, path=None):
    """What a crash leaves: the copy of another process that is gone."""
    program = (
        "import os, sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication\n"
        "from planner.plan.files.io import plan_from_text; from ui.document.recovery import RecoveryCopy\n"
        "from ui.document.plan_document import PlanDocument\n"
        "app = QCoreApplication([]); document = PlanDocument()\n"
        "path = Path(sys.argv[2]) if len(sys.argv) > 2 else None\n"
        "document.open_copy(plan_from_text(sys.stdin.read(), 'stdin'), path)\n"
        "assert RecoveryCopy(document, Path(sys.argv[1])).write()\n"
        "os._exit(1)\n"
    )
    words = [sys.executable, "-c", program, str(folder), *([str(path)] if path else [])]
    done = subprocess.run(words, input=plan_to_text(plan), text=True, check=False, capture_output=True)
    assert done.returncode == 1, done.stderr


def test_only_a_modified_plan_is_copied(document, copy):
    assert AUTOSAVE_MS == 30_000
    copy.write()
    assert not copy.file.exists()
    rename(document, "Shop")
    copy.write()
    note = json.loads(copy.file.read_text(encoding="utf-8"))
    assert json.loads(note["plan"])["name"] == "Shop" and note["path"] is None and note["pid"]


@pytest.mark.parametrize("leave", ["save", "undo", "new", "discard"])
def test_the_copy_is_removed_once_the_plan_is_saved_or_discarded(document, copy, tmp_path, leave):
    rename(document, "Shop")
    assert copy.write() and copy.file.exists()
    match leave:
        case "save":
            document.save_as(tmp_path / "a.headroom")
        case "undo":
            document.undo_stack.undo()
        case "new":
            document.new()
        case "discard":
            copy.discard()
    assert list(copy.file.parent.iterdir()) == []


def test_a_failed_save_keeps_the_copy(document, copy, tmp_path):
    rename(document, "Shop")
    copy.write()
    with pytest.raises(Exception, match="Its folder is gone"):
        document.save_as(tmp_path / "missing" / "a.headroom")
    assert copy.file.exists()


def test_an_unwritable_folder_is_reported(document, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    rename(document, "Shop")
    assert not RecoveryCopy(document, tmp_path / "file").write()


def test_the_copy_of_a_running_process_is_not_offered(document, copy):
    rename(document, "Shop")
    copy.write()
    assert lost_plans(copy.file.parent) == []
    assert copy.file.exists()


def test_a_copy_left_by_a_crash_is_offered_until_it_is_discarded(qapp, tmp_path):
    folder, original = tmp_path / "recovery", tmp_path / "shop 계획.headroom"
    document = PlanDocument(a_plan(name="Saved"))
    document.save_as(original)
    leave_behind(folder, a_plan(name="Unsaved"), original)
    (lost,) = lost_plans(folder)
    assert (lost.plan.name, lost.path) == ("Unsaved", original)
    assert len(lost_plans(folder)) == 1
    lost.forget()
    assert lost_plans(folder) == []


def test_a_copy_that_holds_nothing_new_is_not_offered(qapp, tmp_path):
    folder, original = tmp_path / "recovery", tmp_path / "shop.headroom"
    document = PlanDocument(a_plan(name="Saved"))
    document.save_as(original)
    leave_behind(folder, document.plan, original)
    assert lost_plans(folder) == []
    assert list(folder.glob("*.recovery")) == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"plan": "{}"}', '{"plan": 3, "path": null, "saved": 0}'])
def test_a_broken_copy_is_left_alone(qapp, tmp_path, content):
    file = tmp_path / "1-a.recovery"
    file.write_text(content, encoding="utf-8")
    assert lost_plans(tmp_path) == []
    assert file.exists()
