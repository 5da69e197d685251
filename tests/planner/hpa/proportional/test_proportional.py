"""The proportional autoscaler: the tool's worked examples and its errors."""

from fractions import Fraction

import pytest

from planner.hpa.proportional.proportional import (
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


def test_parts_of_a_milli_core_are_summed_before_rounding():
    nodes = [CountedNode(Fraction(4999, 10), True, False), CountedNode(Fraction(5001, 10), True, False)]
    assert cluster_size(nodes).schedulable_cores == 1


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
        ("ladder", '{"coresToReplicas": ""}', "ParseError"),
        ("ladder", '{"coresToReplicas": 0}', "ParseError"),
        ("linear", '{"coresPerReplica": NaN}', "ParseError"),
        ("linear", '{"coresPerReplica": 1e400}', "ParseError"),
        ("linear", '{"coresPerReplica": 1, "min": 9223372036854775808}', "ParseError"),
        ("linear", '{"coresPerReplica": 1, "min": 1.0}', "ParseError"),
        ("linear", "[" * 100_000, "ParseError"),
        ("linear", "null", "NoRatio"),
        ("ladder", "[1", "ParseError"),
    ],
)
def test_bad_parameters_are_named(mode, text, code):
    with pytest.raises(ProportionalFailed) as failure:
        proportional_replicas(mode, text, size(1, 1))
    assert failure.value.code is ProportionalErrorCode(code)


@pytest.mark.parametrize(
    ("mode", "text", "expected"),
    [
        pytest.param("linear", '{"CORESPERREPLICA": 4}', 3, id="names in any case"),
        pytest.param("linear", '{"coresPerReplica": 4, "CoresPerReplica": 2}', 6, id="the last one wins"),
        pytest.param("linear", '{"coresPerReplica": 4, "CoresPerReplica": null}', 3, id="null changes nothing"),
        pytest.param("linear", '{"coresPerReplica": 1e-320, "max": 7}', 7, id="a tiny ratio reaches the maximum"),
        pytest.param("linear", '{"coresPerReplica": 1e-320}', 2**31 - 1, id="without maximum as many as there can be"),
        pytest.param("ladder", '{"coresToReplicas": [[12]]}', 0, id="a missing number is 0"),
        pytest.param("ladder", '{"coresToReplicas": [null, [12, null]]}', 0, id="null is 0"),
        pytest.param("ladder", '{"coresToReplicas": [[1, 2, "x"]]}', 2, id="further values are dropped"),
        pytest.param("ladder", "null", 0, id="nothing at all"),
    ],
)
def test_parameters_are_read_as_the_tool_reads_json(mode, text, expected):
    assert proportional_replicas(mode, text, size(3, 12)) == expected


@pytest.mark.parametrize(
    ("cores", "replicas"), [pytest.param(16, 16, id="16 cores"), pytest.param(40, 40, id="40 cores")]
)
def test_pause_pods_of_200m_for_each_core_keep_a_fifth_of_the_cluster(cores, replicas):
    """The worked example of overprovisioning: 16 cores, 16 pods, 3.2 cores."""
    found = proportional_replicas("linear", '{"coresPerReplica": 1}', size(4, cores))
    assert found == replicas
    assert found * 200 == pytest.approx(0.2 * cores * 1000)
