"""CPU time of pods: the compiled sum is that of the meter and of the pods that serve, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.cpu.cpu_meter import CpuMeter
from planner.workloads.load.demand import Demands
from planner.workloads.load.serving_pods import PodsThatServe, ServingPods

SERVICES = 3
pods = st.lists(
    st.tuples(st.integers(-1, 3), st.sampled_from([-1, *range(SERVICES)]), st.sampled_from([500, 700])),
    min_size=1,
    max_size=12,
)


@pytest.mark.skipif(not switch.in_use(), reason="there are no kernels here")
@given(pods, st.lists(st.integers(0, 2_000), min_size=4, max_size=4), st.floats(0.0, 1e3), st.integers(0, 5))
def test_compiled_cpu_time_is_that_of_meter_and_serving_pods(found, kinds_milli, served, more):
    from planner.kernels.cpu_time import cpu_time_s

    meter, serving = CpuMeter(), ServingPods(Demands.of([Demand(cpu_seconds_per_request=0.03)] * SERVICES))
    rows = np.arange(len(found))
    kinds, service, capacity = (np.array(column, np.int64) for column in zip(*found, strict=True))
    own = rows[kinds >= 0]
    meter.spend(7_000_003, np.array(kinds_milli), rows[:0], rows[:0], rows[:0])
    meter.used_s(rows, kinds)  # makes room
    meter.spend(9_000_000, np.array(kinds_milli), own, kinds[own], capacity[own])
    serves = np.flatnonzero(service >= 0)
    order = serves[np.argsort(service[serves], kind="stable")]
    given_pods = PodsThatServe(
        np.sort(order), service[np.sort(order)], capacity[np.sort(order)], capacity[np.sort(order)],
        np.ones(len(order), np.bool_), np.ones(len(order)),
    )  # fmt: skip
    everyone = np.arange(SERVICES)
    serving.replace(everyone, given_pods)
    groups = len(serving.held(everyone))
    serving.keep(everyone, np.zeros(groups), np.full(groups, served), np.full(SERVICES, 5_000_000))
    asked, of = np.arange(len(found) + more), np.concatenate((kinds, np.full(more, -1)))
    compiled = cpu_time_s(asked, of, *meter.columns, *serving.spent_columns)
    plain = meter.used_s(asked, of) + serving.spent_s(asked)
    assert compiled.tobytes() == plain.tobytes()
