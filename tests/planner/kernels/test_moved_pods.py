"""Running pods are found alike with the kernel and without, whatever happens to them."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import switch
from planner.state.pods import PodPhase
from planner.workloads.cpu.running_pods import RunningPods

PODS, NODES = 8, 3
HAS_LOAD = np.array([True, False, True])
changes = st.lists(
    st.lists(
        st.tuples(st.integers(0, PODS - 1), st.sampled_from([0, 1, 1, 1, 2]), st.booleans(), st.integers(0, 1)),
        max_size=6,
    ),
    max_size=12,
)


def cluster():
    """Pending pods of three workloads and two templates on three nodes, the last of which is silent."""
    spec = SimpleNamespace(running=SimpleNamespace(cpu_limit_milli=500, cpu_request_milli=200, cpu_use_milli=10))
    rows = np.arange(PODS)
    pods = SimpleNamespace(
        phase=np.full(PODS, PodPhase.PENDING, np.int8),
        ready=np.zeros(PODS, np.bool_),
        workload=(rows % 3).astype(np.int32),
        spec=np.zeros(PODS, np.int32),
        node=(rows // 3).astype(np.int32),
    )
    return SimpleNamespace(
        pods=pods, nodes=SimpleNamespace(silent=np.array([False, False, True])), pod_specs=[spec, spec]
    )


def columns(pods):
    """All that is known of running pods."""
    found = (pods.rows, pods.kind, pods.node, pods.count, pods.marks, *pods.kinds, *pods.serving_of(np.arange(3)))
    return [column.tolist() for column in found]


@pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
@given(changes, st.sets(st.tuples(st.integers(0, 11), st.integers(0, PODS - 1)), max_size=4))
def test_pods_that_moved_are_the_same(steps, kills):
    here = cluster()
    compiled, plain = RunningPods(here, HAS_LOAD), RunningPods(here, HAS_LOAD)
    assert compiled._kernel is not None
    plain._kernel = None
    for number, step in enumerate(steps):
        for pod, phase, ready, spec in step:
            here.pods.phase[pod], here.pods.ready[pod], here.pods.spec[pod] = phase, ready and phase == 1, spec
            for each in (compiled, plain):
                each.note(pod)
        for pod in sorted(pod for at, pod in kills if at == number):
            for each in (compiled, plain):
                each.kill(pod)
        found, expected = compiled.update(), plain.update()
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert [column.tolist() for column in found] == [column.tolist() for column in expected]
        assert columns(compiled) == columns(plain)
        assert compiled.version == plain.version
