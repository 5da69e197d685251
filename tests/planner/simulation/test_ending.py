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
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "scenario",
    ["black-friday", "flash-sale-karpenter", "keda-overnight", "memory-burst", "queue-drains", "vpa-against-hpa"],
)
def test_a_run_leaves_nothing_for_the_collector(scenario, uncollected, latest_simulations):
    result = run_plan(load_plan(Path(__file__).parents[3] / f"scenarios/{scenario}/plan.headroom"), until_us=US_PER_MIN)
    latest_simulations.clear()
    del result
    assert gc.collect() == 0
