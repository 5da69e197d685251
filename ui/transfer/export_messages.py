"""Messages about the progress and the end of an export."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from planner.errors import ResultFileError
from ui.runs.controls.status_line import StatusLine
from ui.transfer.csv_export import CsvExport
from ui.widgets.message_bar import MessageBar, MessageKind

_EXPORT_MESSAGE = "export"


class ExportMessages(QObject):
    """Progress in the status line, the end as a message."""

    def __init__(self, export: CsvExport, status: StatusLine, messages: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._status, self._messages, self._export = status, messages, export
        export.progressed.connect(self._show_progress)
        export.finished.connect(self._show_finished)
        export.failed.connect(self._show_failed)
        export.cancelled.connect(self._show_cancelled)

    def _show_progress(self, done: int, total: int) -> None:
        text = self.tr("Writing CSV files: {done} of {total}").format(done=done, total=total)
        self._status.show_work(text, self._export.cancel)

    def _show_finished(self, folder: Path, count: int) -> None:
        self._status.end_work()
        text = self.tr("{count} CSV files were written to {folder}.").format(count=count, folder=folder)
        show = partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(folder)))
        self._messages.show_message(
            MessageKind.GOOD, text, actions=[(self.tr("Open folder"), show)], key=_EXPORT_MESSAGE, brief=True
        )

    def _show_failed(self, error: Exception) -> None:
        self._status.end_work()
        remedy = str(error) if isinstance(error, ResultFileError) else f"{type(error).__name__}: {error}"
        self._messages.show_message(
            MessageKind.ERROR, self.tr("The CSV files were not written."), remedy, key=_EXPORT_MESSAGE
        )

    def _show_cancelled(self) -> None:
        self._status.end_work()
        text = self.tr("The export was cancelled; the folder is as it was.")
        self._messages.show_message(MessageKind.INFO, text, key=_EXPORT_MESSAGE, brief=True)
