"""A large file is read beside the window, which stays free and shows the plan once it is there."""

import threading

import pytest

from planner.plan.files.io import load_version, save_plan
from tests.builders import a_plan, a_workload
from ui.document import plan_files

ROWS = 300


def saved(path, name):
    workloads = tuple(a_workload(f"w{row}", replicas=0) for row in range(ROWS))
    save_plan(a_plan(name=name, notes="." * 70_000, workloads=workloads), path)
    return path


@pytest.fixture
def path(tmp_path):
    return saved(tmp_path / "large.headroom", "Large")


@pytest.fixture
def gate(monkeypatch):
    """While it is closed, reading a file waits for it."""
    gate = threading.Event()

    def waiting(path):
        assert gate.wait(timeout=10)
        return load_version(path)

    monkeypatch.setattr(plan_files, "load_version", waiting)
    yield gate
    gate.set()


def texts(window):
    return [message.text for message in window.messages.messages]


def test_the_window_answers_while_a_large_file_is_read(window, path, gate, qtbot):
    """Without its thread, opening the file would wait for the gate, and the gate for the test."""
    window.open_path(path)
    assert texts(window) == ["“large.headroom” is being read…"]
    window.actions_.new.trigger()
    assert not window.pages.is_at_start and texts(window) == []
    window.open_path(path)
    gate.set()
    qtbot.waitUntil(lambda: window.document.plan.name == "Large")
    assert texts(window) == [] and window.document.path == path and not window.pages.is_at_start


def test_a_cancelled_file_is_not_shown(window, path, gate, qtbot):
    window.open_path(path)
    window.messages.messages[0].buttons[0].click()
    assert texts(window) == []
    gate.set()
    qtbot.wait(200)
    assert window.document.path is None and window.pages.is_at_start


def test_of_two_files_the_one_opened_last_is_shown(window, path, tmp_path, gate, qtbot):
    other = saved(tmp_path / "other.headroom", "Other")
    window.open_path(path)
    window.open_path(other)
    gate.set()
    qtbot.waitUntil(lambda: window.document.plan.name == "Other")
    qtbot.wait(200)
    assert window.document.path == other


def test_a_large_file_of_wrong_rows_is_refused_with_the_first_ones_and_the_number_of_the_others(
    window, path, gate, qtbot
):
    path.write_text(path.read_text().replace('"replicas": 0', '"replicas": -1'))
    window.open_path(path)
    gate.set()
    qtbot.waitUntil(lambda: texts(window) == ["“large.headroom” was not opened."])
    lines = window.messages.messages[0].remedy.splitlines()
    assert lines[0].startswith("workloads[0].replicas") and lines[-1] == f"and {ROWS - 3} more"
    assert window.document.path is None


def test_what_was_read_before_a_save_is_not_shown_after_it(window, path, gate, qtbot):
    gate.set()
    window.open_path(path)
    qtbot.waitUntil(lambda: window.document.path == path)
    gate.clear()
    window.files.reload()
    assert texts(window) == ["“large.headroom” is being read…"]
    window.document.save()
    assert texts(window) == []
    kept = window.document.plan
    gate.set()
    qtbot.wait(200)
    assert window.document.plan is kept


def test_a_run_asked_for_while_a_large_plan_is_checked_begins_once_that_is_done(window, qtbot):
    workloads = tuple(a_workload(f"w{row}", replicas=0) for row in range(2 * ROWS))
    window.document.new(a_plan(workloads=workloads))
    window.pages.show_page(window.workspace.plan_space)
    assert window.document.check.findings is None
    window.controls.run_action.trigger()
    assert window.session.current is None
    qtbot.waitUntil(lambda: window.session.current is not None, timeout=20_000)
    assert window.pages.shown is window.workspace
    window.controller.shutdown()
