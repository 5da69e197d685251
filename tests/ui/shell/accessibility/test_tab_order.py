"""The Tab key goes through the window as it is seen."""

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton

from tests.ui.shell.conftest import FLASH_SALE
from ui.widgets.tab_order import in_reading_order


@pytest.fixture
def opened(window, tmp_path, qtbot):
    window.open_path(shutil.copy(FLASH_SALE, tmp_path / "plan.headroom"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.wait(50)
    return window


def tab(qtbot, times, key=Qt.Key.Key_Tab):
    """The focused widget after each Tab."""
    seen = []
    for _time in range(times):
        qtbot.keyClick(QApplication.focusWidget(), key)
        seen.append(QApplication.focusWidget())
    return seen


def switch_of(editor):
    """From the form to its manifest; in the title of the form."""
    return editor.findChild(QToolButton, "manifestSwitch")


def test_tab_goes_from_the_rows_through_the_form_from_top_to_bottom(opened, qtbot):
    editor = opened.workspace.editor
    editor.table.setFocus()
    inputs = [one for one in in_reading_order(editor.form.page) if one.isEnabled()]
    assert len(inputs) > 10
    reached = tab(qtbot, 10)
    assert reached == [switch_of(editor), *inputs[:9]]
    back = tab(qtbot, 9, Qt.Key.Key_Backtab)
    assert back == reached[-2::-1]


def test_each_form_has_its_own_tab_order(opened, qtbot):
    editor = opened.workspace.editor
    editor.show_place("workloads[0].name")
    qtbot.wait(200)
    editor.table.setFocus()
    assert tab(qtbot, 5) == [switch_of(editor), *in_reading_order(editor.form.page)[:4]]


def test_every_tab_stop_has_an_accessible_name(opened, qtbot):
    opened.workspace.editor.table.setFocus()
    for widget in tab(qtbot, 80):
        name = widget.accessibleName() or (widget.text() if hasattr(widget, "text") else "")
        assert name, f"{type(widget).__name__} in {type(widget.parent()).__name__}"
