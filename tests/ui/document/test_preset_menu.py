"""The menu of presets."""

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from planner.plan.edits.presets import PRESETS
from planner.plan.edits.reference_timing import with_reference_timing
from ui.document.preset_menu import PresetMenu


@pytest.fixture
def presets(document):
    return PresetMenu(document)


def entries(presets):
    menu = QMenu()
    presets.fill(menu)
    return menu, {action.text(): action for action in menu.actions()}


def test_every_preset_is_offered_with_its_description(presets):
    _menu, found = entries(presets)
    assert list(found) == [preset.title for preset in PRESETS.values()]
    assert [action.toolTip() for action in found.values()] == [preset.description for preset in PRESETS.values()]


def test_a_preset_is_one_undo_step(presets, document):
    before = document.plan
    _menu, found = entries(presets)
    found["Reference timing"].trigger()
    assert document.plan == with_reference_timing(before)
    assert document.undo_stack.undoText() == "Preset: Reference timing"
    document.undo_stack.undo()
    assert document.plan == before


def test_a_preset_that_would_change_nothing_is_greyed_out(presets, document):
    _menu, found = entries(presets)
    assert not found["Cluster Autoscaler defaults of 1.36"].isEnabled()
    assert found["Older Cluster Autoscaler defaults"].isEnabled()
    found["Older Cluster Autoscaler defaults"].trigger()
    _menu, found = entries(presets)
    assert found["Cluster Autoscaler defaults of 1.36"].isEnabled()
    assert not found["Older Cluster Autoscaler defaults"].isEnabled()
    changing = {preset.title for preset in PRESETS.values() if preset.apply(document.plan) != document.plan}
    assert {text for text, action in found.items() if action.isEnabled()} == changing


def test_the_menu_is_filled_when_it_opens(presets, qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    menu = presets.menu(holder)
    menu.aboutToShow.emit()
    assert len(menu.actions()) == len(PRESETS)
