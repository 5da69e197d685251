"""Percentiles over groups of pods are the same with the kernel and without, to the last bit."""

import numpy as np
import pytest

from planner.kernels import switch
from planner.workloads.latency.free_response import LEVELS
from planner.workloads.latency.pod_latency import PodLatency
from planner.workloads.load.step.responses import Responses, mixed_percentiles_s

PARTS = np.array([1, 2, 3, 9, 20, 1, 5, *[2] * 60])


def some_responses(how):
    """Groups with quantiles from tables, in mixtures of PARTS."""
    random = np.random.default_rng(3)
    count = int(PARTS.sum())
    levels = np.cumsum(random.exponential(0.02, (len(LEVELS), count)), axis=0)
    if how == "much alike":
        levels[:, 1::2] = levels[:, :-1:2] * random.uniform(1.0, 1.1, count // 2)
    elif how == "ties":
        levels = np.round(levels, 2)
    elif how == "endless":
        levels[15:, ::2] = np.inf
    weight = random.uniform(0.1, 9.0, count)
    nothing = PodLatency(*np.zeros((6, count)))
    return Responses(weight, np.zeros(count), np.zeros(count), nothing, np.arange(count), levels)


@pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("how", ["all different", "much alike", "ties", "endless"])
def test_percentiles_are_the_same_to_the_last_bit(how, monkeypatch):
    parts, starts = some_responses(how), np.cumsum(PARTS) - PARTS
    stuck = np.array([0.0, 0.0, 0.02, 0.6, 0.0, 0.3, 0.005, *[0.0] * 50, *[0.03] * 10])
    compiled = mixed_percentiles_s(parts, starts, stuck)
    monkeypatch.setenv(switch.VARIABLE, switch.OFF)
    plain = mixed_percentiles_s(parts, starts, stuck)
    assert compiled.tobytes() == plain.tobytes()
    assert np.isfinite(compiled).any() and np.isinf(compiled[3, 3])
