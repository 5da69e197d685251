"""Nothing that is chosen is cut off in the smallest usual window."""

import pytest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox

from planner.language.translation import LANGUAGES
from tests.ui.shell.conftest import FLASH_SALE
from ui.decisions.row_texts import DecisionColumn
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow
from ui.theme.style import wear
from ui.wording.language import speak

LEAST_WHY_PX = 150


@pytest.fixture(params=LANGUAGES)
def small_window(request, theme, answers, qtbot):
    """The window at 1280 x 800, in each language, with a plan."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    palette, sheet = app.palette(), app.styleSheet()
    wear(app, theme.current)
    speak(app, request.param)
    window = MainWindow(theme, WindowSettings(), answers)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    window.resize(1280, 800)
    window.show()
    window.files.open_sample(FLASH_SALE)
    window.pages.show_plan()
    window.workspace.reset_layout(1280, 800)
    QApplication.processEvents()
    yield window
    speak(app, "en")
    app.setPalette(palette)
    app.setStyleSheet(sheet)


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
