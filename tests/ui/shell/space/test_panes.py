"""Panes that are torn off: a window each, the place kept, all of it again after a restart."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.shell.conftest import FLASH_SALE
from ui.runs.run_data import RunState
from ui.shell.main_window import MainWindow

VIEWS = ("live", "cluster", "autoscalers", "summary", "headroom")


@pytest.fixture
def workspace(window):
    window.open_path(FLASH_SALE)
    return window.workspace


def names(tabs):
    return [tabs.tabText(place) for place in range(tabs.count())]


@pytest.mark.parametrize("key", VIEWS)
def test_a_tab_that_is_torn_off_keeps_its_place(workspace, key):
    panes, before = workspace.panes, names(workspace.tabs)
    view = workspace.tabs.widget(VIEWS.index(key))
    workspace.tabs.setCurrentWidget(view)
    panes.actions_[key].trigger()
    assert view.isVisible() and view.window() is panes.windows[key] and names(workspace.tabs) == before
    assert workspace.plots.tools.isVisible() is (key == "live")
    panes.windows[key].close()
    assert not panes.windows and workspace.tabs.currentWidget() is view and view.isVisible()
    assert names(workspace.tabs) == before and not panes.actions_[key].isChecked()
    assert workspace.plots.tools.isVisible() is (key == "live")


def test_the_window_of_a_pane_names_the_plan(window, workspace, tmp_path):
    workspace.panes.tear_off("summary")
    pane = workspace.panes.windows["summary"]
    assert pane.windowTitle() == "Summary – plan.headroom"
    window.document.save_as(tmp_path / "other.headroom")
    assert pane.windowTitle() == "Summary – other.headroom"


def test_a_double_click_on_a_tab_tears_it_off_and_again_brings_it_back(workspace, qapp):
    bar = workspace.tabs.tabBar()
    for is_away in (True, False):
        QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
        assert workspace.panes.is_away(workspace.cluster) is is_away


def test_the_decisions_leave_their_room_to_the_plots_and_take_it_again(workspace, qapp):
    qapp.processEvents()
    height, below = workspace.tabs.height(), workspace.decisions.height()
    workspace.panes.tear_off("decisions")
    qapp.processEvents()
    assert workspace.tabs.height() > height and workspace.decisions.isVisible()
    workspace.panes.bring_back("decisions")
    qapp.processEvents()
    assert (workspace.tabs.height(), workspace.decisions.height()) == (height, below)


def test_the_keys_of_the_window_work_in_a_torn_off_pane(window, workspace, qtbot):
    workspace.panes.tear_off("cluster")
    pane = workspace.panes.windows["cluster"]
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    QTest.keyClick(pane, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.session.current is not None and not window.controller.state.is_live, timeout=60_000)


def test_the_keys_of_the_help_do_not_work_in_a_pane_that_is_torn_off_later(window, workspace, qtbot):
    """Esc closes the help, but stops a run from a pane: both at once would do nothing."""
    window.actions_.model.trigger()
    workspace.panes.tear_off("cluster")
    pane = workspace.panes.windows["cluster"]
    keys = [one for action in pane.actions() for one in action.shortcuts()]
    assert len(keys) == len({key.toString() for key in keys})
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    QTest.keyClick(pane, Qt.Key.Key_F5)
    assert window.controller.state.is_live
    QTest.keyClick(pane, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.controller.state.is_live)
    assert window.session.current.state is RunState.STOPPED


def test_the_keys_of_the_window_work_in_the_window_of_why(window, workspace, qtbot):
    workspace.decisions.open_why()
    why = workspace.decisions.why_window
    qtbot.waitUntil(why.isActiveWindow)
    QTest.keyClick(why, Qt.Key.Key_F5)
    assert window.controller.state.is_live
    window.controller.shutdown()


def test_what_is_searched_for_comes_to_the_front_where_it_is(window, workspace):
    workspace.panes.tear_off("headroom")
    window.headroom.show_tab()
    assert workspace.headroom.isVisible() and workspace.panes.is_away(workspace.headroom)


def test_the_arrangement_is_there_again_after_a_restart(window, workspace, theme, answers, qtbot):
    for key in ("cluster", "decisions"):
        workspace.panes.tear_off(key)
    workspace.panes.windows["cluster"].resize(700, 500)
    workspace.decisions.open_why()
    window.close()
    again = MainWindow(theme, window.settings, answers)
    qtbot.addWidget(again, before_close_func=lambda window: window.end())
    again.restore_layout()
    again.show()
    assert not again.workspace.panes.windows
    again.open_path(FLASH_SALE)
    assert set(again.workspace.panes.windows) == {"cluster", "decisions"}
    assert again.workspace.panes.windows["cluster"].width() == 700
    why = again.workspace.decisions.why_window
    assert why.isVisible()
    opened = (*again.workspace.panes.windows.values(), why)
    assert all(one.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating) for one in opened)
    again.actions_.reset_layout.trigger()
    assert not again.workspace.panes.windows
