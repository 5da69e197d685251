"""Names that look like tags are shown as they are: in labels, tips, questions and explanations."""

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QPoint, QTimer
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QToolTip, QWidget

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import save_plan
from planner.record.decisions import Actor, Decision, Verdict
from tests.builders import a_node_group, a_plan, a_workload
from tests.ui.shell.conftest import FLASH_SALE
from ui.decisions.why_text import why_html
from ui.document.questions import Questions
from ui.theme.style import style_sheet
from ui.widgets.message_bar import MessageKind
from ui.widgets.report_dialog import ReportDialog

HOSTILE = "<h1>Big</h1><img src=x onerror=y><b>bold</b>"


@pytest.fixture
def dressed(window, theme):
    """The window in the style sheet of the program."""
    window.setStyleSheet(style_sheet(theme.current))
    return window


@pytest.fixture
def hostile(dressed, tmp_path, qtbot):
    """A plan with such names wherever text is free, opened from such a file and run."""
    path = tmp_path / "<h1>file<b>.headroom"
    pool = a_node_group("pool", labels={"a": "b"}, machine_type="m5.large")
    save_plan(a_plan(name=HOSTILE, notes=HOSTILE, node_groups=(pool,), workloads=(a_workload("web"),)), path)
    dressed.open_path(path)
    plan = replace_at(dressed.document.plan, ("simulation", "duration"), 600_000_000)
    dressed.document.apply(replace_at(plan, ("node_groups", 0, "labels"), {"<b>key</b>": "<i>x</i>"}), "Edit")
    dressed.messages.show_message(MessageKind.ERROR, HOSTILE, HOSTILE)
    dressed.workspace.editor.marks.refresh()
    qtbot.wait(20)
    return dressed


def rendered(widget):
    """Texts of labels below a widget that would be shown as HTML if they looked like it."""
    labels = widget.findChildren(QLabel)
    assert labels
    for label in labels:
        label.ensurePolished()
    return [label.text() for label in labels if label.textFormat() != Qt.TextFormat.PlainText]


def test_no_label_of_the_window_guesses_that_its_text_is_html(hostile):
    assert any(HOSTILE in label.text() for label in hostile.findChildren(QLabel))
    for tab in range(hostile.workspace.tabs.count()):
        hostile.workspace.tabs.setCurrentIndex(tab)
        assert rendered(hostile) == []
    hostile.pages.show_start()
    assert rendered(hostile) == []


def test_every_tip_is_shown_as_plain_text(hostile):
    tips = {widget.toolTip() for widget in hostile.findChildren(QWidget) if widget.toolTip()} | {HOSTILE}
    for view in hostile.findChildren(QAbstractItemView):
        if view.model() is not None:
            tips |= tips_of(view.model())
    shown = 0
    for tip in sorted(tip for tip in tips if Qt.mightBeRichText(tip)):
        QToolTip.showText(QPoint(5, 5), tip, hostile)
        (label,) = [one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QTipLabel"]
        assert isinstance(label, QLabel) and label.text() == tip and label.textFormat() == Qt.TextFormat.PlainText
        shown += 1
        QToolTip.hideText()
    assert shown


def tips_of(model: QAbstractItemModel):
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    indexes = [model.index(row, column) for row in range(model.rowCount()) for column in range(columns)]
    tips = [model.data(index, Qt.ItemDataRole.ToolTipRole) for index in indexes]
    return {str(tip) for tip in tips if tip}


def test_no_tip_of_ours_is_written_as_html(dressed):
    """It would be shown with its tags."""
    dressed.start.sample_chosen.emit(FLASH_SALE)
    tips = [widget.toolTip() for widget in dressed.findChildren(QWidget)]
    assert [tip for tip in tips if Qt.mightBeRichText(tip)] == []


def test_questions_show_names_as_they_are(dressed):
    seen = []

    def look():
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        box.ensurePolished()
        seen.extend(label.textFormat() for label in box.findChildren(QLabel) if label.text())
        seen.append(HOSTILE in box.text())
        box.reject()

    questions = Questions(dressed)
    for ask in (questions.unsaved_changes, questions.changed_on_disk, questions.gone_from_disk):
        QTimer.singleShot(50, look)
        ask(HOSTILE)
    assert set(seen) == {Qt.TextFormat.PlainText, True}


def test_dialogs_show_names_as_they_are(dressed):
    dialog = ReportDialog(HOSTILE, dressed)
    dialog.show()
    assert rendered(dialog) == []


def test_the_explanation_of_a_decision_escapes_what_it_names(theme):
    decision = Decision(0, next(iter(Actor)), HOSTILE, next(iter(Verdict)))
    assert "<h1>" not in why_html(decision, theme.current)
    assert "<img" not in why_html(decision, theme.current)
