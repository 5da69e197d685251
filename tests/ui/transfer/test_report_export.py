"""A report is written in a thread, a PDF in a process of its own; both can be cancelled, and an older file stays."""

import threading

import pytest

from planner import api
from planner.errors import ResultFileError
from tests.builders import a_plan
from ui.transfer.pdf.drawing import PdfParts
from ui.transfer.pdf.process import pdf_of_process
from ui.transfer.report_export import FinishedRun, ReportExport


@pytest.fixture(scope="module")
def run():
    plan = a_plan()
    return FinishedRun(plan, api.run_plan(plan, until_us=60_000_000))


@pytest.fixture
def export(qapp):
    export = ReportExport()
    yield export
    export.shutdown()


def test_a_cancelled_report_leaves_the_older_file(export, run, tmp_path, qtbot, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("older")
    begun, go_on = threading.Event(), threading.Event()

    def wait(*_):
        begun.set()
        go_on.wait(10)

    monkeypatch.setattr("planner.reports.content.assembly.report_of", wait)
    with qtbot.waitSignal(export.cancelled):
        export.start(run, None, path, "html")
        assert begun.wait(10)
        export.cancel()
        go_on.set()
    assert path.read_text() == "older"


def test_any_fault_is_reported(export, run, tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr("planner.reports.content.assembly.report_of", lambda *_: 1 / 0)
    with qtbot.waitSignal(export.failed) as ended:
        export.start(run, None, tmp_path / "report.html", "html")
    assert isinstance(ended.args[0], ZeroDivisionError) and list(tmp_path.iterdir()) == []


def test_a_pdf_is_broken_off_with_its_process():
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pdf_of_process(PdfParts("title", "front", "back", ()), stop)


def test_a_process_that_ends_early_is_a_problem_with_a_cure(monkeypatch):
    monkeypatch.setattr("ui.transfer.pdf.process._draw", exit)
    with pytest.raises(ResultFileError, match="ended early"):
        pdf_of_process(PdfParts("title", "front", "back", ()), lambda: None)
