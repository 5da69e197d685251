"""The recovery copy: when it is there, when it goes, and when it is offered."""

import json
import os
import stat
import subprocess
import sys
import threading

import pytest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import plan_to_text
from tests.attacks import killed_at_every_step, on_a_full_disk
from tests.builders import a_plan, a_workload
from ui.document import recovery
from ui.document.lost_plans import lost_plans
from ui.document.plan_document import PlanDocument
from ui.document.recovery import AUTOSAVE_MS, RecoveryCopy


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


def test_an_unwritable_folder_is_reported_once_until_it_works_again(document, tmp_path):
    folder = tmp_path / "file"
    folder.write_text("in the way", encoding="utf-8")
    copy, told = RecoveryCopy(document, folder), []
    copy.failed.connect(told.append)
    copy.works_again.connect(lambda: told.append("works"))
    for name in ("One", "Two"):
        rename(document, name)
        assert not copy.write()
    assert told == ["File exists"]
    folder.unlink()
    assert copy.write() and told[1:] == ["works"]
    copy.discard()


@pytest.mark.parametrize("room", [0, 20])
def test_a_full_disk_is_reported_and_keeps_the_copy_written_before(document, copy, room):
    rename(document, "Before")
    copy.write()
    rename(document, "After")
    assert on_a_full_disk(lambda: copy.write() and os._exit(2), room) == 0
    assert json.loads(json.loads(copy.file.read_text())["plan"])["name"] == "Before"


def test_a_full_disk_is_the_reason_given_for_the_first_copy_too(document, copy):
    rename(document, "First")
    reasons = []
    copy.failed.connect(reasons.append)
    assert on_a_full_disk(lambda: copy.write() or reasons == ["File too large"] or os._exit(1), 0) == 0


def test_a_kill_at_any_step_of_the_autosave_leaves_the_old_or_the_new_copy(document, copy):
    rename(document, "Before")
    copy.write()
    rename(document, "After")

    def check(_step):
        assert json.loads(json.loads(copy.file.read_text())["plan"])["name"] in ("Before", "After")
        assert lost_plans(copy.file.parent) == []  # and what the kill has left is gone
        assert sorted(copy.file.parent.iterdir()) == [copy.file, copy.file.with_name(f"{copy.file.name}.lock")]

    assert killed_at_every_step(copy.write, check) > 3


def test_only_the_user_may_read_the_copy(document, copy, tmp_path):
    (tmp_path / "recovery").mkdir(mode=0o755)
    rename(document, "Shop")
    assert copy.write()
    assert stat.S_IMODE(copy.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.file.parent.stat().st_mode) == 0o700


def of_another_machine(folder, host="elsewhere", age_s=0.0, locked=True):
    """A copy as a process on another machine leaves it."""
    folder.mkdir(exist_ok=True)
    file = folder / "4711-abc.recovery"
    note = {"pid": 4711, "host": host, "path": None, "saved": 1e9, "plan": plan_to_text(a_plan(name="Lost"))}
    file.write_text(json.dumps(note), encoding="utf-8")
    if locked:
        lock = file.with_name(f"{file.name}.lock")
        lock.write_text(f"4711\nheadroom\n{host}\n", encoding="utf-8")
        then = lock.stat().st_mtime - age_s
        os.utime(lock, (then, then))
    return file


@pytest.mark.parametrize(
    ("age_s", "locked", "may_be_open"), [(3600.0, True, False), (0.0, True, True), (0, False, False)]
)
def test_a_copy_of_another_machine_is_offered_with_its_name(qapp, tmp_path, age_s, locked, may_be_open):
    file = of_another_machine(tmp_path, age_s=age_s, locked=locked)
    (lost,) = lost_plans(tmp_path)
    assert (lost.plan.name, lost.host, lost.may_be_open) == ("Lost", "elsewhere", may_be_open)
    lost.forget()
    assert file.exists() is may_be_open  # a program that may still run keeps its copy
    assert list(tmp_path.iterdir()) == [] or may_be_open


def test_a_running_program_touches_its_lock(document, copy):
    rename(document, "Shop")
    copy.write()
    lock = copy.file.with_name(f"{copy.file.name}.lock")
    os.utime(lock, (1, 1))
    copy._timer.timeout.emit()
    assert lock.stat().st_mtime > 1e9


def test_the_copy_knows_the_version_of_its_file(document, copy, tmp_path):
    document.save_as(tmp_path / "a.headroom")
    rename(document, "Shop")
    copy.write()
    assert json.loads(copy.file.read_text())["version"] == document.version


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


@pytest.fixture
def held_text(monkeypatch):
    """The text of a plan is not made before the test allows it."""
    allowed = threading.Event()

    def text(plan):
        assert allowed.wait(timeout=10)
        return plan_to_text(plan)

    monkeypatch.setattr(recovery, "plan_to_text", text)
    yield allowed
    allowed.set()


def large_plan():
    return a_plan(name="Large", workloads=tuple(a_workload(f"w{row}", replicas=0) for row in range(300)))


def test_the_copy_of_a_large_plan_is_prepared_beside_the_window(document, copy, held_text, qtbot):
    """Without its thread, the timer would wait for the text, and the text for the test."""
    document.apply(large_plan(), "Grow")
    copy._timer.timeout.emit()
    assert not copy.file.exists()
    held_text.set()
    qtbot.waitUntil(copy.file.exists)
    assert json.loads(json.loads(copy.file.read_text(encoding="utf-8"))["plan"])["name"] == "Large"
    document.check.shutdown()


def test_a_copy_that_is_still_prepared_is_not_written_once_the_plan_is_left(document, copy, held_text, qtbot):
    document.apply(large_plan(), "Grow")
    copy._timer.timeout.emit()
    document.new()
    held_text.set()
    qtbot.wait(200)
    assert not copy.file.exists()
