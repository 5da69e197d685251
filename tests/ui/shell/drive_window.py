"""Drives the real window on a real display; run by test_real_window.py in a process of its own."""

import sys
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from planner.plan.edits.edit import replace_at
from ui.app import application, close_on_signals, make_window
from ui.document.questions import Answer, Questions
from ui.shell.main_window import MainWindow

PATIENCE_MS = 60_000


class Yes(Questions):
    """Agrees to everything."""

    folder = Path()

    def folder_for_csv(self, folder):
        return self.folder

    def unsaved_changes(self, name):
        return Answer.DISCARD

    def may_stop_run(self, run):
        return True


def wait(condition):
    for _turn in range(PATIENCE_MS // 50):
        if condition():
            return
        loop = QEventLoop()  # QTest.qWait would keep the interpreter from the thread of a run
        QTimer.singleShot(50, loop.quit)
        loop.exec()
    raise TimeoutError("the window did not get there")


def run(window: MainWindow):
    QTest.keyClick(window, Qt.Key.Key_F5)
    wait(lambda: window.controller.state.name == "FINISHED")
    return window.session.current.result


def edit(window: MainWindow, size: int):
    document = window.document
    document.apply(replace_at(document.plan, ("node_groups", 0, "max_size"), size), f"Set maximum to {size}")


def drive(plan: Path, out: Path) -> None:
    app = application(["headroom"])
    window = make_window(app)
    window.questions = window.files._questions = window.exports._questions = Yes(window)
    window.questions.folder = out / "report"
    close_on_signals(window, app)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    print("platform", QGuiApplication.platformName())
    assert window.open_path(plan)
    control = Qt.KeyboardModifier.ControlModifier
    run(window)
    edit(window, 6)
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    assert not window.document.modified
    edit(window, 8)
    print("digest", run(window).digest())
    QTest.qWait(200)
    assert window.grab().save(str(out / "window.png"))
    QTest.keyClick(window, Qt.Key.Key_S, control)
    assert not window.document.modified
    QTest.keyClick(window, Qt.Key.Key_E, control)
    wait(lambda: not window.exports.csv.is_running and (out / "report" / "cost.csv").exists())
    window.controls.speed.choose(60.0)
    QTest.keyClick(window, Qt.Key.Key_F5)
    wait(lambda: len(window.session.current.time_s) > 1)
    assert window.close()


if __name__ == "__main__":
    drive(Path(sys.argv[1]), Path(sys.argv[2]))
