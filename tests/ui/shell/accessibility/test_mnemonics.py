"""Alt and a letter: one thing answers to it, so that a menu opens wherever the focus is."""

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLabel

from planner.language.translation import LANGUAGES
from tests.ui.shell.conftest import FLASH_SALE
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow
from ui.wording.language import speak


@pytest.fixture(params=LANGUAGES)
def window(request, theme, answers, qapp, qtbot):
    speak(qapp, request.param)
    window = MainWindow(theme, WindowSettings(), answers)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    window.resize(1280, 800)
    window.show()
    yield window
    speak(qapp, "en")


def letters(window):
    """What Alt calls in what is shown, with the texts."""
    found = [action.text() for action in window.menuBar().actions()]
    found += [one.text() for one in window.findChildren(QAbstractButton) if one.isVisible()]
    found += [one.text() for one in window.findChildren(QLabel) if one.isVisible() and one.buddy() is not None]
    return [(QKeySequence.mnemonic(text).toString(), text) for text in found if QKeySequence.mnemonic(text).count()]


def shared(window):
    found = set(letters(window))
    counts = Counter(key for key, _text in found)
    return sorted((key, text) for key, text in found if counts[key] > 1)


def test_no_letter_is_shared(window):
    assert shared(window) == [], "on the start page"
    window.files.new()
    for space in window.switch.actions_:
        space.trigger()
        assert shared(window) == [], space.text()
    window.open_path(FLASH_SALE)
    for tab in range(window.workspace.tabs.count()):
        window.workspace.tabs.setCurrentIndex(tab)
        assert shared(window) == [], window.workspace.tabs.tabText(tab)
