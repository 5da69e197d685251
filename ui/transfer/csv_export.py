"""Writes the CSV files of a run in a worker thread."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from planner.record.result import RunResult
from ui.transfer.file_export import FileExport, Written


class CsvExport(FileExport):
    """All files into one folder."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("csv-export", parent)

    def start(self, result: RunResult, folder: Path) -> None:
        """Write the report into this folder; does nothing while another one is written."""
        self.begin(partial(self._write, result, folder))

    def _write(self, result: RunResult, folder: Path) -> Written:
        from planner.reports.folder import write_all  # late, with all files of a run

        return folder, len(write_all(result, folder, self._on_written, self.check))

    def _on_written(self, done: int, total: int) -> None:
        self.progressed.emit(done, total)
        if done < total:
            self.check()
