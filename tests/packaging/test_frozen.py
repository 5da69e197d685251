"""The built program runs where nothing of the project is: on its command line and in its window."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from planner import __version__
from planner.api import load_plan, run_plan
from planner.kernels import switch
from planner.language.translation import LANGUAGES
from tests.packaging.conftest import PROJECT
from tests.x_display import wait_until

FLASH_SALE = PROJECT / "scenarios" / "flash-sale" / "plan.headroom"
EXIT_PATIENCE_S = 30


def test_the_built_program_simulates_like_the_sources(frozen, user, plan_copy, tmp_path):
    done = subprocess.run(
        [str(frozen), "simulate", str(plan_copy), "--json", "--out", "report"],
        cwd=tmp_path, env=user, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = run_plan(load_plan(FLASH_SALE))
    assert json.loads(done.stdout)["digest"] == result.digest()
    with (tmp_path / "report" / "decisions.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(result.decisions)


def test_the_built_program_answers_questions_like_the_sources(frozen, user, plan_copy, tmp_path):
    """Random samples, intervals, a file of results, runs in other processes."""
    path = "horizontalPodAutoscalers[0].minReplicas"
    words = ["vary", str(plan_copy), "--over", f"{path}=2..40", "--sampling", "sobol", "--points", "4", "--seeds", "2",
             "--until", "5m", "--json", "--jobs", "2"]  # fmt: skip
    said = []
    for program in ([str(frozen)], [sys.executable, "-m", "ui.launch"]):
        done = subprocess.run([*program, *words], cwd=tmp_path, env=user, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(json.loads(done.stdout))
        plan_copy.with_suffix(".headroom-results").unlink()
    assert said[0] == said[1]


def test_a_bad_plan_ends_with_2_and_its_remedy(frozen, user, tmp_path):
    (tmp_path / "bad.headroom").write_text('{"schemaVersion": 1, "nodeGroups": [{"nam": "a"}]}', encoding="utf-8")
    command = [str(frozen), "validate", "bad.headroom"]
    done = subprocess.run(command, cwd=tmp_path, env=user, capture_output=True, text=True)
    assert done.returncode == 2
    assert "nodeGroups[0].nam" in done.stderr and "Traceback" not in done.stderr


def test_the_built_program_carries_samples_help_licences_and_no_tools(frozen):
    lib = frozen.parent / "lib"
    assert len(list(lib.glob("scenarios/*/plan.headroom"))) == len(list(PROJECT.glob("scenarios/*/plan.headroom")))
    assert (lib / "resources" / "plan.schema.json").exists()
    for page in ("accuracy.md", "model.md", "rules/README.md", "rules/scheduler.md"):
        assert (lib / "docs" / page).read_bytes() == (PROJECT / "docs" / page).read_bytes()
    licences = {path.stem for path in (lib / "licences").iterdir()}
    packages = {"numpy", "pydantic", "pyqtgraph", "scipy"}
    assert licences >= {"Headroom", "Python", "LGPL-3.0", "GPL-3.0", "README"} | packages
    for tool in ("pytest", "hypothesis", "mypy", "PyInstaller", "setuptools", "numba", "distributed", "optuna"):
        assert not (lib / tool).exists(), tool


def test_the_built_program_carries_the_guide_as_a_site(frozen):
    pytest.importorskip("mkdocs", reason="MkDocs is not installed; make setup installs it")
    for language in LANGUAGES:
        guide = frozen.parent / "lib" / "site" / "guide" / language
        named = {path.stem for path in (PROJECT / "docs" / "guide" / language).glob("*.md")}
        assert {path.stem for path in guide.glob("*.html")} == named and list((guide / "pictures").iterdir())
    assert (frozen.parent / "lib" / "site" / "guide.css").is_file()
    assert not (frozen.parent / "lib" / "docs" / "guide").exists()


def has_logged(log: Path, part: str) -> bool:
    return log.exists() and part in log.read_text(encoding="utf-8")


def test_the_window_opens_a_plan_runs_it_and_closes(frozen, user, hand, log, plan_copy, tmp_path):
    program = subprocess.Popen(
        [str(frozen), str(plan_copy)],
        cwd=tmp_path, env=user | {"DISPLAY": hand.display}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        window = hand.wait_for_window(plan_copy.name, alive=lambda: program.poll() is None)
        hand.press(window, "F5")
        wait_until(
            lambda: has_logged(log, "run 1 finished"), "the end of the run", alive=lambda: program.poll() is None
        )
        hand.press(window, "ctrl+q")
        _, complaints = program.communicate(timeout=EXIT_PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 0, complaints
    assert "Traceback" not in complaints
    result = run_plan(load_plan(FLASH_SALE))
    log_text = log.read_text(encoding="utf-8")
    assert re.search(rf"run 1 finished: 3600 s simulated, \d+ events, {len(result.decisions)} decisions\n", log_text)
    assert "ERROR" not in log_text


def test_help_shows_its_pages(frozen, user, hand, log, plan_copy, tmp_path):
    program = subprocess.Popen(
        [str(frozen), str(plan_copy)],
        cwd=tmp_path, env=user | {"DISPLAY": hand.display}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        window = hand.wait_for_window(plan_copy.name, alive=lambda: program.poll() is None)
        for key in ("alt+h", "u"):  # Help, Accuracy
            hand.press(window, key)
        hand.wait_for_window("Headroom help", alive=lambda: program.poll() is None)
    finally:
        program.kill()
        program.communicate()
    assert "ERROR" not in log.read_text(encoding="utf-8")


def test_the_built_program_carries_the_kernels(frozen, user, tmp_path):
    done = subprocess.run([str(frozen), "--version"], cwd=tmp_path, env=user, capture_output=True, text=True)
    assert done.stdout == f"headroom {__version__}, {switch.in_words()}\n"
    if not switch.why_missing():
        assert list(frozen.parent.glob("lib/planner/kernels/*/*"))
