"""Latency of a pod over its load."""

import pytest

from planner.plan.model.demand import Demand
from planner.workloads.load.latency_over_load import latency_over_load


@pytest.mark.parametrize("limit_milli", [None, 10**15])
def test_absurd_sizes_that_are_being_typed_take_no_memory(limit_milli):
    demand = Demand(cpu_seconds_per_request=0.05)
    most, found = latency_over_load(demand, None, 10_000_000), latency_over_load(demand, limit_milli, 10**15)
    assert most is not None and found is not None and found.saturation == most.saturation
