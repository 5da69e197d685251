"""Ctrl+K finds fields, objects and actions."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.shell.conftest import FLASH_SALE


@pytest.fixture
def palette(window):
    window.start.sample_chosen.emit(FLASH_SALE)
    assert window.actions_.find.shortcut().toString() == "Ctrl+K"
    window.actions_.find.trigger()
    assert window.palette_.isVisible()
    return window.palette_


def chosen(palette, text):
    QTest.keyClicks(palette.finder, text)
    QTest.keyClick(palette.finder, Qt.Key.Key_Return)


def test_an_action_of_a_menu_is_found_and_done(window, palette):
    chosen(palette, "dark")
    assert window.theme.choice == "dark" and not palette.isVisible()


def test_a_field_is_found_and_shown(window, palette):
    window.pages.show_experiments()
    chosen(palette, "scheduler · ")
    assert window.workspace.isVisible() and window.workspace.editor.section.key == "scheduler"


def test_actions_that_cannot_be_done_now_are_not_offered(window, palette):
    palette.finder.renew()
    offered = palette.finder._paths
    assert any(words.endswith("Manifests…") for words in offered)
    assert not any(words.endswith("Key figures to the clipboard") for words in offered)


def test_escape_closes_and_a_second_search_begins_empty(window, palette):
    QTest.keyClicks(palette.finder, "dar")
    QTest.keyClick(palette, Qt.Key.Key_Escape)
    assert not palette.isVisible() and window.theme.choice == "light"
    palette.open_above()
    assert palette.finder.text() == ""


def test_an_entry_chosen_in_the_list_with_the_keyboard_is_done_once(window, palette):
    QTest.keyClicks(palette.finder, "their own")
    popup = palette.finder.completer().popup()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(popup, key)
    assert list(window.workspace.panes.windows) == ["cluster"] and not palette.isVisible()
