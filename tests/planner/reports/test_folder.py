"""Writing the report's folder."""

import os
from pathlib import Path

import pytest

from planner.errors import ResultFileError
from planner.metrics.result import build_result
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.folder import write_all
from planner.reports.json_report import result_json
from planner.reports.registry import REPORTS
from planner.reports.summary import summary_text
from tests.planner.metrics.small_run import small_run

NAMES = list(REPORTS)
PAGE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def result():
    return build_result(small_run(), seed=1)


def test_the_documentation_describes_every_file():
    table = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert [name for name in NAMES if not any(f"`{name}`" in line for line in table)] == []
    assert {"summary.csv", "timeseries.csv", "decisions.csv"} <= REPORTS.keys()


def test_all_files_of_the_registry_are_written_and_nothing_else(result, tmp_path):
    out = tmp_path / "a" / "b"
    assert [path.name for path in write_all(result, out)] == NAMES
    assert sorted(path.name for path in out.iterdir()) == sorted(NAMES)
    assert b"\r\n" in (out / "pods.csv").read_bytes()


def test_writing_twice_gives_the_same_bytes(result, tmp_path):
    first = {path.name: path.read_bytes() for path in write_all(result, tmp_path)}
    assert {path.name: path.read_bytes() for path in write_all(result, tmp_path)} == first


def test_a_file_in_the_way_is_named_and_kept(result, tmp_path):
    out = tmp_path / "out"
    out.write_text("mine")
    with pytest.raises(ResultFileError) as caught:
        write_all(result, out)
    assert caught.value.where == str(out) and "Choose a folder" in caught.value.remedy
    assert out.read_text() == "mine"


def test_a_folder_in_the_way_of_a_file_leaves_no_temporary_file(result, tmp_path):
    (tmp_path / "summary.csv" / "x").mkdir(parents=True)
    with pytest.raises(ResultFileError, match="summary.csv"):
        write_all(result, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["summary.csv"]


def test_a_full_disk_keeps_the_old_file(result, tmp_path, monkeypatch):
    write_all(result, tmp_path)
    before = (tmp_path / "summary.csv").read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResultFileError, match="No space left on device.*Free some space"):
        write_all(result, tmp_path)
    assert (tmp_path / "summary.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(NAMES)


def test_json_has_the_keys_of_the_contract(result):
    report = result_json(result)
    assert list(report) == ["digest", "seed", "until_s", "figures"]
    assert report["until_s"] == 3600
    assert report["figures"]["preemptions"] == {"value": 1.0, "unit": "pods"}


def test_the_summary_names_the_plan_the_figures_and_missed_slos(result):
    lines = summary_text(result, LatencyBounds({}, result.until_us)).splitlines()
    assert lines[0] == "small: 1h simulated, seed 1"
    assert lines[-1] == "SLO missed: shop"
    assert any(line.split() == ["node_hours[blue]", "1", "h"] for line in lines)
