"""Finished runs are kept with their plan and seed, so that a later session shows the same run again."""

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from tests.builders import a_plan
from ui.process.folders import run_history_folder
from ui.process.settings import WindowSettings
from ui.runs.history.kept_run import from_text, to_text
from ui.runs.history.run_folder import MOST_KEPT, RunFolder
from ui.shell.main_window import MainWindow

PATIENCE_MS = 30_000


@pytest.fixture
def path(tmp_path):
    save_plan(replace_at(a_plan(name="shop"), ("simulation", "duration"), 60_000_000), tmp_path / "shop.headroom")
    return tmp_path / "shop.headroom"


def run(window, qtbot):
    before = len(window.history.history.runs())
    window.controls.run_action.trigger()
    qtbot.waitUntil(lambda: len(window.history.history.runs()) > before, timeout=PATIENCE_MS)
    return window.session.current


def later(theme, answers, qtbot):
    """The window of a later session."""
    window = MainWindow(theme, WindowSettings(), answers)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    return window


def opened(window, row=0):
    window.history.open()
    window.history.list.view.selectRow(row)
    return window.history.list


def test_a_run_of_an_earlier_session_is_shown_again_with_the_same_figures(window, theme, answers, path, qtbot):
    window.open_path(path)
    first = run(window, qtbot)
    window.document.apply(replace_at(window.document.plan, ("node_groups", 0, "max_size"), 9), "edit")

    after = later(theme, answers, qtbot)
    shown = opened(after)
    assert [cell.text for cell in shown.table.rows[0]][1:4] == ["shop", first.label, str(first.seed)]
    shown.buttons["show"].click()
    qtbot.waitUntil(lambda: not after.controller.state.is_live, timeout=PATIENCE_MS)
    assert after.session.current.result.digest() == first.result.digest()
    assert after.history.history.live == {shown.chosen[0].key: after.session.current}, "it is not kept twice"


def test_a_run_of_an_earlier_session_becomes_the_baseline(window, theme, answers, path, qtbot):
    window.open_path(path)
    first = run(window, qtbot)
    after = later(theme, answers, qtbot)
    after.open_path(path)
    second = run(after, qtbot)
    opened(after, row=1).buttons["compare"].click()
    session = after.session
    qtbot.waitUntil(lambda: session.current is second and session.baseline is not None, timeout=PATIENCE_MS)
    assert after.session.baseline.result.digest() == first.result.digest()


def test_a_run_of_this_session_is_shown_without_running_again(window, path, qtbot):
    window.open_path(path)
    first, second = run(window, qtbot), run(window, qtbot)
    assert window.session.current is second
    opened(window, row=1).buttons["show"].click()
    assert window.session.current is first and len(window.session.runs) == 2


def test_a_note_stays(window, theme, answers, path, qtbot):
    window.open_path(path)
    run(window, qtbot)
    shown = opened(window)
    QTest.keyClicks(shown.note, "before the <b>sale</b>")
    shown.note.editingFinished.emit()
    assert opened(later(theme, answers, qtbot)).table.rows[0][-1].text == "before the <b>sale</b>"
    shown.search.setText("sale")
    assert len(shown.table.rows) == 1
    shown.search.setText("no such run")
    assert len(shown.table.rows) == 0 and shown.empty.isVisible()


def test_a_run_is_kept_beside_the_plan_and_goes_with_it(window, path, qtbot):
    window.open_path(path)
    run(window, qtbot)
    opened(window).buttons["beside"].click()
    assert len(list((path.parent / "shop.runs").iterdir())) == 2
    assert list(run_history_folder().iterdir()) == []
    assert len(window.history.list.table.rows) == 1
    window.files.new()
    assert window.history.history.runs() == []


def test_the_plan_of_a_run_is_opened_as_a_new_plan(window, path, qtbot):
    window.open_path(path)
    plan = run(window, qtbot).plan
    window.document.apply(replace_at(plan, ("node_groups", 0, "max_size"), 9), "edit")
    opened(window).buttons["plan"].click()
    assert window.document.plan == plan and window.document.path is None


def test_a_deleted_run_is_gone(window, path, qtbot):
    window.open_path(path)
    run(window, qtbot)
    opened(window).buttons["delete"].click()
    assert list(run_history_folder().iterdir()) == [] and window.history.list.empty.isVisible()


@pytest.mark.parametrize("text", ["", "[]", "{}", "no json", '{"key": 1}'])
def test_files_that_are_no_runs_are_left_out(window, path, qtbot, text):
    window.open_path(path)
    run(window, qtbot)
    (run_history_folder() / "0.json").write_text(text)
    (kept,) = window.history.history.runs()
    assert from_text(to_text(kept)) == kept


def test_only_so_many_runs_are_kept_but_every_one_with_a_note(window, path, qtbot, monkeypatch):
    window.open_path(path)
    run(window, qtbot)
    (kept,) = window.history.history.runs()
    window.history.history.note(kept, "stays")
    monkeypatch.setattr("ui.runs.history.run_folder.MOST_KEPT", 2)
    for _ in range(3):
        run_count = len(window.session.runs)
        window.controls.run_action.trigger()
        qtbot.waitUntil(
            lambda count=run_count: len(window.session.runs) > count and not window.controller.state.is_live
        )
        qtbot.waitUntil(lambda: not window.history.history._writing._timer.isActive())
    runs = window.history.history.runs()
    assert len(runs) == 3 and runs[-1].note == "stays" and MOST_KEPT == 200
    assert isinstance(RunFolder(run_history_folder()).plan(runs[0].key), type(window.document.plan))


def test_a_latency_at_its_bound_is_shown_with_the_bound(window, path, qtbot):
    window.open_path(path)
    run(window, qtbot)
    kept = window.history.history.runs()[0]
    slow = {"latency_p95_worst[shop]": (10_000.0, "ms"), "latency_p95_worst[api]": (182.0, "ms")}
    timed_out = replace(kept, figures=slow, timeouts_ms={"shop": 10_000.0})
    assert from_text(to_text(timed_out)).worst_latency_text() == "≥ 10 s (time-out)"
    assert replace(timed_out, figures=dict([*slow.items()][1:])).worst_latency_text() == "182 ms"
