"""A window whose pictures are taken: plans are opened, run and waited for."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QRect, QTimer
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication, QWidget

from planner.record.decisions import Actor, Decision, Verdict
from planner.units import US_PER_S
from ui.app import application, make_window
from ui.wording.language import speak

SCENARIOS = Path(__file__).parents[3] / "scenarios"
_TURN_MS, _SETTLE_MS, _PATIENCE_TURNS = 50, 1_500, 36_000
_LOSSLESS = 100


class Stage:
    """The window in one language, at one size."""

    def __init__(self, language: str, folder: Path, width: int = 1280, height: int = 800) -> None:
        app = QApplication.instance() or application(["headroom"])
        assert isinstance(app, QApplication)
        speak(app, language)
        self.language, self.folder, self.window = language, folder, make_window(app)
        self.window.theme.choose("light")
        self.window.showNormal()  # on the small screen of no display it would fill that
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """The size of the window, with the layout of a first start."""
        self.window.resize(width, height)
        _pass(_SETTLE_MS)
        self.window.workspace.reset_layout(width, height)

    def choose_theme(self, name: str) -> None:
        """Light or dark."""
        self.window.theme.choose("dark" if name == "dark" else "light")

    def wait_for(self, happened: Callable[[], object]) -> None:
        """Let the window work until something has happened."""
        for _turn in range(_PATIENCE_TURNS):
            if happened():
                return
            _pass(_TURN_MS)
        raise TimeoutError("the window did not get there")

    def open(self, sample: str) -> None:
        """Open a sample plan, with nothing left to save of the one before."""
        self.forget_changes()
        self.window.files.open_sample(SCENARIOS / sample / "plan.headroom")
        self.window.pages.show_plan()
        self.window.workspace.tabs.setCurrentIndex(0)

    def forget_changes(self) -> None:
        """Undo what was done to the plan, so that the window has no question."""
        while self.window.document.undo_stack.canUndo():
            self.window.document.undo_stack.undo()

    def run(self) -> None:
        """Run the plan to its end."""
        before = self.window.session.current
        self.window.controls.run_action.trigger()  # which waits for the check of a large plan
        self.wait_for(lambda: self.window.session.current is not before)
        self.wait_for(lambda: not self.window.controller.state.is_live)
        self.window.workspace.reset_layout(self.window.width(), self.window.height())

    def show_plan_of(self, workload: int) -> None:
        """The workspace Plan with a workload that has an autoscaler, whose reaction is worked out meanwhile."""
        self.window.pages.show_page(self.window.workspace.plan_space)
        editor = self.window.workspace.editor
        editor.show_path(("workloads", workload, "replicas"))
        self.wait_for(lambda: editor.previews.reaction.summary.text())

    def decisions(self, actor: Actor, verdict: Verdict) -> list[Decision]:
        """Those of the run that is shown, in order of time."""
        run = self.window.session.current
        assert run is not None
        return [one for one in run.decisions if one.actor is actor and one.verdict is verdict]

    def choose(self, decision: Decision) -> None:
        """Select a decision and go to its time."""
        self.window.workspace.decisions.select(decision)
        self.window.workspace.cursor_time.move(decision.time_us / US_PER_S)

    def keep(self, name: str, widget: QWidget | None = None, part: QRect | None = None) -> None:
        """Take the picture of a widget, or of a part of it, or of the window."""
        _pass(_SETTLE_MS)
        shown = widget if widget is not None else self.window
        grabbed = shown.grab(part) if part is not None else shown.grab()
        self.keep_image(name, grabbed.toImage())

    def keep_image(self, name: str, image: QImage) -> None:
        """Write a picture: small, and without loss."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.webp"
        writer = QImageWriter(str(path))
        writer.setQuality(_LOSSLESS)
        assert writer.write(image.convertToFormat(QImage.Format.Format_RGB888)), path
        print(f"{path}: {path.stat().st_size // 1024} KiB")

    def end(self) -> None:
        """Close the window."""
        self.forget_changes()
        self.window.end()
        self.window.close()


def _pass(milliseconds: int) -> None:
    """Let the window work for so long. `QTest.qWait` would keep the interpreter, and its threads would starve."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
