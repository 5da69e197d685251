"""Bindings, deletions and ends of pods write the same with kernels and without, and tables and templates may grow."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.kernels import switch
from planner.state.nodes import NONE
from planner.state.pod_rows import PlainPodRows
from planner.state.pods import EndReason, PodPhase
from tests.planner.state.small_cluster import small_cluster

pytestmark = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
STEPS = st.lists(
    st.tuples(st.sampled_from(["create", "bind", "start", "delete", "remove", "node", "template"]), st.integers(0, 99)),
    max_size=60,
)


def act(cluster, step, number):
    pods, alive = cluster.pods, [*cluster.workload_pods[0]]
    pod = alive[number % len(alive)] if alive else NONE
    if step == "create":
        cluster.create_pods(number % len(cluster.pod_specs), 1 + 7 * number)
    elif step == "node":
        for _ in range(number):
            cluster.register_node(cluster.request_node(0))
    elif step == "template":
        cluster.add_template(replace(cluster.pod_specs[0], request=cluster.pod_specs[0].request * (number + 2)))
    elif pod == NONE:
        return
    elif step == "remove":
        cluster.remove_pod(pod, EndReason.FAILED)
    elif pods.node[pod] == NONE:
        cluster.bind(pod, number % cluster.nodes.count)
    elif step == "start" and pods.phase[pod] == PodPhase.PENDING and pods.deletion_us[pod] == NONE:
        cluster.mark_running(pod, ready=bool(number % 2))
    elif step == "delete" and pods.deletion_us[pod] == NONE:
        cluster.begin_deletion(pod, EndReason.PREEMPTED if number % 2 else EndReason.EVICTED)


def columns(table):
    return {name: getattr(table, name).tolist() for name in type(table)._columns}


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_pods_leave_the_same_traces_with_and_without_kernels(steps):
    found = []
    for state in ("on", switch.OFF):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(switch.VARIABLE, state)
            cluster = small_cluster()
        assert isinstance(cluster._pod_rows, PlainPodRows) == (state == switch.OFF)
        for step, number in steps:
            act(cluster, step, number)
        found.append([columns(table) for table in (cluster.pods, cluster.nodes, cluster.workloads)])
        assert (cluster.nodes.requested[:, 3] == [len(pods) for pods in cluster.node_pods]).all()
    assert found[0] == found[1]


def test_requests_of_extended_resources_are_counted():
    cluster = small_cluster()
    request = cluster.pod_specs[0].request.copy()
    request[2] = 77
    template = cluster.add_template(replace(cluster.pod_specs[0], request=request))
    cluster.bind(cluster.create_pods(template, 1), 1)
    assert np.array_equal(cluster.nodes.requested[1], [500, 1 << 30, 77, 1])
