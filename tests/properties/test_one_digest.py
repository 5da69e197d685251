"""A run's digest depends on plan and seed alone: not on the process, the thread, or the shortcuts that save work."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from planner.api import load_plan, save_plan
from planner.plan.edits.edit import replace_at
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.model.plan import Plan
from planner.simulation.options import RunOptions
from planner.simulation.run import run_plan

PROJECT = Path(__file__).resolve().parents[2]
CODE = "import sys; from planner.api import load_plan, run_plan; print(run_plan(load_plan(sys.argv[1])).digest())"
UNTIL_US = 45 * 60 * 1_000_000


def _plan() -> Plan:
    plan = load_plan(PROJECT / "scenarios" / "flash-sale" / "plan.headroom")
    return replace_at(plan, ("simulation", "duration"), UNTIL_US)


PLANS = {"ordinary": _plan(), "reference timing": with_reference_timing(_plan())}


@pytest.fixture(scope="module", params=PLANS)
def case(request: pytest.FixtureRequest) -> tuple[Plan, str]:
    plan = PLANS[request.param]
    return plan, run_plan(plan).digest()


def test_other_processes_agree(case: tuple[Plan, str], tmp_path: Path) -> None:
    plan, digest = case
    path = tmp_path / "one.headroom"
    save_plan(plan, path)
    for hash_seed in ("0", "4711"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", CODE, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT, env=environment)
        assert run.stdout.strip() == digest


def test_runs_in_threads_side_by_side_agree(case: tuple[Plan, str]) -> None:
    plan, digest = case
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(run_plan(plan).digest())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [digest, digest]


@pytest.mark.parametrize(
    "shortcut",
    [
        ("scheduler", "skip_unchanged"),
        ("hpa_controller", "skip_unchanged"),
        ("cluster_autoscaler", "reuse_simulations"),
    ],
    ids=".".join,
)
def test_work_that_is_spared_changes_nothing(case: tuple[Plan, str], shortcut: tuple[str, str]) -> None:
    plan, digest = case
    assert run_plan(replace_at(plan, shortcut, False)).digest() == digest


def test_rules_in_plain_numbers_decide_as_those_in_columns(case: tuple[Plan, str]) -> None:
    plan, _ = case
    with_twins, without = (run_plan(plan, options=RunOptions(scalar_twins=twins)) for twins in (True, False))
    assert with_twins.decisions == without.decisions
    assert with_twins.pods == without.pods
    assert list(with_twins.series) == list(without.series)
    for name, values in with_twins.series.items():
        np.testing.assert_allclose(values, without.series[name], rtol=1e-9, err_msg=name)
