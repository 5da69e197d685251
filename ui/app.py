"""Starts the window and connects it to the process: signals, log, crash reports."""

import contextlib
import gc
import signal
import socket
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from planner import __version__
from planner.language.translation import language_of
from ui.process.crash_reports import CrashReports
from ui.process.first_instance import FirstInstance, hand_over
from ui.process.folders import log_folder, recovery_folder, resource
from ui.process.garbage import GarbageSearch
from ui.process.log import LOG, start_log
from ui.process.settings import WindowSettings
from ui.runs.run_log import RunLog
from ui.shell.main_window import MainWindow
from ui.theme.style import wear, wear_colours
from ui.theme.theme import ThemeSource
from ui.widgets.message_bar import MessageKind
from ui.widgets.report_dialog import ReportDialog
from ui.wording.language import speak

_AHEAD_MS = 500
"""So long after the window is there, what is used later is loaded; sooner only if it is wanted."""
_LATER = ("planner.simulation.run", "ui.experiments.workspace", "ui.measured.workspace")
"""What simulates, and the workspaces that no start shows."""
_NOT_SAFE = "headroom: unsaved changes are lost, because {folder} could not be written."


def run_window(plan: str | None = None, language: str | None = None, *, is_new: bool = False) -> int:
    """Open the window, on this plan file if one is named, and stay until it is closed; the exit code.

    `language` is the code of one to use this time, whatever was chosen in the window. A window that is open already
    takes the file over, unless `is_new`.
    """
    if not is_new and hand_over(plan):
        return 0
    app = application(sys.argv[:1])
    speak(app, language or WindowSettings(app).language or language_of())
    start_log(log_folder())
    LOG.info("Headroom %s starts", __version__)
    window = make_window(app)
    instance = FirstInstance(app)
    attend(window, app, instance)
    instance.listen()
    gc.freeze()  # what the window is made of goes with it, and need not be searched for garbage again and again
    window.show()
    window.tour.offer_once(window.messages)
    window.file_messages.offer_lost_plans(recovery_folder(), window.recovery)
    if plan is not None:
        window.open_path(Path(plan))
    QTimer.singleShot(_AHEAD_MS, load_ahead)
    code = app.exec()
    release_clipboard(app)
    instance.shutdown()
    CrashReports.uninstall()
    LOG.info("Headroom ends")
    return code


def release_clipboard(app: QApplication) -> None:
    """Copied rows stay as text: they are an object of Python, which must not outlive the interpreter."""
    clipboard = app.clipboard()
    data = clipboard.mimeData()
    if data is not None and shiboken6.createdByPython(data):  # not every platform knows who owns a clipboard
        clipboard.setText(clipboard.text())


def load_ahead() -> None:
    """Load what is used later, beside the window, so that nobody waits for it then."""
    threading.Thread(target=lambda: [import_module(name) for name in _LATER], name="loading").start()


def attend(window: MainWindow, app: QApplication, instance: FirstInstance | None = None) -> None:
    """Connect a window to the process: log, crash reports, signals, later starts, language."""
    RunLog(window.session, window)
    reports = CrashReports(window.recovery.write, window)
    reports.reported.connect(lambda report: show_fault(window, report))
    reports.install()
    close_on_signals(window, app)
    if instance is not None:
        instance.wanted.connect(window.take_over)
    window.actions_.language_chosen.connect(lambda code: change_language(window, app, code, instance))


def change_language(
    window: MainWindow, app: QApplication, code: str, instance: FirstInstance | None = None
) -> MainWindow:
    """A window in another language in the place of this one, with the same plan and runs; this one if it is busy."""
    window.settings.language = code
    if window.is_busy:
        window.messages.show_message(
            MessageKind.INFO, window.tr("The language changes when Headroom starts the next time."), key="language"
        )
        return window
    CrashReports.uninstall()
    speak(app, code)
    other = MainWindow(window.theme, window.settings, former=window)
    GarbageSearch(other)
    attend(other, app, instance)
    if isinstance(app, _Application):
        app.open_file = other.open_path
    other.show()
    window.hide()
    window.deleteLater()
    return other


def application(arguments: list[str]) -> QApplication:
    """Qt's application object with the name of the program."""
    app = _Application(arguments)
    app.setApplicationName("headroom")
    app.setApplicationDisplayName("Headroom")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("headroom")
    icon = resource("icons", "headroom.svg")
    if icon.exists():
        app.setWindowIcon(QIcon(str(icon)))
    return app


def make_window(app: QApplication) -> MainWindow:
    """The window with its theme and geometry restored, not yet shown."""
    settings, theme = WindowSettings(app), ThemeSource(app)
    theme.choose(settings.theme)
    wear_colours(app, theme.current)
    window = MainWindow(theme, settings)
    wear(app, theme.current)  # now: Qt polishes a widget anew, with all inside, whenever it gets into another
    theme.changed.connect(lambda: wear(app, theme.current))
    GarbageSearch(window)
    window.restore_layout()
    if isinstance(app, _Application):
        app.open_file = window.open_path
    return window


class _Application(QApplication):
    """Takes files that the desktop hands over while the program runs (macOS does)."""

    open_file: Callable[[Path], object] | None = None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and self.open_file is not None and event.file():
            self.open_file(Path(event.file()))
            return True
        return super().event(event)


def close_on_signals(window: MainWindow, app: QApplication) -> None:
    """SIGTERM, SIGHUP and Ctrl-C in the terminal end the program cleanly, with the exit code that shells expect; an
    unsaved plan stays as a recovery copy."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    watcher = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, window)

    def end() -> None:
        number = ours.recv(64)[0]
        watcher.setEnabled(False)
        if not window.leave_in_a_hurry():
            LOG.error("the unsaved plan could not be copied for recovery")
            with contextlib.suppress(OSError):
                print(_NOT_SAFE.format(folder=window.recovery.file.parent), file=sys.stderr, flush=True)
        app.exit(128 + number)  # quit() would first close the window

    watcher.activated.connect(end)
    _Kept(window, ours, theirs)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # SIGHUP is missing on Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, lambda _number, _frame: None)  # the socket wakes the event loop


class _Kept(QObject):
    """Keeps the sockets alive as long as the window."""

    def __init__(self, window: QObject, *sockets: socket.socket) -> None:
        super().__init__(window)
        self.sockets = sockets


def show_fault(window: MainWindow, report: str) -> None:
    """Show a message with a button that opens the report."""
    if window.recovery.write():
        text = window.tr(
            "Something went wrong inside Headroom. Your plan is not affected, and a recovery copy has been saved."
        )
    else:
        text = window.tr("Something went wrong inside Headroom. Your plan is not affected; save it now.")
    show = (window.tr("Show report"), lambda: ReportDialog(report, window).show())
    window.messages.show_message(MessageKind.ERROR, text, actions=[show], key="fault")
