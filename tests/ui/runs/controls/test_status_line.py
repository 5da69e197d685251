"""What the line at the bottom says."""

import numpy as np
import pytest

from planner.plan.edits.edit import replace_at
from ui.runs.controls.status_line import StatusLine, clock
from ui.runs.messages import RunChunk, RunStarted
from ui.runs.run_data import RunData, RunState
from ui.runs.thread.controller import RunController


@pytest.fixture
def line(document, session, theme, qtbot):
    line = StatusLine(document, session, theme)
    qtbot.addWidget(line)
    return line


@pytest.mark.parametrize(
    ("time_us", "shown"), [(0, "00:00:00"), (3_661_900_000, "01:01:01"), (360_000_000_000, "100:00:00")]
)
def test_times_are_hours_minutes_seconds(time_us, shown):
    assert clock(time_us) == shown


def test_the_line_follows_a_run_to_its_end(line, session, document, qtbot):
    assert "F5" in line.state.text() and line.progress.isHidden()
    controller, texts = RunController(session), []
    session.current_changed.connect(lambda: session.current.appended.connect(lambda: texts.append(line.state.text())))
    controller.set_speed(2_000.0)
    controller.start(document.plan)
    assert not line.progress.isHidden()
    qtbot.waitUntil(lambda: bool(texts))
    assert texts[0].startswith("Running") and "of 01:00:00" in texts[0]
    controller.set_speed(None)
    qtbot.waitUntil(lambda: controller.state is RunState.FINISHED)
    assert line.state.text().startswith("Finished · 01:00:00") and line.progress.isHidden()
    assert line.counts.text().startswith("1 node · 2 pods · ")


def test_a_run_is_shown_as_being_prepared_before_its_time_starts(line, session, document):
    run = RunData(1, "run 1", document.plan, 1)
    run.set_state(RunState.RUNNING)
    session.add(run)
    assert line.state.text().startswith("Preparing") and line.progress.maximum() == 0
    run.begin(RunStarted(("nodes_ready_count", "pods_running_count"), 3_600_000_000))
    run.append(RunChunk(0, 12, np.empty(0, np.int64), np.empty((2, 0)), (), ()))
    assert line.state.text().startswith("Placing")
    run.append(RunChunk(15_000_000, 20, np.array([0]), np.ones((2, 1)), (), ()))
    assert line.state.text().startswith("Running") and line.progress.maximum() > 0


def test_the_line_says_whether_the_plan_is_valid(line, document, qtbot):
    assert line.validity.text().startswith("Plan is valid")
    document.apply(replace_at(document.plan, ("node_groups", 0, "min_size"), 15_000), "Raise the minimum")
    assert "problem" in line.validity.text()
    with qtbot.waitSignal(line.validity_clicked):
        line.validity.click()
    line.show_plan(False)
    assert line.validity.isHidden()


def test_other_work_can_be_cancelled(line, qtbot):
    left_off = []
    line.show_work("Writing 3 of 8", lambda: left_off.append("writing"))
    assert not line.cancel.isHidden()
    line.cancel.click()
    assert left_off == ["writing"]
    line.end_work()
    assert line.work.isHidden() and line.cancel.isHidden()
