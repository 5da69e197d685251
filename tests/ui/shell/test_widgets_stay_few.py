"""However long the window is used, its widgets do not become more: what was seen once is made once."""

import gc
from collections import Counter

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QMenu

from tests.ui.shell.conftest import FLASH_SALE
from ui.app import change_language
from ui.process.crash_reports import CrashReports
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow
from ui.wording.language import speak

ZONE_OUTAGE = FLASH_SALE.parents[1] / "zone-outage-spread" / "plan.headroom"


def widgets():
    """Those of the whole program, by class."""
    for _ in range(2):  # what goes lets go of more
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    return Counter(type(widget).__name__ for widget in QApplication.allWidgets())


def look_at_everything(window):
    """Open two plans, show each section with its first rows, duplicate and delete a row of each."""
    editor = window.workspace.editor
    for plan in (FLASH_SALE, ZONE_OUTAGE):
        assert window.files.open(plan)
        for section in editor.tree.sections:
            rows = section.rows(window.document.plan) if section.is_list else ()
            field = section.fields[0]
            for place in [(field, row) for row in range(min(2, len(rows)))] if rows else [(field,)]:
                editor.show_path(place)
                QApplication.processEvents()
            if rows:
                editor.actions_of_rows.duplicate.trigger()
                editor.actions_of_rows.delete.trigger()
        window.document.undo_stack.setIndex(0)


def test_every_section_of_two_plans_seen_again(window):
    look_at_everything(window)
    before = widgets()
    look_at_everything(window)
    assert not widgets() - before


def open_menus(window):
    """The palette, which asks every menu of the bar for its entries, and the menu of each plot."""
    window.actions_.find.trigger()
    window.palette_.reject()
    for row in window.workspace.plots.rows.values():
        for menu in row.findChildren(QMenu):
            menu.aboutToShow.emit()


def menus_and_entries(window):
    """How many there are in the window, by class."""
    widgets()  # what is to go goes first
    return {kind: len(window.findChildren(kind)) for kind in (QMenu, QAction, QActionGroup)}


def test_menus_that_open_again(window):
    assert window.files.open(FLASH_SALE)
    for _ in range(2):  # the first time they are opened they become more
        open_menus(window)
        before = menus_and_entries(window)
    open_menus(window)
    assert menus_and_entries(window) == before


@pytest.fixture
def turned(theme, answers, qtbot):
    """Changes the language of a window to and fro, which makes a new one each time, and ends the last."""
    app, shown = QApplication.instance(), [MainWindow(theme, WindowSettings(), answers)]

    def turn():
        for code in ("ko", "en"):
            shown.append(change_language(shown.pop(), app, code))

    yield turn
    shown[0].end()
    CrashReports.uninstall()
    speak(app, "en")


def test_a_window_in_another_language_leaves_nothing_of_the_former(turned):
    turned()
    before = widgets()
    turned()
    assert not widgets() - before
