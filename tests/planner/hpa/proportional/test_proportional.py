"""The proportional autoscaler: the worked examples of the tool."""

import numpy as np
import pytest
from pydantic import TypeAdapter

from planner.hpa.proportional.proportional import ClusterSize, cluster_size, replicas_of
from planner.plan.model.autoscalers.proportional_autoscaler import ProportionalMode

MODE = TypeAdapter(ProportionalMode)
LINEAR = {"coresPerReplica": 256, "nodesPerReplica": 16, "preventSinglePointFailure": True}


def replicas(nodes, cores, **mode):
    return replicas_of(MODE.validate_python(mode), ClusterSize(nodes, nodes, cores, cores))


def steps(*pairs):
    return [{"threshold": threshold, "replicas": count} for threshold, count in pairs]


@pytest.mark.parametrize(
    ("nodes", "cores", "expected"),
    [
        pytest.param(1, 4, 1, id="one node"),
        pytest.param(2, 8, 2, id="no single point of failure"),
        pytest.param(33, 132, 3, id="nodes rule"),
        pytest.param(4, 257, 2, id="cores rule"),
        pytest.param(0, 0, 1, id="an empty cluster"),
    ],
)
def test_linear(nodes, cores, expected):
    assert replicas(nodes, cores, type="linear", **LINEAR) == expected


def test_the_single_point_test_comes_after_the_maximum():
    mode = {"type": "linear", "nodesPerReplica": 10, "max": 1, "preventSinglePointFailure": True}
    assert replicas(2, 2, **mode) == 2


def test_a_minimum_of_zero_counts_as_one():
    assert replicas(0, 0, type="linear", nodesPerReplica=1, min=0) == 1


@pytest.mark.parametrize(("cores", "expected"), [(0, 0), (1, 1), (63, 1), (64, 3), (9_999, 5)])
def test_ladder(cores, expected):
    ladder = {"coresToReplicas": steps((64, 3), (0, 0), (512, 5), (1, 1)), "nodesToReplicas": steps((1, 0))}
    assert replicas(1, cores, type="ladder", **ladder) == expected


@pytest.mark.parametrize(("cores", "expected"), [(1, 2), (4, 7), (5, 7), (8, 1)])
def test_of_equal_thresholds_the_last_counts_and_below_them_the_first(cores, expected):
    ladder = {"coresToReplicas": steps((4, 2), (8, 3), (4, 7), (8, 1))}
    assert replicas(1, cores, type="ladder", **ladder) == expected


def test_below_the_lowest_step_that_step_holds_and_without_steps_there_is_nothing():
    assert replicas(1, 1, type="ladder", coresToReplicas=steps((8, 4), (2, 3))) == 3
    assert replicas(1, 1, type="ladder") == 0


@pytest.mark.parametrize(("counts_all", "expected"), [(False, 3), (True, 11)])
def test_unschedulable_nodes_count_only_on_demand(counts_all, expected):
    mode = MODE.validate_python(
        {"type": "linear", "coresPerReplica": 1, "includeUnschedulableNodes": counts_all}
    )  # fmt: skip
    assert replicas_of(mode, ClusterSize(5, 3, 11, 3)) == expected


def test_cores_are_rounded_up_once_and_unready_nodes_do_not_count():
    milli = np.array([940, 940, 940, 4_000, 4_000])
    ready = np.array([True, True, True, False, True])
    unschedulable = np.array([False, False, False, False, True])
    assert cluster_size(milli, ready, unschedulable) == ClusterSize(5, 3, 11, 3)


@pytest.mark.parametrize("cores", [16, 40])
def test_pause_pods_of_200m_for_each_core_keep_a_fifth_of_the_cluster(cores):
    """The worked example of overprovisioning: 16 cores, 16 pods, 3.2 cores."""
    found = replicas(4, cores, type="linear", coresPerReplica=1)
    assert found * 200 == pytest.approx(0.2 * cores * 1000)
