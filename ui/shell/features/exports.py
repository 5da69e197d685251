"""What leaves the window as files or in the clipboard: reports, figures, pictures; and the menu that offers it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from planner.disk.atomic import replace_file
from planner.disk.cures import cure_of, reason_of
from planner.errors import ResultFileError
from planner.plan.model.plan import Plan
from ui.document.questions import Questions
from ui.process.settings import WindowSettings
from ui.runs.run_data import RunData
from ui.runs.session import RunSession
from ui.shell.workspace import Workspace
from ui.transfer.export_messages import ExportMessages
from ui.transfer.report_export import FinishedRun
from ui.widgets.pictures import PICTURES
from ui.wording.names import file_name

if TYPE_CHECKING:
    from planner.reports.content.report import ReportSection


class ExportsInWindow(QObject):
    """Actions, dialogs and messages. All of them are about the current run."""

    manifests_wanted = Signal()

    def __init__(
        self,
        session: RunSession,
        workspace: Workspace,
        questions: Questions,
        settings: WindowSettings,
        messages: ExportMessages,
    ) -> None:
        super().__init__(messages)
        self._session, self._workspace, self._messages = session, workspace, messages
        self._questions, self._settings = questions, settings
        self.csv, self.report = messages.csv, messages.report
        self.answers_about: Callable[[Plan], tuple[ReportSection, ...]] = lambda _plan: ()
        """Of finished experiments."""
        self.actions_ = self._make_actions()
        self.plot_menu = QMenu(self.tr("Picture of a &plot"), workspace)
        self._connect()
        self.show_state(has_plan=False)

    def _make_actions(self) -> dict[str, QAction]:
        csv, manifests = self.tr("The figures of the current run as CSV files"), self.tr("The plan for Kubernetes")
        report = self.tr("A report of the current run as HTML, PDF, XLSX or Markdown")
        figures = self.tr("Verdict and key figures of the current run as Markdown")
        picture = self.tr("Key figures, plots and decisions as they are shown, as PNG or SVG")
        return {
            "report": self._action(self.tr("&Report…"), report, "Ctrl+Shift+E"),
            "copy": self._action(self.tr("&Key figures to the clipboard"), figures, "Ctrl+Shift+C"),
            "dashboard": self._action(self.tr("Picture of the &dashboard…"), picture),
            "csv": self._action(self.tr("&CSV…"), csv, "Ctrl+E"),
            "manifests": self._action(self.tr("&Manifests…"), manifests),
        }

    def _action(self, text: str, tip: str, keys: str = "") -> QAction:
        action = QAction(text, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
            tip = self.tr("{what} ({keys})").format(what=tip, keys=action.shortcut().toString())
        action.setToolTip(tip)
        return action

    def _connect(self) -> None:
        does = {
            "report": self.choose_report, "copy": self.copy_figures, "dashboard": self.choose_dashboard,
            "csv": self.choose_csv, "manifests": self.manifests_wanted.emit,
        }  # fmt: skip
        for name, do in does.items():
            self.actions_[name].triggered.connect(lambda _on=False, do=do: do())
        self.plot_menu.aboutToShow.connect(self._fill_plots)
        self._workspace.plots.dashboard_wanted.connect(self.choose_dashboard)
        self._workspace.plots.exports.failed.connect(self._messages.show_problem)

    def fill(self, menu: QMenu) -> None:
        """Put everything into the menu."""
        named = self.actions_
        menu.addActions([named["report"], named["copy"]])
        menu.addSeparator()
        menu.addAction(named["dashboard"])
        menu.addMenu(self.plot_menu)
        menu.addSeparator()
        menu.addActions([named["csv"], named["manifests"]])
        menu.setToolTipsVisible(True)

    def show_state(self, *, has_plan: bool) -> None:
        """What can be exported now."""
        run = self._session.current
        for name in ("report", "copy", "csv"):
            self.actions_[name].setEnabled(run is not None and run.result is not None)
        self.actions_["dashboard"].setEnabled(has_plan and run is not None)
        self.plot_menu.setEnabled(has_plan and run is not None)
        self.actions_["manifests"].setEnabled(has_plan)

    def shutdown(self) -> None:
        """Cancel and wait for what is being written."""
        self.csv.shutdown()
        self.report.shutdown()

    # -- reports ----------------------------------------------------------------------------------

    def choose_report(self) -> None:
        """Write a report of the current run, beside its baseline if there is one."""
        run = _finished(self._session.current)
        if run is None or self.report.is_running:
            return
        path = self._questions.file_for_report(self._suggestion("html"))
        if path is None:
            return
        from planner.reports.formats.registry import format_of  # late, with what reports say

        self._settings.keep_folder("reports", path.parent)
        try:
            kind = format_of(path)
        except ResultFileError as error:
            self._messages.show_problem(self.tr("The report was not written."), str(error))
            return
        run = replace(run, answers=self.answers_about(run.plan))
        before = None if self._session.baseline is self._session.current else _finished(self._session.baseline)
        self._messages.show_begun(path)
        self.report.start(run, before, path, kind)

    def choose_report_of_answer(self) -> None:
        """Write a report from among the experiments: of a run of the plan that they are about."""
        run = _finished(self._session.current)
        if run is None or not self.answers_about(run.plan):
            problem = self.tr("A report is about a run, and this plan was not run since it was changed.")
            self._messages.show_problem(problem, self.tr("Run the plan (F5), then write the report."))
        else:
            self.choose_report()

    def choose_csv(self) -> None:
        """Write the figures of the current run into a folder."""
        run = _finished(self._session.current)
        if run is None or self.csv.is_running:
            return
        folder = self._questions.folder_for_csv(self._settings.folder("reports"))
        if folder is not None:
            self._settings.keep_folder("reports", folder)
            self.csv.start(run.result, folder)

    def copy_figures(self) -> None:
        """The key figures of the current run, for a message or a pull request."""
        run = _finished(self._session.current)
        if run is not None:
            from planner.reports.formats.markdown import key_figures

            QGuiApplication.clipboard().setText(key_figures(run.plan, run.result))
            self._messages.show_copied()

    # -- pictures ---------------------------------------------------------------------------------

    def choose_dashboard(self) -> None:
        """Write a picture of all that is shown of the run."""
        path = self._questions.file_for_picture(self._suggestion("png"))
        if path is None:
            return
        self._settings.keep_folder("reports", path.parent)
        kind = path.suffix.removeprefix(".").lower()
        if kind not in PICTURES:
            self._messages.show_problem(self.tr("The picture was not written."), self.tr("Use .png or .svg."))
            return
        content = PICTURES[kind]((self._workspace.dashboard,), path.stem, self._workspace.palette().window().color())
        try:
            replace_file(path.resolve(), content)
        except OSError as error:
            reason = f"{path}: {reason_of(error)}. {cure_of(error)}"
            self._messages.show_problem(self.tr("The picture was not written."), reason)
        else:
            self._messages.show_written(path)

    def _fill_plots(self) -> None:
        self.plot_menu.clear()
        plots = self._workspace.plots
        for row in plots.rows.values():
            write = partial(plots.exports.choose, row, tuple(PICTURES))
            entry = self.plot_menu.addAction(f"{row.title_text()}…")
            entry.triggered.connect(lambda _on=False, write=write: write())
            row.destroyed.connect(entry.deleteLater)  # a plot that is shown no more is not offered

    def _suggestion(self, ending: str) -> Path:
        """Beside the last one, named after the run."""
        run = self._session.current
        return self._settings.folder("reports") / f"{file_name(run.plan.name if run is not None else '')}.{ending}"


def _finished(run: RunData | None) -> FinishedRun | None:
    return None if run is None or run.result is None else FinishedRun(run.plan, run.result)
