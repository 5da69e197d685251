"""Pods that come and go: who is in which group, and what each keeps."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.pod_columns import PodsThatServe
from planner.workloads.load.serving_pods import ServingPods

SERVICES = 3
DT_US = 5_000_000
LIMITS = [500, 1000, 2000]
fleets = st.dictionaries(st.integers(0, 11), st.sampled_from(LIMITS), max_size=8)
"""Pods by row with the CPU of each; a pod belongs to the service that its row leaves a remainder of."""


def given_pods(service, fleet):
    rows = np.array(sorted(row for row in fleet if row % SERVICES == service), np.int64)
    capacity, count = np.array([fleet[row] for row in rows.tolist()], np.int64), len(rows)
    return PodsThatServe(
        rows, np.full(count, service), capacity, capacity, np.ones(count, np.bool_), np.ones(count)
    )  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, SERVICES - 1), fleets, st.floats(0.1, 90.0)), max_size=8))
def test_a_service_that_gets_other_pods_leaves_those_of_others_as_they_are(changes):
    serving = ServingPods(Demands.of([Demand(cpu_seconds_per_request=0.03)] * SERVICES))
    there, spent = {}, np.zeros(12)
    for service, fleet, served in changes:
        others = [row for row in there if row % SERVICES != service]
        held = serving.held_of(np.array(others, np.int64)).tolist()
        serving.replace(np.array([service]), given_pods(service, fleet))
        there = {row: there[row] for row in others}
        there |= {row: limit for row, limit in fleet.items() if row % SERVICES == service}
        rows = np.arange(12)
        assert serving.capacity_of(rows).tolist() == [there.get(row, 0) for row in rows.tolist()]
        assert serving.held_of(np.array(others, np.int64)).tolist() == held
        np.testing.assert_allclose(serving.spent_s(rows), spent, atol=1e-12)
        everyone = np.arange(SERVICES)
        groups = len(serving.held(everyone))
        serving.keep(everyone, np.full(groups, served), np.full(groups, served), np.full(SERVICES, DT_US))
        spent[list(there)] += served * 0.03
        counted = np.bincount([row % SERVICES for row in there], minlength=SERVICES) if there else np.zeros(SERVICES)
        np.testing.assert_allclose(serving.in_flight(), counted * served)
