"""A large plan is checked beside the window: nothing waits for the check but what needs its result."""

import threading

import pytest
from PySide6.QtWidgets import QPushButton

from planner.plan.edits.edit import replace_at
from tests.builders import a_plan, a_workload
from ui.document import plan_check
from ui.document.plan_check import find, is_large
from ui.document.plan_document import PlanDocument
from ui.editor.problems.marks import Marks
from ui.editor.problems.problems_panel import ProblemsPanel
from ui.runs.controls.run_controls import RunControls
from ui.runs.controls.status_line import StatusLine
from ui.runs.thread.controller import RunController

ROWS = 300


def large_plan(**parts):
    return a_plan(workloads=tuple(a_workload(f"w{row}", replicas=0) for row in range(ROWS)), **parts)


def wrong_plan():
    calls = ({"workload": "missing"},)
    return a_plan(workloads=tuple(a_workload(f"w{row}", replicas=0, calls=calls) for row in range(ROWS)))


class HeldCheck:
    """Checks of large plans wait until the test lets them go on."""

    def __init__(self):
        self.go_on = threading.Semaphore(0)
        self.plans = []

    def find(self, plan, is_stopped=lambda: False):
        if len(plan.workloads) == ROWS:
            self.plans.append(plan)
            assert self.go_on.acquire(timeout=10)
        return find(plan, is_stopped)


@pytest.fixture
def held(monkeypatch):
    held = HeldCheck()
    monkeypatch.setattr(plan_check, "find", held.find)
    yield held
    held.go_on.release(100)


@pytest.fixture
def document(qapp, held):
    document = PlanDocument(large_plan())
    yield document
    held.go_on.release(100)
    document.check.shutdown()


@pytest.fixture
def line(document, session, theme, qtbot):
    line = StatusLine(document, session, theme)
    qtbot.addWidget(line)
    return line


@pytest.fixture
def controls(document, session):
    controller = RunController(session)
    yield RunControls(controller, session, document)
    controller.shutdown()


def let_go(held, document, qtbot):
    with qtbot.waitSignal(document.check.ended):
        held.go_on.release()


def test_the_window_answers_while_a_large_plan_is_checked(document, held, line, theme, qtbot):
    """Without its thread, showing the plan would wait for the check, and the check for the test."""
    panel = ProblemsPanel(Marks(document), theme)
    button = QPushButton()
    qtbot.addWidget(panel)
    qtbot.addWidget(button)
    qtbot.waitUntil(lambda: bool(held.plans))
    with qtbot.waitSignal(button.clicked):
        button.click()
    assert document.check.findings is None
    assert (line.validity.text(), panel.summary.text()) == ("Checking the plan…", "Checking the plan…")
    let_go(held, document, qtbot)
    assert line.validity.text().startswith("Plan is valid") and panel.summary.text().startswith("Plan is valid")


def test_findings_on_an_older_plan_are_dropped(document, held, line, qtbot):
    older = document.plan
    qtbot.waitUntil(lambda: bool(held.plans))
    document.apply(wrong_plan(), "Break")
    held.go_on.release()
    qtbot.waitUntil(lambda: len(held.plans) == 2)
    assert line.validity.text() == "Checking the plan…"
    let_go(held, document, qtbot)
    assert held.plans == [older, document.plan]
    findings = document.check.findings
    assert (len(findings.problems), findings.more_problems) == (100, ROWS - 100)
    assert line.validity.text() == f"{ROWS} problems"


def test_a_small_plan_is_checked_at_once_even_while_a_large_one_is(document, held, line):
    small = a_plan(workloads=(a_workload(), a_workload()))
    document.apply(small, "Shrink")
    assert [problem.where for problem in document.check.findings.problems] == ["workloads[1].name"]
    assert line.validity.text() == "1 problem"


def test_an_undone_edit_is_checked_again(document, held, qtbot):
    qtbot.waitUntil(lambda: bool(held.plans))
    document.apply(wrong_plan(), "Break")
    document.undo_stack.undo()
    held.go_on.release(10)
    qtbot.waitUntil(lambda: document.check.findings is not None)
    assert document.check.findings.problems == ()


@pytest.mark.parametrize("verb", ["run_action", "step_action"])
def test_a_run_begins_once_the_plan_is_checked(verb, document, held, controls, session, qtbot):
    getattr(controls, verb).trigger()
    qtbot.waitUntil(lambda: bool(held.plans))
    assert session.runs == ()
    let_go(held, document, qtbot)
    assert [run.plan for run in session.runs] == [document.plan]


def test_a_plan_that_turns_out_wrong_is_not_run(document, held, controls, session, qtbot):
    document.new(wrong_plan())
    failures = []
    controls._controller.failed.connect(failures.append)
    controls.run_action.trigger()
    held.go_on.release(10)
    qtbot.waitUntil(lambda: bool(failures))
    assert (session.runs, len(failures[0].problems), failures[0].more) == ((), 100, ROWS - 100)


def test_an_edit_takes_the_wish_to_run_back(document, held, controls, session, qtbot):
    controls.run_action.trigger()
    document.apply(replace_at(document.plan, ("simulation", "seed"), 7), "Set seed")
    held.go_on.release(10)
    qtbot.waitUntil(lambda: document.check.findings is not None)
    assert session.runs == ()


def test_marks_of_another_document_are_gone_before_the_new_one_is_checked(document, held, qtbot):
    document.new(a_plan(workloads=(a_workload(), a_workload())))
    marks = Marks(document)
    assert marks.found
    document.new(large_plan())
    assert not marks.found


def test_an_error_of_the_check_reaches_the_window(document, held, monkeypatch, qtbot):
    def broken(plan):
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(plan_check, "find_hints", broken)
    with qtbot.captureExceptions() as errors:
        held.go_on.release(10)
        qtbot.waitUntil(lambda: bool(errors))
    assert errors[0][0] is ZeroDivisionError


def test_very_many_hints_are_counted():
    plan = a_plan(workloads=tuple(a_workload(f"w{row}", pod={"containers": [{}]}) for row in range(1_200)))
    findings = find(plan)
    assert (len(findings.hints), findings.more_hints) == (1_000, 200)


@pytest.mark.parametrize(
    ("plan", "large"),
    [
        (a_plan(), False),
        (large_plan(), True),
        (a_plan(workloads=tuple(a_workload(f"w{n}") for n in range(100))), False),
    ],
)
def test_only_plans_of_many_rows_are_large(plan, large):
    assert is_large(plan) is large
