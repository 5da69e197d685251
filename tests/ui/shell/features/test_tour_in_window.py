"""The tour: five steps beside the real parts of the window, offered once."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest

from planner.language.translation import LANGUAGES
from tests.ui.shell.conftest import FLASH_SALE
from ui.help.tour_card import place_beside
from ui.wording.language import speak


def press(window, key):
    QTest.keyClick(window.focusWidget() or window, key)


def on_screen(part):
    return QRect(part.mapToGlobal(QPoint(0, 0)), part.size())


@pytest.fixture
def tour(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.actions_.tour.trigger()
    return window.tour


def test_without_a_plan_the_tour_opens_a_sample(window, tour):
    assert not window.pages.is_at_start and window.document.plan.workloads


def test_the_keyboard_goes_through_five_steps_each_around_its_part(window, tour, qtbot):
    parts = window.workspace
    expected = [parts.editor, window.tools, parts.tabs, parts.decisions, window.switch.bar]
    card, titles = tour.card, []
    for part in expected:
        titles.append(card.title.text())
        assert card.frame.isVisible() and on_screen(part).adjusted(-9, -9, 9, 9).contains(on_screen(card.frame))
        assert window.rect().contains(card.geometry()) and card.text.text() in card.accessibleDescription()
        press(window, Qt.Key.Key_Space)
    assert len(set(titles)) == 5 and tour.card is None


def test_back_shows_the_step_before(tour):
    first = tour.card.title.text()
    tour.card.next.click()
    assert tour.card.title.text() != first
    tour.card.back.click()
    assert tour.card.title.text() == first and not tour.card.back.isEnabled()


def test_escape_ends_the_tour_and_not_the_run(window, tour, qtbot):
    window.controls.speed.choose(60.0)
    window.controls.run_action.trigger()
    window.workspace.decisions.view.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert tour.card is None and window.controller.state.is_live
    press(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.controller.state.is_live)


def test_the_frame_follows_its_part(window, tour, qtbot):
    width = tour.card.frame.width()
    window.workspace.columns.setSizes([600, 600])
    qtbot.waitUntil(lambda: tour.card.frame.width() > width)


def test_the_plan_can_be_edited_meanwhile(window, tour):
    window.files.open_sample(FLASH_SALE)
    at = tour.card.frame.geometry().center()
    assert window.workspace.editor.isAncestorOf(window.childAt(at))


def test_the_tour_is_offered_on_the_first_start_only(window):
    window.tour.offer_once(window.messages)
    (message,) = [one for one in window.messages.messages if one.key == "tour"]
    message.buttons[0].click()
    assert window.tour.card is not None and not window.messages.messages
    window.tour.card.end()
    window.tour.offer_once(window.messages)
    assert not window.messages.messages


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_fits_its_card(code, qapp, window):
    speak(qapp, code)
    window.actions_.tour.trigger()
    card = window.tour.card
    for step in range(5):
        card.show_step(step)
        qapp.processEvents()
        assert card.text.height() >= card.text.heightForWidth(card.text.width())
    card.end()
    speak(qapp, "en")


def test_the_card_hides_the_part_as_little_as_it_can():
    window, card = QRect(0, 0, 1280, 800), QSize(360, 160)
    left_column = QRect(10, 90, 320, 680)
    assert not QRect(place_beside(left_column, card, window), card).intersects(left_column)
    below = QRect(340, 600, 930, 190)
    assert not QRect(place_beside(below, card, window), card).intersects(below)
