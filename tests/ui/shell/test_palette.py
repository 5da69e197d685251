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


def test_a_list_is_found_even_while_nothing_is_in_it(window, palette):
    window.document.apply(window.document.plan.model_copy(update={"workloads": ()}), "Empty")
    palette.finder.renew()
    chosen(palette, "workloads")
    assert window.workspace.editor.section.key == "workloads"


def test_actions_that_cannot_be_done_now_are_not_offered(window, palette):
    palette.finder.renew()
    QTest.keyClicks(palette.finder, "Manifests")
    assert any(thing.words.endswith("Manifests…") for thing in palette.finder.offered)
    palette.finder.clear()
    QTest.keyClicks(palette.finder, "Key figures to the clipboard")
    assert not any(thing.words.endswith("Key figures to the clipboard") for thing in palette.finder.offered)


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


def shown_in_list(palette):
    rows = palette.finder.completer().popup().model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def test_a_text_that_nothing_is_called_by_is_said_to_be_with_the_nearest(palette):
    QTest.keyClicks(palette.finder, "minimun replcas")
    note, *near = shown_in_list(palette)
    assert note.startswith("Nothing is called “minimun replcas”.") and palette.finder.completer().popup().isVisible()
    assert near and all("inimum" in words and "eplicas" in words for words in near)
    QTest.keyClick(palette.finder, Qt.Key.Key_Return)
    assert palette.isVisible(), "Return goes nowhere: nothing was found"


def test_arrow_keys_lead_to_the_nearest(window, palette):
    QTest.keyClicks(palette.finder, "minimun replcas")
    popup = palette.finder.completer().popup()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(popup, key)
    assert not palette.isVisible() and window.workspace.editor.section.key == "cluster_autoscaler"


def test_what_is_like_nothing_is_said_to_be_nothing(palette):
    QTest.keyClicks(palette.finder, "zzqqxxzz")
    assert shown_in_list(palette) == ["Nothing is called “zzqqxxzz”."]


@pytest.mark.parametrize(("text", "last"), [
    ("maxReplicas", "shop · Maximum  (spec.maxReplicas)"), ("scan-interval", "Scan interval  (--scan-interval)"),
])  # fmt: skip
def test_a_field_is_found_by_what_kubernetes_calls_it(window, palette, text, last):
    QTest.keyClicks(palette.finder, text)
    assert any(words.endswith(f" · {last}") for words in shown_in_list(palette))
    QTest.keyClick(palette.finder, Qt.Key.Key_Return)
    assert not palette.isVisible() and window.workspace.editor.isVisible()


def test_fields_of_every_object_are_found_by_its_name(window, palette):
    chosen(palette, "replicas back-of")
    assert window.workspace.editor.row == 2 and window.workspace.editor.section.key == "workloads"


def test_escape_in_an_open_list_closes_the_search_at_once(palette):
    QTest.keyClicks(palette.finder, "dark")
    popup = palette.finder.completer().popup()
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not palette.isVisible() and not popup.isVisible() and palette.finder.text() == ""
