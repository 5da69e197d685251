"""Shipped scenarios tell the same story as before, and only plan and seed decide it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from planner.plan.io import load_plan
from planner.plan.validate import check_plan
from planner.record.result import RunResult
from planner.simulation.run import run_plan

PROJECT = Path(__file__).resolve().parents[2]
SCENARIOS = sorted((PROJECT / "scenarios").glob("*/plan.headroom"))
SIGNIFICANT_DIGITS = 6
IDS = [path.parent.name for path in SCENARIOS]


@cache
def result_of(plan_path: Path) -> RunResult:
    return run_plan(load_plan(plan_path))


def rounded(result: RunResult) -> dict[str, list[object]]:
    """Figures to six significant digits, so that another processor's last bit does not matter."""
    return {
        name: [float(f"{figure.value:.{SIGNIFICANT_DIGITS}g}"), figure.unit] for name, figure in result.figures.items()
    }


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_a_scenario_has_no_problems_and_notes(plan_path: Path) -> None:
    assert list(check_plan(load_plan(plan_path))) == []
    assert plan_path.with_name("notes.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("plan_path", SCENARIOS, ids=IDS)
def test_a_scenario_still_tells_the_same_story(plan_path: Path, request: pytest.FixtureRequest) -> None:
    figures = rounded(result_of(plan_path))
    golden = plan_path.with_name("expected.json")
    if request.config.getoption("--update-golden"):
        golden.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    expected = json.loads(golden.read_text(encoding="utf-8"))
    assert figures == expected, f"If meant: pytest --update-golden, then read the diff of {golden.name}"


def test_a_reserve_shortens_waiting_and_softens_the_peak() -> None:
    plain = result_of(PROJECT / "scenarios/flash-sale/plan.headroom").figures
    reserved = result_of(PROJECT / "scenarios/flash-sale-overprovisioned/plan.headroom").figures
    assert reserved["pending_pod_time[shop]"].value < 0.8 * plain["pending_pod_time[shop]"].value
    assert reserved["slo_attainment[shop]"].value > plain["slo_attainment[shop]"].value
    assert reserved["requests_lost"].value < plain["requests_lost"].value


@pytest.mark.parametrize("plan_path", SCENARIOS[1:], ids=IDS[1:])
def test_a_run_depends_on_plan_and_seed_only(plan_path: Path) -> None:
    code = "import sys; from planner.api import load_plan, run_plan; print(run_plan(load_plan(sys.argv[1])).digest())"
    for hash_seed in ("0", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", code, str(plan_path)],
            capture_output=True,
            text=True,
            check=True,
            cwd=PROJECT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        )
        assert run.stdout.strip() == result_of(plan_path).digest()


def test_another_seed_is_another_run() -> None:
    path = PROJECT / "scenarios/flash-sale/plan.headroom"
    assert run_plan(load_plan(path), seed=2).digest() != result_of(path).digest()
