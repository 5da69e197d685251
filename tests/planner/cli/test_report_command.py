"""headroom report"""

import os

import pytest

from planner import cli
from planner.plan.files.io import save_plan
from planner.plan.model.experiments.experiment import Compare
from planner.reports.formats.registry import FORMATS
from planner.reports.formats.writing import write_report
from tests.attacks import on_a_full_disk
from tests.builders import a_plan
from tests.planner.experiments.small_plans import LARGER, a_small_plan
from tests.planner.reports.made_reports import a_busy_plan

SIGNS = {"html": b"<!DOCTYPE html>", "xlsx": b"PK\x03\x04", "md": b"# "}


@pytest.fixture
def plan_path(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(), path)
    return str(path)


@pytest.mark.parametrize("ending", [name for name, one in FORMATS.items() if one.writer is not None])
def test_the_ending_of_the_file_names_the_format(ending, plan_path, tmp_path, capsys):
    out = tmp_path / f"report.{ending.upper()}"
    assert cli.main(["report", plan_path, "-o", str(out), "--until", "1m"]) == 0
    assert out.read_bytes().startswith(SIGNS[ending])
    assert f"Wrote {out}." in capsys.readouterr().err


def test_a_named_format_does_not_need_an_ending(plan_path, tmp_path):
    out = tmp_path / "report"
    assert cli.main(["report", plan_path, "-o", str(out), "--format", "md", "--until", "1m"]) == 0
    assert out.read_bytes().startswith(SIGNS["md"])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("report.doc", ["The ending .doc is none of a report.", ".html, .pdf, .xlsx, .md", "--format"]),
        ("report", ["has no ending", "--format"]),
        ("missing/report.html", ["There is no folder", "Create it"]),
        ("folder.html", ["This is a folder.", "Give the name of a file"]),
    ],
)
def test_a_place_that_will_not_do_is_said_before_the_run(name, words, plan_path, tmp_path, capsys):
    (tmp_path / "folder.html").mkdir()
    assert cli.main(["report", plan_path, "-o", str(tmp_path / name)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(str(tmp_path / name)) and "simulated" not in err
    assert all(word in err for word in words)


def test_a_folder_that_is_not_writable_is_said_with_a_cure(plan_path, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert cli.main(["report", plan_path, "-o", str(tmp_path / "report.html")]) == 2
    assert "is not writable. Choose another folder." in capsys.readouterr().err


def test_a_full_disk_leaves_the_earlier_report(tmp_path):
    out = tmp_path / "report.html"
    out.write_text("earlier")
    assert on_a_full_disk(lambda: write_report(out, b"x" * 10_000), 1_000) == 1
    assert out.read_text() == "earlier" and os.listdir(tmp_path) == ["report.html"]


def test_without_the_window_s_libraries_pdf_is_refused_with_a_cure(plan_path, tmp_path, capsys):
    assert cli.main(["report", plan_path, "-o", str(tmp_path / "report.pdf")]) == 2
    assert "Write .html and print that." in capsys.readouterr().err


def test_another_plan_is_compared_with(plan_path, tmp_path):
    other, out = tmp_path / "other.headroom", tmp_path / "report.md"
    save_plan(a_busy_plan(), other)
    assert cli.main(["report", plan_path, "-o", str(out), "--against", str(other), "--until", "1m"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "## Compared with Busy hour" in text and "+ nodeGroups pool" in text and "Figures side by side" in text


def test_a_bad_plan_to_compare_with_is_named(plan_path, tmp_path, capsys):
    bad = tmp_path / "bad.headroom"
    bad.write_text("{}")
    out = tmp_path / "report.md"
    assert cli.main(["report", plan_path, "-o", str(out), "--against", str(tmp_path / "none.headroom")]) == 2
    assert str(tmp_path / "none.headroom") in capsys.readouterr().err and not out.exists()


def test_answers_of_experiments_go_into_the_report_from_runs_that_are_kept(tmp_path, capsys, monkeypatch):
    path, out = tmp_path / "plan.headroom", tmp_path / "report.html"
    asked = Compare(type="compare", name="worth it", variants=("larger",), seeds=2)
    save_plan(a_small_plan(variants=(LARGER,), experiments=(asked,)), path)
    words = ["report", str(path), "-o", str(out), "--experiment", "worth it", "--until", "2m", "--jobs", "1"]
    assert cli.main(words) == 0
    first = out.read_bytes()
    for part in ("Experiment: worth it", "larger against as planned, 2 seeds", "First decision at which the runs part"):
        assert part in first.decode()
    monkeypatch.setattr("planner.experiments.execution.in_process.InProcess.results", lambda *_: iter(()))
    assert cli.main(words) == 0 and out.read_bytes() == first
    assert cli.main([*words, "--experiment", "worth ti"]) == 2
    assert "Did you mean worth it?" in capsys.readouterr().err
