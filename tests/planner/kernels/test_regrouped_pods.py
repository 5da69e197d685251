"""Groups of pods are the same with the kernel and without, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.pod_columns import NOT_SEEN, Groups, PodsThatServe
from planner.workloads.load.serving_pods import ServingPods

needs_kernels = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
PLAIN, SHARED = Demand(cpu_seconds_per_request=0.03), Demand(cpu_seconds_per_request=0.02, balancer="shared-queue")
SERVICES, ROWS, DT_US = 4, 24, 5_000_000
DEMANDS = [PLAIN, Demand(cpu_seconds_per_request=0.2, balancer="round-robin"), PLAIN, SHARED]
pods = st.tuples(st.sampled_from([500, 1000]), st.booleans(), st.sampled_from([1.0, 1.25]))
fleets = st.dictionaries(st.integers(0, ROWS - 1), pods, max_size=ROWS)
"""Pods by row: CPU, whether they take requests, how slow they are; row modulo services says of which service."""
some = st.sets(st.integers(0, SERVICES - 1), min_size=1).map(sorted)
rounds = st.lists(st.tuples(some, fleets, st.lists(st.floats(0.0, 40.0), min_size=7, max_size=7)), max_size=6)


def pods_of(services, fleet):
    """Columns of the pods of these services."""
    rows = [row for service in services for row in sorted(fleet) if row % SERVICES == service]
    capacity = np.array([fleet[row][0] for row in rows], np.int64)
    takes = np.array([fleet[row][1] for row in rows], np.bool_)
    slower = np.array([fleet[row][2] for row in rows], np.float64)
    row = np.array(rows, np.int64)
    return PodsThatServe(row, row % SERVICES, capacity, 2 * capacity, takes, slower)


def state_of(serving):
    """All that is known of the groups but their kinds, which only the kernel of steps knows."""
    spent, group, part, _ = serving.spent_columns
    groups = serving._groups._replace(kind=None)
    return [*groups[:-1], spent, group, part, serving.marks, *serving._rows]


@needs_kernels
@given(rounds)
def test_pods_that_come_go_and_change_are_grouped_alike(changes):
    by_kernel, plain = (ServingPods(Demands.of(DEMANDS)) for _ in range(2))
    assert by_kernel._regrouped is not None
    plain._regrouped = None
    everyone, dt_us = np.arange(SERVICES), np.full(SERVICES, DT_US)
    for services, fleet, held in changes:
        lost = [one.replace(np.array(services), pods_of(services, fleet)) for one in (by_kernel, plain)]
        np.testing.assert_array_equal(*lost)
        for mine, its in zip(state_of(by_kernel), state_of(plain), strict=True):
            np.testing.assert_array_equal(mine, its)
            assert mine.dtype == its.dtype
        for one in (by_kernel, plain):
            left = np.resize(held, len(one.held(everyone)))
            one.keep(everyone, left, left / 3.0, dt_us)


@needs_kernels
@pytest.mark.parametrize(("demand", "kind"), [(PLAIN, 7), (DEMANDS[1], NOT_SEEN)])
def test_pods_like_those_of_an_old_group_are_of_its_kind_where_their_number_does_not_matter(demand, kind):
    serving, only = ServingPods(Demands.of([demand])), np.array([0])
    rows, ones = np.arange(3), np.ones(3)
    fleet = PodsThatServe(rows, rows * 0, rows * 0 + 500, rows * 0 + 500, ones > 0.0, ones)
    serving.replace(only, fleet)
    serving._groups.kind[:] = 7
    serving.replace(only, fleet.take(rows[:2]))
    assert isinstance(serving._groups, Groups)
    assert serving._groups.kind.tolist() == [kind]
