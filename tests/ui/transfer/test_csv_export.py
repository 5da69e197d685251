"""The export writes in its own thread, reports progress, and can be cancelled."""

import threading

import pytest

from planner import api
from planner.errors import ResultFileError
from planner.reports.folder import write_all
from planner.reports.registry import REPORTS
from tests.builders import a_plan
from ui.transfer.csv_export import CsvExport


@pytest.fixture(scope="module")
def result():
    return api.run_plan(a_plan(), until_us=60_000_000)


@pytest.fixture
def export(qapp):
    export = CsvExport()
    yield export
    export.shutdown()


def test_all_files_are_written_and_counted(export, result, tmp_path, qtbot):
    steps = []
    export.progressed.connect(lambda done, total: steps.append((done, total)))
    with qtbot.waitSignal(export.finished) as ended:
        export.start(result, tmp_path / "report 보고서")
    folder, count = ended.args
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(REPORTS) and count == len(names)
    assert steps == [(number, count) for number in range(1, count + 1)]
    export.shutdown()
    assert not export.is_running


def test_the_files_are_those_of_the_command_line(export, result, tmp_path, qtbot):
    write_all(result, tmp_path / "command")
    with qtbot.waitSignal(export.finished):
        export.start(result, tmp_path / "window")
    for path in (tmp_path / "command").iterdir():
        assert path.read_bytes() == (tmp_path / "window" / path.name).read_bytes()


def test_a_folder_that_cannot_be_created_is_reported_with_a_remedy(export, result, tmp_path, qtbot):
    (tmp_path / "file").touch()
    with qtbot.waitSignal(export.failed) as ended:
        export.start(result, tmp_path / "file" / "report")
    (error,) = ended.args
    assert isinstance(error, ResultFileError) and error.remedy


def test_an_export_can_be_cancelled_within_a_file(export, result, tmp_path, qtbot, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def endless(_result):
        while True:
            yield "more"
            begun.set()
            go_on.wait(10)

    monkeypatch.setattr("planner.reports.folder.REPORTS", {"first.csv": lambda _: iter(["all"]), "second.csv": endless})
    with qtbot.waitSignal(export.cancelled):
        export.start(result, tmp_path)
        assert begun.wait(10)
        export.cancel()
        go_on.set()
    assert list(tmp_path.iterdir()) == []
