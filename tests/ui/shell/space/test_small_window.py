"""Nothing that is chosen is cut off in the smallest usual window."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QStyleOptionComboBox, QToolButton

from planner.language.translation import LANGUAGES
from tests.ui.shell.conftest import FLASH_SALE
from ui.decisions.row_texts import DecisionColumn
from ui.experiments.questions import questions
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow
from ui.shell.pages import PagesScroller
from ui.theme.style import style_sheet, wear_colours
from ui.wording.language import speak

LEAST_WHY_PX = 150


@pytest.fixture(params=LANGUAGES)
def small_window(request, theme, answers, qtbot):
    """The window at 1280 x 800, in each language, with a plan."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    wear_colours(app, theme.current)
    speak(app, request.param)
    window = MainWindow(theme, WindowSettings(), answers)
    window.setStyleSheet(style_sheet(theme.current))  # on the program, it would polish every widget of other tests, too
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    window.resize(1280, 800)
    window.show()
    window.files.open_sample(FLASH_SALE)
    window.pages.show_plan()
    window.workspace.reset_layout(1280, 800)
    QApplication.processEvents()
    yield window
    speak(app, "en")


def room_for_text(choice):
    """Width of the part of a closed choice that shows its text."""
    option = QStyleOptionComboBox()
    choice.initStyleOption(option)
    style = choice.style()
    field = QStyle.SubControl.SC_ComboBoxEditField
    return style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, choice).width()


def cut_off(choices):
    """What is chosen but not shown whole."""
    return [
        choice.currentText()
        for choice in choices
        if room_for_text(choice) < choice.fontMetrics().horizontalAdvance(choice.currentText())
    ]


def test_choices_and_reasons_are_shown_whole_and_why_has_room_for_ten_lines(small_window):
    decisions = small_window.workspace.decisions
    filters, view, why = decisions.filters, decisions.view, decisions.why
    assert cut_off((filters.actor, filters.subject, filters.verdict)) == []
    header = view.horizontalHeader()
    assert header.length() <= view.viewport().width()
    assert header.sectionSize(DecisionColumn.WHY) >= LEAST_WHY_PX
    assert why.viewport().height() >= 10 * why.fontMetrics().height()


def fills(page, scroller):
    """Whether a page has at least the room it needs, and all of it can be scrolled into sight."""
    room = scroller.viewport().size()
    is_whole = page.size() == page.minimumSizeHint().expandedTo(room)
    return is_whole and scroller.verticalScrollBar().maximum() == page.height() - room.height()


def test_every_workspace_fits_half_a_large_screen_and_scrolls_what_it_has_no_room_for(small_window, qtbot):
    """As at 200 % on 1920 x 1080, with a title bar and the bar of a desktop."""
    window, half = small_window, QSize(950, 490)
    window.resize(half)
    scroller = window.findChild(PagesScroller)
    for action in window.switch.actions_:
        action.trigger()
        qtbot.waitUntil(lambda: fills(window.pages.currentWidget(), scroller))
        assert window.size() == half and scroller.width() <= half.width()


def test_what_the_tool_bar_has_no_room_for_is_behind_a_button_with_a_sign_and_a_name(small_window):
    rest = small_window.tools.findChild(QToolButton, "qt_toolbar_ext_button")
    assert not rest.isVisible()
    small_window.resize(850, 600)
    QApplication.processEvents()
    assert rest.isVisible() and not rest.icon().isNull() and rest.accessibleName()
    drawn = rest.grab().toImage()
    colors = {drawn.pixel(x, y) for x in range(drawn.width()) for y in range(drawn.height())}
    assert len(colors) > 2, "the sign has no room"


def test_captions_of_the_tool_bar_go_with_what_they_name(small_window):
    small_window.resize(850, 600)
    QApplication.processEvents()
    seed = small_window.controls.seed
    assert not seed.isVisible()
    captions = [label for label in small_window.tools.findChildren(QLabel) if label.buddy() is seed]
    assert [label.isVisible() for label in captions] == [False]


def test_captions_of_the_tool_bar_stand_beside_what_they_name(small_window):
    small_window.resize(1800, 900)
    QApplication.processEvents()
    baseline = small_window.controls.baseline
    (caption,) = [label for label in small_window.tools.findChildren(QLabel) if label.buddy() is baseline]
    assert baseline.width() > 250 and caption.alignment() & Qt.AlignmentFlag.AlignRight
    assert baseline.x() - caption.geometry().right() <= 2


@pytest.mark.parametrize("kind", [question.kind for question in questions()])
def test_an_experiment_is_run_without_scrolling_on_half_a_large_screen(small_window, qtbot, kind):
    window = small_window
    window.resize(950, 490)
    window.experiments.ask(kind)
    window.pages.show_experiments()
    scroller = window.findChild(PagesScroller)
    qtbot.waitUntil(lambda: fills(window.pages.currentWidget(), scroller))
    run = window.experiments.page.content.page.head.run
    corner = run.mapTo(scroller.viewport(), run.rect().bottomRight())
    assert run.isVisible() and scroller.viewport().rect().contains(corner)
    assert scroller.horizontalScrollBar().maximum() == 0
