"""Writes the report of a run for people, in a worker thread."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from ui.transfer.file_export import FileExport, Written

if TYPE_CHECKING:  # loaded when a report is written
    from planner.reports.content.report import ReportSection, RunReport


@dataclass(frozen=True)
class FinishedRun:
    """A run that has its result."""

    plan: Plan
    result: RunResult
    answers: "tuple[ReportSection, ...]" = ()
    """Of experiments about its plan."""


class ReportExport(FileExport):
    """One file in one of the formats of `planner.reports.formats`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("report", parent)

    def start(self, run: FinishedRun, before: FinishedRun | None, path: Path, format_name: str) -> None:
        """Write the report of a run, beside the one `before` if there is one; nothing while another one is written."""
        self.begin(partial(self._write, run, before, path, format_name))

    def _write(self, run: FinishedRun, before: FinishedRun | None, path: Path, format_name: str) -> Written:
        from planner.reports.content.against import against_section
        from planner.reports.content.assembly import report_of
        from planner.reports.formats.registry import FORMATS
        from planner.reports.formats.writing import check_place, write_report

        check_place(path)
        sections = [] if before is None else [against_section(run.plan, run.result, before.plan, before.result)]
        self.check()
        report = report_of(run.plan, run.result, [*sections, *run.answers])
        self.check()
        content = (FORMATS[format_name].writer or self._pdf)(report)
        self.check()
        write_report(path, content)
        return path, 1

    def _pdf(self, report: "RunReport") -> bytes:
        from ui.transfer.pdf.drawing import parts_of  # late: it brings the pages of reports
        from ui.transfer.pdf.process import pdf_of_process

        return pdf_of_process(parts_of(report), self.check)
