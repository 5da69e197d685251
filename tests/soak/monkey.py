"""Somebody who clicks and types at random in the real window, and what must hold of it all the time.

`python -m tests.soak.monkey SEED MINUTES FOLDER` does so and prints what was seen as JSON; FOLDER takes what is saved.
"""

import json
import random
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QWidget

from tests.bench.runner import peak_mib
from ui.app import application, make_window, release_clipboard
from ui.document.questions import Answer, Conflict, Questions
from ui.process.folders import scenario_folders
from ui.process.garbage import GarbageSearch, resident_mib
from ui.process.settings import WindowSettings
from ui.shell.main_window import MainWindow

_KEYS = (
    *(Qt.Key(code) for code in range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)),
    *(Qt.Key(code) for code in range(Qt.Key.Key_0, Qt.Key.Key_9 + 1)),
    Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Up,
    Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_F2,
    Qt.Key.Key_F6, Qt.Key.Key_F10, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Minus, Qt.Key.Key_Period,
)  # fmt: skip
_TEXTS = ("ten", "0", "-1", "1e99", "<h1>x</h1>", "한국", "250m", "1Gi", "0.5", "", "a" * 300, "shop", "10m", "95")
_NOT_CLICKED = ("&Quit", "&Full screen", "New &window")
_STUCK_S = 120.0
_STEPS_OF_A_ROUND = 150


def _copy_of(scenario: Path, folder: Path) -> Path:
    """The scenario's plan as a file of its own, which may be saved over."""
    copy = folder / "scenarios" / scenario.name
    if not copy.exists():
        shutil.copytree(scenario, copy)
    return copy / "plan.headroom"


class _Answers(Questions):
    """Answers at random; nothing waits for a person."""

    def __init__(self, dice: random.Random, folder: Path) -> None:
        self._dice, self._folder = dice, folder

    def file_to_open(self, folder: Path) -> Path | None:
        return _copy_of(self._dice.choice(scenario_folders()), self._folder)

    def file_to_save(self, suggestion: Path) -> Path | None:
        return self._folder / f"saved-{self._dice.randrange(3)}.headroom"

    def file_for_report(self, suggestion: Path) -> Path | None:
        return self._folder / f"report.{self._dice.choice(('html', 'pdf', 'xlsx', 'md', 'doc'))}"

    def file_for_picture(self, suggestion: Path) -> Path | None:
        return self._folder / f"picture.{self._dice.choice(('png', 'svg'))}"

    def folder_for_csv(self, folder: Path) -> Path | None:
        return self._folder / "csv"

    def file_for_changes(self, suggestion: Path) -> Path | None:
        return self._folder / "changes.sh"

    def file_for_series(self, suggestion: Path) -> Path | None:
        return self._folder / "series.csv"

    def measured_files(self, folder: Path) -> list[Path]:
        return []

    def measured_folder(self, folder: Path) -> Path | None:
        return None

    def manifests_to_import(self, folder: Path) -> list[Path]:
        return []

    def folder_to_import(self, folder: Path) -> Path | None:
        return None

    def folder_for_manifests(self, folder: Path) -> Path | None:
        return self._folder / "manifests"

    def unsaved_changes(self, name: str) -> Answer:
        return self._dice.choice(list(Answer))

    def changed_on_disk(self, name: str) -> Conflict:
        return self._dice.choice(list(Conflict))

    def gone_from_disk(self, name: str) -> Conflict:
        return Conflict.CANCEL

    def may_stop_run(self, run: object) -> bool:
        return True

    def may_stop_experiment(self) -> bool:
        return True


