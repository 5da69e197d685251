"""Right-sizing by what was measured, asked in the window."""

import numpy as np

from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity


def test_sizes_follow_measured_series_where_there_are_some(workspace, runner, document, qtbot):
    steps = 60
    courses = {Subject(Quantity.CPU, "shop"): np.full(steps, 0.5, np.float32)}
    runner.measured = lambda: MeasuredCluster(1_772_323_200, 60, steps, courses, {}, "week")
    workspace.ask_sizes("shop")
    asked = document.plan.experiments[-1]
    assert asked.use == "measured" and workspace.page.question.use.currentText() == "as measured"
    workspace.run(asked.name)
    qtbot.waitUntil(lambda: not runner.report(asked.name).state.is_live, timeout=60_000)
    answer = runner.report(asked.name).answer
    assert answer is not None and answer.more["source"].startswith("week, ")
    runner.measured = lambda: None
    workspace.page.question.use.setCurrentIndex(0)
    assert document.plan.experiments[-1].use == "simulated"


def test_before_a_run_measured_sizes_answer_nothing_and_a_run_is_not_called_outdated(
    workspace, runner, document, qtbot
):
    steps = 60
    courses = {Subject(Quantity.CPU, "shop"): np.full(steps, 0.5, np.float32)}
    runner.measured = lambda: MeasuredCluster(1_772_323_200, 60, steps, courses, {}, "week")
    workspace.ask_sizes("shop")
    asked = document.plan.experiments[-1]
    runner.look_up(document.plan, [asked])
    qtbot.waitUntil(lambda: not runner.looks_up(asked.name), timeout=60_000)
    assert runner.report(asked.name).answer is None
    assert workspace.page.head.sentence.text() == "Not run yet."
    workspace.page.settings.seeds.setValue(1)
    workspace.run(asked.name)
    assert "has changed" not in workspace.page.head.note.text()
    qtbot.waitUntil(lambda: not runner.report(asked.name).state.is_live, timeout=60_000)
    assert "best" in workspace.page.head.sentence.text() or "Keep" in workspace.page.head.sentence.text()
