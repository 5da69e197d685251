"""Actions and inputs of the tool bar."""

import pytest
from PySide6.QtCore import Qt

from planner.plan.edits.edit import replace_at
from tests.builders import a_plan, a_workload
from ui.document.plan_document import PlanDocument
from ui.runs.controls.run_controls import RunControls
from ui.runs.controls.speed_slider import SPEEDS, nearest_speed, speed_text
from ui.runs.run_data import RunState


@pytest.fixture
def document(qapp, flash_sale):
    return PlanDocument(flash_sale)


@pytest.fixture
def controls(controller, session, document, qtbot):
    controls = RunControls(controller, session, document)
    for widget in (controls.speed, controls.seed, controls.baseline):
        qtbot.addWidget(widget)
    return controls


def test_the_actions_have_the_usual_keys(controls):
    actions = (controls.run_action, controls.pause_action, controls.step_action, controls.stop_action)
    assert [action.shortcut().toString() for action in actions] == ["F5", "F6", "F10", "Esc"]


def test_actions_follow_the_state(controls, controller, ended):
    assert not controls.pause_action.isEnabled() and not controls.stop_action.isEnabled()
    controls.speed.choose(10)
    controls.run_action.trigger()
    assert controller.state is RunState.RUNNING and controls.pause_action.isEnabled()
    controls.pause_action.trigger()
    assert controller.state is RunState.PAUSED and "Res&ume" in controls.pause_action.text()
    controls.pause_action.trigger()
    assert controller.state is RunState.RUNNING
    controls.stop_action.trigger()
    ended()
    assert controls.run_action.isEnabled() and not controls.stop_action.isEnabled()


def test_step_starts_a_paused_run(controls, controller, qtbot):
    controls.step_action.trigger()
    assert controller.state is RunState.PAUSED
    qtbot.waitUntil(lambda: controller.run.done_us > 0, timeout=10_000)
    first_us = controller.run.done_us
    controls.step_action.trigger()
    qtbot.waitUntil(lambda: controller.run.done_us > first_us, timeout=10_000)


def test_a_plan_with_problems_is_not_started(controls, controller, session, document, troubles):
    document.apply(a_plan(workloads=(a_workload(), a_workload())), "Break")
    controls.run_action.trigger()
    assert troubles[0].problems == document.check.findings.problems
    assert session.runs == ()


def test_the_seed_is_part_of_the_plan_and_can_be_undone(controls, document):
    controls.seed.setValue(4242)
    assert document.plan.simulation.seed == 4242
    controls.seed.setValue(2**53 - 1)
    assert document.plan.simulation.seed == 2**53 - 1
    document.undo_stack.undo()  # one step: the values were typed one after the other
    assert document.plan.simulation.seed == 1 == controls.seed.seed


def test_speeds_range_from_real_time_to_unlimited(controls, controller):
    assert SPEEDS[0] == 1 and SPEEDS[-1] is None
    assert controller.speed is None
    controls.speed.choose(60.0)
    assert controller.speed == 50
    controls.speed.choose(None)
    assert controller.speed is None


@pytest.mark.parametrize(("factor", "text"), [(1, "×1"), (None, "max"), (50, "×50")])
def test_speeds_are_shown_as_text(factor, text):
    assert speed_text(factor) == text
    assert SPEEDS[nearest_speed(factor)] == factor


def test_runs_are_named_after_what_was_changed(controls, controller, session, document, ended):
    controls.run_action.trigger()
    ended()
    controls.run_action.trigger()
    ended()
    group = document.plan.node_groups[0]
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), group.max_size + 7), "More")
    controls.run_action.trigger()
    ended()
    controls.seed.setValue(9)
    controls.run_action.trigger()
    ended()
    assert [run.label for run in session.runs] == [
        f"run 1 · {document.plan.name}",
        "run 2 · no changes",
        f"run 3 · {group.name} · Maximum {group.max_size} → {group.max_size + 7}",
        "run 4 · seed 9",
    ]
    assert [run.seed for run in session.runs] == [1, 1, 1, 9]


def test_the_baseline_is_chosen_by_name(controls, controller, session, document, ended, qtbot):
    for _ in range(3):
        controls.run_action.trigger()
        ended()
    box = controls.baseline
    assert "run 2" in box.currentText() and session.baseline is session.runs[1]
    row = box.findText(session.runs[0].label)
    box.setCurrentIndex(row)
    box.activated.emit(row)
    assert session.baseline is session.runs[0]
    box.activated.emit(1)
    assert session.baseline is None
    controls.run_action.trigger()
    ended()
    assert session.baseline is None and box.currentIndex() == 1
    box.activated.emit(0)
    assert session.baseline is session.runs[2]


def test_inputs_have_names_for_screen_readers(controls):
    assert controls.seed.accessibleName() and controls.baseline.accessibleName()
    assert controls.stop_action.shortcutContext() is Qt.ShortcutContext.WindowShortcut
