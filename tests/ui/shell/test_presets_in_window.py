"""Presets in the menu of the window."""

from tests.ui.shell.conftest import FLASH_SALE


def test_a_preset_is_applied_from_the_plan_menu_and_undone(window):
    window.open_path(FLASH_SALE)
    (plan_menu,) = [action.menu() for action in window.menuBar().actions() if action.text() == "&Plan"]
    (presets,) = [action.menu() for action in plan_menu.actions() if action.text() == "Pre&sets"]
    presets.aboutToShow.emit()
    (older,) = [action for action in presets.actions() if action.text().startswith("Older")]
    older.trigger()
    assert not window.document.plan.cluster_autoscaler.frequent_loops_enabled
    assert window.actions_.undo.isEnabled()
    window.actions_.undo.trigger()
    assert window.document.plan.cluster_autoscaler.frequent_loops_enabled
