"""The world of a run goes with it."""

import gc
from pathlib import Path

import pytest

from planner.plan.files.io import load_plan
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN


@pytest.fixture
def uncollected():
    """Only what nothing refers to goes."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "scenario",
    ["black-friday", "flash-sale-karpenter", "keda-overnight", "memory-burst", "queue-drains", "vpa-against-hpa"],
)
def test_a_run_leaves_nothing_for_the_collector(scenario, uncollected, latest_simulations):
    plan = load_plan(Path(__file__).parents[4] / f"scenarios/{scenario}/plan.headroom")
    left = []
    for _ in range(2):  # modules that the first run imports leave something, too
        result = run_plan(plan, until_us=US_PER_MIN)
        latest_simulations.clear()
        del result
        left.append(gc.collect())
    assert left[1] == 0
