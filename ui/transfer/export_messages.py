"""Messages about the progress and the end of exports."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from planner.errors import ResultFileError
from ui.runs.controls.status_line import StatusLine
from ui.transfer.csv_export import CsvExport
from ui.transfer.file_export import FileExport
from ui.transfer.report_export import ReportExport
from ui.widgets.message_bar import Action, MessageBar, MessageKind

_EXPORT_MESSAGE = "export"


class ExportMessages(QObject):
    """Both exports; their progress in the status line, the end as a message."""

    def __init__(self, status: StatusLine, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._status, self._messages = status, messages
        self.csv, self.report = csv, report = CsvExport(self), ReportExport(self)
        csv.progressed.connect(self._show_progress)
        csv.finished.connect(self._show_csv)
        report.finished.connect(self._show_report)
        self._connect_end(csv, self.tr("The CSV files were not written."))
        self._connect_end(report, self.tr("The report was not written."))

    def show_begun(self, path: Path) -> None:
        """A report is being written."""
        self._status.show_work(self.tr("Writing {file}").format(file=path.name), self.report.cancel)

    def show_written(self, path: Path) -> None:
        """A single file is complete."""
        text = self.tr("{file} was written to {folder}.").format(file=path.name, folder=path.parent)
        actions = [(self.tr("Open"), _opened(path)), (self.tr("Open folder"), _opened(path.parent))]
        self._show_good(text, actions)

    def show_copied(self) -> None:
        """The key figures are in the clipboard."""
        self._show_good(self.tr("The key figures were copied as Markdown."), [])

    def show_problem(self, problem: str, remedy: str = "") -> None:
        """Something was not written."""
        self._messages.show_message(MessageKind.ERROR, problem, remedy, key=_EXPORT_MESSAGE)

    def _connect_end(self, export: FileExport, problem: str) -> None:
        export.failed.connect(lambda error: self._show_failed(problem, error))
        export.cancelled.connect(self._show_cancelled)

    def _show_progress(self, done: int, total: int) -> None:
        text = self.tr("Writing CSV files: {done} of {total}").format(done=done, total=total)
        self._status.show_work(text, self.csv.cancel)

    def _show_csv(self, folder: Path, count: int) -> None:
        self._status.end_work()
        text = self.tr("{count} CSV files were written to {folder}.").format(count=count, folder=folder)
        self._show_good(text, [(self.tr("Open folder"), _opened(folder))])

    def _show_report(self, path: Path, _count: int) -> None:
        self._status.end_work()
        self.show_written(path)

    def _show_good(self, text: str, actions: list[Action]) -> None:
        self._messages.show_message(MessageKind.GOOD, text, actions=actions, key=_EXPORT_MESSAGE, brief=True)

    def _show_failed(self, problem: str, error: Exception) -> None:
        self._status.end_work()
        remedy = str(error) if isinstance(error, ResultFileError) else f"{type(error).__name__}: {error}"
        self.show_problem(problem, remedy)

    def _show_cancelled(self) -> None:
        self._status.end_work()
        text = self.tr("The export was cancelled; nothing was changed.")
        self._messages.show_message(MessageKind.INFO, text, key=_EXPORT_MESSAGE, brief=True)


def _opened(path: Path) -> Callable[[], object]:
    return partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(path)))
