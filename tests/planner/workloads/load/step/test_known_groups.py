"""Groups that differ from known ones in their number of pods step as groups that are formed anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.step.known_groups import KnownGroups
from planner.workloads.load.step.load_step import step_workloads

PLAIN = {"cpu_seconds_per_request": 0.02}
QUEUES = PLAIN | {"discipline": "queue", "cv": 2.0}
UNDER_QUOTAS = [Demand(**PLAIN), Demand(**QUEUES, workers=2), Demand(**PLAIN, queue_limit=0, latency_floor="10ms")]
OTHERS = [Demand(**QUEUES, balancer="round-robin"), Demand(**PLAIN, timeout="2s"), Demand(**PLAIN, cv=3.0)]
COLUMNS = {
    "under quotas": (Demands.of(UNDER_QUOTAS), 4000),
    "under quotas, behind balancers": (Demands.of([*UNDER_QUOTAS, *OTHERS]), 4000),
    "under quotas, uneven arrivals": (Demands.of([*UNDER_QUOTAS, *UNDER_QUOTAS], [1.0, 2.0, 1.0, 0.5, 3.0, 1.0]), 4000),
    "without quotas": (Demands.of([*UNDER_QUOTAS, *OTHERS]), 0),
}
COUNTS = st.lists(st.lists(st.integers(1, 40), min_size=12, max_size=12), min_size=2, max_size=4)


@pytest.mark.parametrize("case", COLUMNS)
@settings(max_examples=15, deadline=None)
@given(counts=COUNTS, finishing=st.booleans(), busy=st.floats(0.0, 1.3), one=st.integers(0, 2))
def test_groups_with_other_numbers_of_pods_step_as_new_ones(case, counts, finishing, busy, one):
    demands, cores_milli = COLUMNS[case]
    known = KnownGroups(demands, scalar_twins=True)
    for positions in (np.arange(len(demands.cv)), np.array([one])):
        for numbers in counts:
            service = np.repeat(np.arange(len(positions)), 1 + finishing)
            takes = np.tile([False, True] if finishing else [True], len(positions))
            capacity = np.where(takes, 1000, 500)
            cores = np.maximum(capacity, cores_milli)
            columns = service, np.array(numbers[: len(service)]), capacity, cores, takes
            found = known.of(positions, *columns)
            anew = KnownGroups(demands, scalar_twins=True).of(positions, *columns)
            rate = busy * np.bincount(service, anew.capacity_rate * anew.weight)
            steps = [step_workloads(groups, rate, np.full(len(service), 0.5), 5.0) for groups in (found, anew)]
            for name, ours, theirs in zip(steps[0][0]._fields, steps[0][0], steps[1][0], strict=True):
                assert ours.tobytes() == theirs.tobytes(), name
            for ours, theirs in zip(steps[0][1], steps[1][1], strict=True):
                assert ours.tobytes() == theirs.tobytes()
