"""CPU time of pods: the compiled sum is that of the meter and of the pods that serve, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import switch
from planner.plan.model.demand import Demand
from planner.workloads.cpu.cpu_meter import CpuMeter, Ended
from planner.workloads.cpu.mean_use import MeanUse
from planner.workloads.load.demand import Demands, whole_milli
from planner.workloads.load.pod_columns import PodsThatServe
from planner.workloads.load.serving_pods import ServingPods

SERVICES = 3
pods = st.lists(
    st.tuples(st.integers(-1, 3), st.sampled_from([-1, *range(SERVICES)]), st.sampled_from([500, 700])),
    min_size=1,
    max_size=12,
)


@pytest.mark.skipif(not switch.in_use(), reason="there are no kernels here")
@given(pods, st.lists(st.integers(0, 2_000), min_size=4, max_size=4), st.floats(0.0, 1e3), st.integers(0, 5))
def test_compiled_cpu_time_is_that_of_meter_and_serving_pods(found, kinds_milli, served, more):
    from planner.kernels.load.cpu_time import cpu_time_s

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
    compiled = cpu_time_s(asked, kinds, meter.columns, serving.spent_columns)
    plain = meter.used_s(asked, of) + serving.spent_s(asked)
    assert compiled.tobytes() == plain.tobytes()


@pytest.mark.skipif(not switch.in_use(), reason="there are no kernels here")
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2), st.floats(0.1, 1.0)), min_size=1, max_size=12),
    st.lists(st.floats(0.0, 1e4), min_size=3, max_size=3),
    st.integers(0, 3),
)
def test_compiled_present_use_is_that_of_kinds_members_and_groups(pods, busy_milli, beyond):
    from planner.kernels.load.cpu_time import cpu_now_milli

    kinds, groups, parts = (np.array(column) for column in zip(*pods, strict=True))
    besides, serving, busy = np.array([70, 0, 900, 15]), np.array([True, False, True, True]), np.array(busy_milli)
    rows, members, own = np.arange(len(pods)), np.arange(0, len(pods), 3), np.arange(0, len(pods), 3) * 11
    known = max(0, len(pods) - beyond)
    expected = besides[kinds]
    expected[members] = own
    of = np.where(rows < known, groups, -1)
    expected += whole_milli(np.where(serving[kinds] & (of >= 0), busy[of] * parts, 0.0))
    columns = groups[:known].copy(), parts[:known].copy(), busy
    found = cpu_now_milli(rows, kinds, besides, (members, own), serving.view(np.uint8), *columns)
    assert found.tolist() == expected.tolist()


def test_mean_use_is_the_same_with_the_kernel_and_without(monkeypatch):
    seen = []
    for state in ("on", switch.OFF):
        monkeypatch.setenv(switch.VARIABLE, state)
        draws, mean, used = np.random.default_rng(1), MeanUse(), np.zeros(40)
        workload = np.arange(40, dtype=np.int32) % 3
        for look in range(1, 20):
            used += draws.random(40)
            rows = np.flatnonzero(draws.random(40) < 0.8)
            gone = np.setdiff1d(np.arange(40), rows)[: look % 4]
            mean.end(Ended(gone, gone % 5))
            requests = used, np.full(40, -1), np.ones(40), np.zeros(1)
            columns = (np.zeros(40, np.int64), np.zeros(1, np.int64), 1e-9), requests
            known = (lambda rows, kind, used=used: used[rows]), columns
            where = np.arange(40) % 5, np.zeros(40, np.int64)
            found = mean.look(look * 15_000_000, (rows, where), known, workload, (4, 5))
            seen.append((state, found.by_workload.tolist(), found.by_node.tolist()))
    assert [one[1:] for one in seen[:19]] == [one[1:] for one in seen[19:]]
    assert all(sum(by_workload) > 0.0 for _, by_workload, _ in seen)
