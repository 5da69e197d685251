"""Unexpected errors are reported once, and the plan is saved as a recovery copy."""

import sys
import threading

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from ui.app import show_fault
from ui.process.crash_reports import CrashReports
from ui.widgets.report_dialog import ReportDialog


@pytest.fixture
def saved():
    return []


@pytest.fixture
def reports(qapp, saved):
    reports = CrashReports(lambda: saved.append(True))
    yield reports
    reports.uninstall()


def fail():
    raise RuntimeError("a fault")


def raise_here():
    try:
        fail()
    except RuntimeError:
        sys.excepthook(*sys.exc_info())


def raise_in_thread():
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


@pytest.mark.parametrize("provoke", [raise_here, raise_in_thread])
def test_an_uncaught_exception_is_reported(reports, saved, qtbot, provoke, capsys):
    reports.install()
    with qtbot.waitSignal(reports.reported) as reported:
        provoke()
    (report,) = reported.args
    assert "RuntimeError: a fault" in report and "PySide6" in report and saved
    assert "a fault" in capsys.readouterr().err


def test_the_same_fault_is_reported_once(reports, qtbot, capsys):
    reports.install()
    shown = []
    reports.reported.connect(shown.append)
    for _time in range(3):
        raise_here()
    qtbot.waitUntil(lambda: bool(shown))
    qtbot.wait(50)
    assert len(shown) == 1
    assert capsys.readouterr().err.count("RuntimeError: a fault") == 1  # nor is the log filled with every repaint


def test_the_window_announces_a_fault_and_shows_its_report(window):
    show_fault(window, "Headroom 1.0\nRuntimeError: a fault")
    (message,) = window.messages.messages
    message.buttons[0].click()
    (dialog,) = window.findChildren(ReportDialog)
    assert dialog.isVisible() and not dialog.isModal()
    assert "a fault" in dialog.findChild(QPlainTextEdit).toPlainText()
