"""Scenarios that are too long for the comparison in `make test`, compared to their end."""

from pathlib import Path

import pytest

from planner.plan.files.io import load_plan
from planner.simulation.run import run_plan
from tests.scenarios.test_scenarios import COMPARED_US, SCENARIOS, digests_elsewhere

LONG = [path for path in SCENARIOS if load_plan(path).simulation.duration > COMPARED_US]


@pytest.mark.soak
@pytest.mark.parametrize("plan_path", LONG, ids=[path.parent.name for path in LONG])
def test_a_whole_run_depends_on_plan_and_seed_only(plan_path: Path) -> None:
    plan = load_plan(plan_path)
    assert digests_elsewhere([plan_path], plan.simulation.duration) == [run_plan(plan).digest()]
