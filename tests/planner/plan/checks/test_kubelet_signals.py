"""Eviction signals that no run measures are refused instead of doing nothing."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from planner.plan.values.thresholds import SIMULATED_SIGNALS, Signal


def problems(**kubelet):
    pool = {"name": "a", "cpu": "4", "memory": "8Gi", "kubelet": kubelet}
    return list(check_plan(Plan.model_validate({"nodeGroups": [pool]})))


@pytest.mark.parametrize("signal", [signal for signal in Signal if signal not in SIMULATED_SIGNALS])
def test_a_threshold_that_does_nothing_is_refused(signal):
    [problem] = problems(evictionHard={str(signal): "5%"})
    assert problem.where == f'nodeGroups[0].kubelet.evictionHard["{signal}"]'
    assert problem.remedy.startswith("Remove it; a run measures memory.available")
    assert problems(evictionMinimumReclaim={str(signal): "1Gi"})


@pytest.mark.parametrize("signal", SIMULATED_SIGNALS)
def test_a_threshold_that_acts_is_accepted(signal):
    assert not problems(evictionHard={str(signal): "5%"})
