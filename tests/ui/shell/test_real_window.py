"""The whole way through the real window, offscreen here and on an X server in a process of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from planner import api
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan
from planner.reports.folder import write_all
from tests.ui.shell.conftest import FLASH_SALE
from ui.runs.run_data import RunState

MAXIMUM = ("node_groups", 0, "max_size")
PATIENCE_MS = 60_000


@pytest.fixture
def path(tmp_path):
    return shutil.copy(FLASH_SALE, tmp_path / "plan.headroom")


def run(window, qtbot):
    window.controls.run_action.trigger()
    qtbot.waitUntil(lambda: not window.controller.state.is_live, timeout=PATIENCE_MS)
    assert window.controller.state is RunState.FINISHED
    return window.session.current


def set_maximum(window, size):
    window.document.apply(replace_at(window.document.plan, MAXIMUM, size), f"Set maximum to {size}")


def test_open_run_edit_undo_edit_run_save_reopen_export_close(window, answers, path, tmp_path, qtbot):
    assert window.open_path(path)
    original = load_plan(path)
    first = run(window, qtbot)
    assert first.result.digest() == api.run_plan(original).digest()
    assert len(first.time_s) == len(first.result.time_us) > 100

    set_maximum(window, 6)
    window.actions_.undo.trigger()
    assert window.document.plan == original and not window.isWindowModified()
    set_maximum(window, 8)
    second = run(window, qtbot)
    assert second.result.digest() == api.run_plan(window.document.plan).digest() != first.result.digest()
    assert window.session.baseline is first

    window.actions_.save.trigger()
    assert not window.isWindowModified()
    saved = window.document.plan
    assert load_plan(path) == saved and load_plan(f"{path}~") == original
    assert window.open_path(path) and window.document.plan == saved

    third = run(window, qtbot)
    answers.folder = tmp_path / "report"
    with qtbot.waitSignal(window.exports.csv.finished):
        window.exports.actions_["csv"].trigger()
    write_all(api.run_plan(saved), tmp_path / "expected")
    for expected in (tmp_path / "expected").iterdir():
        assert (answers.folder / expected.name).read_bytes() == expected.read_bytes()
    assert third.result.digest() == second.result.digest()

    window.controls.speed.choose(60.0)
    window.controls.run_action.trigger()
    qtbot.waitUntil(lambda: len(window.session.current.time_s) > 1, timeout=PATIENCE_MS)
    assert window.close() and answers.questions == ["folder", "stop"]
    assert not window.controller.state.is_live


def test_curves_gain_points_while_the_thread_runs(window, path, qtbot):
    window.open_path(path)
    window.controls.speed.choose(200.0)
    window.controls.run_action.trigger()
    data, seen = window.session.current, []
    data.appended.connect(lambda: seen.append((len(data.time_s), data.state)))
    qtbot.waitUntil(lambda: len({count for count, _state in seen}) > 3, timeout=PATIENCE_MS)
    assert {state for _count, state in seen} == {RunState.RUNNING}
    window.controls.stop_action.trigger()
    qtbot.waitUntil(lambda: not window.controller.state.is_live, timeout=PATIENCE_MS)
    assert "Stopped at" in window.messages.messages[0].text


@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs xvfb-run")
def test_the_whole_workflow_runs_on_an_x_server(path, tmp_path):
    """The program as users start it: opens, runs, draws, edits, saves, exports and ends, all by itself."""
    program = Path(__file__).with_name("drive_window.py")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", sys.executable, str(program), str(path), str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "DISPLAY")}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])  # the code beside this test, wherever it is installed
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said["platform"] == "xcb"
    assert said["digest"] == api.run_plan(load_plan(path)).digest()
    assert load_plan(path).node_groups[0].max_size == 8
    assert (tmp_path / "report" / "timeseries.csv").stat().st_size > 1000
    assert (tmp_path / "window.png").stat().st_size > 20_000


def test_sigterm_ends_the_program_at_once(path, user_folders):
    """SIGTERM: threads are joined, and the exit code names the signal."""
    program = "from ui.launch import main; raise SystemExit(main())"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], env=environment, stderr=subprocess.PIPE)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not (opened := [*user_folders.rglob("headroom.ini")]) and time.monotonic() < deadline:
        time.sleep(0.1)  # the recent file is written once the plan is open
    process.send_signal(signal.SIGTERM)
    _out, errors = process.communicate(timeout=60)
    assert opened and process.returncode == 128 + signal.SIGTERM, errors.decode()
