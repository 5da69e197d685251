"""The guide to a first plan: its five questions in the window."""

import pytest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit

from planner.plan.edits.machine_catalogue import CATALOGUE, machine_catalogue
from planner.plan.first.answers import Answers, Pattern
from planner.plan.first.first_plan import first_plan
from ui.start.first_plan_dialog import FirstPlanDialog


@pytest.fixture
def dialog(qapp):
    """Goes with the test, or before it when it is closed."""
    return FirstPlanDialog(machine_catalogue(CATALOGUE))


def test_enter_makes_the_plan_of_the_defaults_and_runs_it(dialog, qtbot):
    dialog.show()
    assert dialog.answers() == Answers() and dialog.run.isDefault()
    with qtbot.waitSignal(dialog.made) as made:
        dialog.run.click()
    assert made.args == [first_plan(Answers(), machine_catalogue(CATALOGUE)), True]
    assert not dialog.isVisible()


def test_every_answer_goes_into_the_plan(dialog):
    dialog.service.setText("shop")
    dialog.runtime.setCurrentIndex(dialog.runtime.findData("pre-fork"))
    dialog.cpu_ms.setValue(35.5)
    dialog.unit.setCurrentIndex(dialog.unit.findData("users"))
    dialog.peak.setValue(5_000)
    dialog.between.setValue(20)
    dialog.pattern.setCurrentIndex(dialog.pattern.findData(Pattern.OFFICE))
    dialog.machine.provider.setCurrentIndex(1)
    dialog.target.setValue(900)
    dialog.budget.setValue(700)
    provider = dialog.machine.provider.currentText()
    assert machine_catalogue(CATALOGUE).named(dialog.machine.currentData()).provider == provider
    wanted = Answers("shop", 250.0, "pre-fork", 35.5, Pattern.OFFICE, dialog.machine.currentData(), 900, 700)
    assert dialog.answers() == wanted


def test_what_the_answers_amount_to_is_said_before_the_plan_is_made(dialog):
    assert "3 to" in dialog.outcome.text() and "m6i.xlarge" in dialog.outcome.text() and "$" in dialog.outcome.text()
    dialog.budget.setValue(1)
    assert "more than the budget" in dialog.outcome.text()


def test_an_answer_that_cannot_be_kept_is_named_and_no_plan_is_made(dialog):
    dialog.target.setValue(30)
    assert "Allow at least" in dialog.outcome.text()
    assert not dialog.make.isEnabled() and not dialog.run.isEnabled()
    dialog.target.setValue(400)
    assert dialog.make.isEnabled()


def test_seconds_between_requests_are_wanted_of_users_only(dialog):
    dialog.show()
    assert not dialog.between.isVisible()
    dialog.unit.setCurrentIndex(dialog.unit.findData("users"))
    assert dialog.between.isVisible()


def test_every_input_has_a_name(dialog):
    inputs = [one for kind in (QLineEdit, QComboBox, QAbstractSpinBox) for one in dialog.findChildren(kind)]
    own = [one for one in inputs if one.objectName() != "qt_spinbox_lineedit"]
    assert [one for one in own if not one.accessibleName()] == []
