"""What the window shows in Korean is Korean, but for proper terms and names of the plan."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QLineEdit, QTabBar

from tests.builders import a_plan
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow
from ui.wording.language import speak

TERMS = (
    "CPU GPU HPA VPA KEDA SLO YAML CSV JSON API Kubelet Karpenter ScaledObject ScaledJob English Headroom kubectl "
    "HorizontalPodAutoscaler VerticalPodAutoscaler PNG SVG PDF HTML XLSX Markdown MAPE"
).split()
"""Written so in Korean, too."""
_NOT_SHOWN = {"Export", "Export..."}
"""Actions of pyqtgraph's scenes, whose menus are switched off."""
_WORD, _HANGUL, _MARK = re.compile(r"[A-Za-z]{3,}"), re.compile("[가-힣]"), re.compile(r"<[^>]*>")


@pytest.fixture
def korean(theme, answers, qtbot):
    speak(QApplication.instance(), "ko")
    window = MainWindow(theme, WindowSettings(), answers)
    qtbot.addWidget(window, before_close_func=lambda window: window.end())
    window.document.new(a_plan())
    window.resize(1280, 800)
    window.show()
    yield window
    speak(QApplication.instance(), "en")


def shown_texts(window):
    """Texts of everything that is visible, of actions, and headers of tables; not what comes from the plan."""
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip())
    for widget in (one for one in window.findChildren(object) if getattr(one, "isVisible", bool)()):
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QTabBar):
            yield from (widget.tabText(at) for at in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and not isinstance(widget.parent(), QComboBox) and widget.model():
            model, across = widget.model(), Qt.Orientation.Horizontal
            yield from (str(model.headerData(at, across) or "") for at in range(model.columnCount()))
        yield from (getattr(widget, "toolTip", str)(), getattr(widget, "accessibleName", str)())


def latin(texts):
    for text in texts:
        words = [word for word in _WORD.findall(_MARK.sub("", text)) if word not in TERMS]
        if words and not _HANGUL.search(text):
            yield text


def test_every_workspace_is_in_korean(korean):
    found = set()
    for page in range(korean.pages.count()):
        korean.pages.show_page(korean.pages.widget(page))
        QApplication.processEvents()
        found.update(latin(shown_texts(korean)))
    names = {one.name for one in (*korean.document.plan.node_groups, *korean.document.plan.workloads)}
    assert found - names - _NOT_SHOWN == set()


def test_keys_are_named_as_they_are_printed_on_keyboards(korean):
    shown = [
        action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) for action in korean.findChildren(QAction)
    ]
    assert "Ctrl+Shift+S" in shown and not any(_HANGUL.search(keys) for keys in shown)