class Monkey:
    """Acts on a window, and looks after each round whether it is still sound."""

    def __init__(self, window: MainWindow, dice: random.Random) -> None:
        self._window, self._dice = window, dice
        self.problems: list[str] = []
        self.done: Counter[str] = Counter()
        self.last: list[str] = []
        """The latest steps, to repeat what led to a problem."""
        self._first_plan = window.document.plan
        window.document.replaced.connect(self._note_plan)
        self._popups = QTimer(window, interval=30)
        self._popups.timeout.connect(self._answer_popup)
        self._popups.start()

    def _note_plan(self) -> None:
        self._first_plan = self._window.document.plan

    def round(self) -> None:
        """Some random steps, then a look at everything."""
        for _step in range(_STEPS_OF_A_ROUND):
            name, do, _weight = self._dice.choices(self._steps(), weights=[one[2] for one in self._steps()])[0]
            self.done[name] += 1
            self.last = [*self.last[-30:], name]
            do()
            QApplication.processEvents()
        self._check()

    def _steps(self):
        window = self._window
        return (
            ("click", self._click, 30), ("type", self._type, 20), ("text", self._text, 15), ("action", self._act, 12),
            ("undo", window.document.undo_stack.undo, 6), ("redo", window.document.undo_stack.redo, 4),
            ("run", window.controls.run_action.trigger, 3), ("tab", self._tab, 6), ("section", self._section, 8),
            ("wait", lambda: QTest.qWait(20), 5), ("cursor", self._cursor, 4), ("size", self._resize, 1),
        )  # fmt: skip

    # -- steps ------------------------------------------------------------------------------------

    def _anywhere(self) -> QWidget | None:
        seen = [one for one in self._window.findChildren(QWidget) if one.isVisible() and one.isEnabled()]
        return self._dice.choice(seen) if seen else None

    def _click(self) -> None:
        part = self._anywhere()
        if part is None or part.width() < 1 or part.height() < 1:
            return
        at = QPoint(self._dice.randrange(part.width()), self._dice.randrange(part.height()))
        self.last.append(f"{type(part).__name__} {part.objectName() or part.accessibleName()} {at.x()},{at.y()}")
        if isinstance(part, QAbstractButton) and part.text() in _NOT_CLICKED:
            return
        act = QTest.mouseDClick if self._dice.random() < 0.1 else QTest.mouseClick
        act(part, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    def _type(self) -> None:
        target = QApplication.focusWidget() or self._window
        held = self._dice.choice([Qt.KeyboardModifier.NoModifier] * 4 + [Qt.KeyboardModifier.ShiftModifier])
        QTest.keyClick(target, self._dice.choice(_KEYS), held)

    def _text(self) -> None:
        target = QApplication.focusWidget()
        if target is not None:
            QTest.keyClick(target, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            for letter in self._dice.choice(_TEXTS):
                typed = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter)
                QApplication.sendEvent(QApplication.focusWidget() or target, typed)
            QTest.keyClick(QApplication.focusWidget() or target, self._dice.choice([Qt.Key.Key_Return, Qt.Key.Key_Tab]))

    def _act(self) -> None:
        action = self._dice.choice(list(_entries(self._window.menuBar().actions())))
        self.last.append(action.text())
        action.trigger()

    def _tab(self) -> None:
        tabs = self._window.workspace.tabs
        if self._dice.random() < 0.5:
            self._dice.choice(self._window.switch.actions_).trigger()
        tabs.setCurrentIndex(self._dice.randrange(tabs.count()))

    def _section(self) -> None:
        if self._window.pages.is_at_start:
            self._window.pages.show_plan()
        editor = self._window.workspace.editor
        section = self._dice.choice(editor.tree.sections)
        rows = len(section.rows(self._window.document.plan)) if section.is_list else 0
        path = (section.fields[0], self._dice.randrange(rows)) if rows else (section.fields[0],)
        editor.show_path(path)

    def _cursor(self) -> None:
        run = self._window.session.current
        self._window.workspace.cursor_time.move(self._dice.random() * run.until_us / 1e6 if run is not None else None)

    def _resize(self) -> None:
        self._window.resize(self._dice.randrange(1024, 1920), self._dice.randrange(640, 1080))

    def _answer_popup(self) -> None:
        """Menus and dialogs that wait for somebody."""
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if isinstance(popup, QMenu):
            entries = list(_entries(popup.actions()))
            popup.close()
            if entries and self._dice.random() < 0.5:
                entry = self._dice.choice(entries)
                self.last.append(f"menu {entry.text()}")
                entry.trigger()
        elif popup is not None:
            popup.close()
        elif isinstance(dialog, QDialog):
            dialog.reject()

    # -- what must hold ---------------------------------------------------------------------------

    def _check(self) -> None:
        self._end_work()
        for dialog in self._window.findChildren(QDialog):
            dialog.close()
        self._look_for_lost_edits()
        threads = [one.name for one in threading.enumerate() if one.name.startswith("run")]
        if threads:
            self.problems.append(f"threads are left: {threads}")

    def _end_work(self) -> None:
        window, begun = self._window, time.monotonic()
        window.controller.stop()
        window.search.cancel()
        window.experiments.runner.cancel()
        while window.controller.state.is_live or window.search.is_running or window.experiments.runner.is_running:
            QTest.qWait(20)
            if time.monotonic() - begun > _STUCK_S:
                self.problems.append("work does not end when it is stopped")
                return

    def _look_for_lost_edits(self) -> None:
        """All undone is the plan as it was opened, and all redone is the plan as it was left."""
        if (focus := QApplication.focusWidget()) is not None:
            focus.clearFocus()
        document, stack = self._window.document, self._window.document.undo_stack
        plan, drafts, at = document.plan, document.drafts, stack.index()
        stack.setIndex(0)
        if document.plan != self._first_plan:
            self.problems.append(f"undo does not lead back to the plan, after {self.last}")
        stack.setIndex(at)
        if document.plan != plan or document.drafts != drafts:
            self.problems.append(f"redo does not lead to the plan that was left, after {self.last}")


class _Nowhere(QObject):
    """Where links lead."""

    @Slot(QUrl)
    def take(self, _url: QUrl) -> None:
        """Do nothing."""


def _entries(actions: list[QAction]) -> Iterator[QAction]:
    """What can be chosen in a menu and those below it."""
    for action in actions:
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _entries(below.actions())
        elif action.isEnabled() and action.text() and action.text() not in _NOT_CLICKED:
            yield action


def main(seed: int, minutes: float, folder: Path) -> dict[str, object]:
    """Act for so long; what was seen."""
    dice, faults = random.Random(seed), []
    app = application(["headroom"])
    window = make_window(app)
    answers = _Answers(dice, folder)
    window.close()
    window = MainWindow(window.theme, WindowSettings(), answers)
    GarbageSearch(window)
    window.resize(1280, 800)
    window.show()
    monkey, nowhere = Monkey(window, dice), _Nowhere(window)

    def note(kind: type[BaseException], error: BaseException, trace: object) -> None:
        sys.__excepthook__(kind, error, trace)
        faults.append(f"{kind.__name__}: {error}, after {monkey.last}")

    sys.excepthook, threading.excepthook = note, lambda what: note(what.exc_type, what.exc_value, what.exc_traceback)
    for scheme in ("file", "http", "https"):
        QDesktopServices.setUrlHandler(scheme, nowhere, "take")  # nothing opens outside
    window.open_path(_copy_of(scenario_folders()[0], folder))
    end, memory, rounds = time.monotonic() + 60 * minutes, [], 0
    while time.monotonic() < end and not faults and not monkey.problems:
        monkey.round()
        rounds += 1
        memory.append(resident_mib())
    window.end()
    release_clipboard(app)
    return {
        "rounds": rounds, "faults": faults, "problems": monkey.problems, "memory_mib": memory, "peak_mib": peak_mib(),
        "done": dict(monkey.done),
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])), indent=1))
