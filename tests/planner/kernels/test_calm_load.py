"""What pods need, and whether they stay within so much, is answered alike with the kernel and without."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands, cpu_needed_milli, is_within

DT_US, MOST_MILLI = 5_000_000, 900
DEMANDS = Demands.of([Demand(cpu_seconds_per_request=cost, idle_cpu="20m") for cost in (0.02, 0.01, 0.3)])
groups = st.lists(st.tuples(st.sampled_from([0, 1, 2]), st.floats(0.0, 5.0)), max_size=6)


@pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
@given(groups, st.lists(st.floats(0.0, 50.0), min_size=3, max_size=3), st.integers(0, 4), st.integers(-2, 2))
def test_pods_need_no_more_than_they_need(given_groups, plain, pods, more):
    from planner.kernels.load.calm_load import is_within as compiled
    from planner.kernels.load.calm_load import needed_milli

    columns = sorted(given_groups)
    service, held = np.array([one for one, _ in columns], np.int64), np.array([one for _, one in columns])
    rates, ready = (np.array(plain), np.array([1.1, 0.9, 1.0]), np.array([0.0, 2.0, 0.0])), np.array([pods, 1, 2])
    longest = np.zeros(3)
    np.maximum.at(longest, service, held)
    each = (rates[0] * rates[1] + rates[2]) / np.maximum(ready, 1)
    needed = cpu_needed_milli(DEMANDS, each, longest, DT_US)
    most = (needed - DEMANDS.idle_cpu + more).astype(np.float64)
    expected = is_within(DEMANDS, each, longest, DT_US, most)
    assert compiled(rates, ready, (service, held), DEMANDS.cpu_seconds, most, DT_US) == expected == (more >= 0)
    written, rows = np.zeros(5, np.int64), np.array([4, 0, 2])
    needed_milli(rates, ready, (service, held), DEMANDS.cpu_seconds, DEMANDS.idle_cpu, rows, MOST_MILLI, DT_US, written)
    assert written[rows].tolist() == np.minimum(needed, MOST_MILLI).tolist()
