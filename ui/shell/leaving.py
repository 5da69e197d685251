"""What has to happen before a window goes: questions, the end of its work, and what is kept for the next start."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow


def may_close(window: "MainWindow") -> bool:
    """Ask about work that would be stopped and changes that would be lost."""
    run = window.controller.run
    if run is not None and run.state.is_live and not window.questions.may_stop_run(run):
        return False
    if window.experiments.runner.is_running and not window.questions.may_stop_experiment():
        return False
    return window.files.may_leave()


def stop_everything(window: "MainWindow") -> None:
    """End threads and processes, and keep places and sizes."""
    window.files.stop_reading()
    window.document.check.shutdown()
    window.controller.shutdown()
    window.search.shutdown()
    window.experiments.shutdown()
    window.exports.shutdown()
    window.measured.shutdown()
    window.settings.keep_layout("window", window.saveGeometry())
    window.workspace.keep(window.settings)
    window.settings.sync()
