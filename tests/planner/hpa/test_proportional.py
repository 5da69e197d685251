"""The proportional autoscaler: the tool's worked examples and its errors."""

import pytest

from planner.hpa.proportional import (
    ClusterSize,
    CountedNode,
    ProportionalErrorCode,
    ProportionalFailed,
    cluster_size,
    proportional_replicas,
)


def size(nodes, cores):
    return ClusterSize(nodes, nodes, cores, cores)


LINEAR = '{"coresPerReplica": 256, "nodesPerReplica": 16, "preventSinglePointFailure": true}'


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
    assert proportional_replicas("linear", LINEAR, size(nodes, cores)) == expected


def test_the_single_point_test_comes_after_the_maximum():
    text = '{"nodesPerReplica": 10, "max": 1, "preventSinglePointFailure": true}'
    assert proportional_replicas("linear", text, size(2, 2)) == 2


@pytest.mark.parametrize(("cores", "expected"), [(0, 0), (1, 1), (63, 1), (64, 3), (9_999, 5)])
def test_ladder(cores, expected):
    text = '{"coresToReplicas": [[64, 3], [0, 0], [512, 5], [1, 1]], "nodesToReplicas": [[1, 0]]}'
    assert proportional_replicas("ladder", text, size(1, cores)) == expected


def test_cores_are_rounded_up_once_and_unready_nodes_do_not_count():
    nodes = [CountedNode(940, True, False)] * 3 + [CountedNode(4_000, False, False), CountedNode(4_000, True, True)]
    assert cluster_size(nodes) == ClusterSize(5, 3, 11, 3)


@pytest.mark.parametrize(
    ("mode", "text", "code"),
    [
        ("linear", "{}", "NoRatio"),
        ("linear", '{"min": -1}', "NegativeMin"),
        ("linear", '{"min": 3, "max": 2, "coresPerReplica": 1}', "MaxBelowMin"),
        ("linear", '{"coresPerReplica": -1}', "NegativeCores"),
        ("linear", '{"coresPerReplica": 1, "nodesPerReplica": -1}', "NegativeNodes"),
        ("ladder", '{"coresToReplicas": [[1, -1]]}', "NegativeEntry"),
        ("ladder", '{"coresToReplicas": "x"}', "ParseError"),
        ("ladder", "[1", "ParseError"),
    ],
)
def test_bad_parameters_are_named(mode, text, code):
    with pytest.raises(ProportionalFailed) as failure:
        proportional_replicas(mode, text, size(1, 1))
    assert failure.value.code is ProportionalErrorCode(code)
