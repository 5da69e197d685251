"""Parameters of the proportional autoscaler as the tool reads them."""

import pytest

from planner.kube.autoscalers.proportional_parameters import UnusableParameters, read_parameters


@pytest.mark.parametrize(
    ("mode", "value", "fault"),
    [
        ("linear", {}, "NoRatio"),
        ("linear", None, "NoRatio"),
        ("linear", {"min": -1}, "NegativeMin"),
        ("linear", {"min": 3, "max": 2, "coresPerReplica": -1}, "MaxBelowMin"),
        ("linear", {"min": 0, "max": 2, "coresPerReplica": -1}, "NegativeCores"),
        ("linear", {"coresPerReplica": 1, "nodesPerReplica": -1}, "NegativeNodes"),
        ("linear", {"coresPerReplica": 10**400}, "ParseError"),
        ("linear", {"coresPerReplica": True}, "ParseError"),
        ("linear", {"coresPerReplica": 1, "min": 9223372036854775808}, "ParseError"),
        ("linear", {"coresPerReplica": 1, "min": 1.0}, "ParseError"),
        ("linear", {"coresPerReplica": 1, "includeUnschedulableNodes": "yes"}, "ParseError"),
        ("linear", [1], "ParseError"),
        ("ladder", {"coresToReplicas": [[1, -1]]}, "NegativeEntry"),
        ("ladder", {"coresToReplicas": "x"}, "ParseError"),
        ("ladder", {"coresToReplicas": 0}, "ParseError"),
        ("ladder", {"coresToReplicas": [3]}, "ParseError"),
    ],
)
def test_unusable_parameters_have_their_reason(mode, value, fault):
    with pytest.raises(UnusableParameters) as caught:
        read_parameters(mode, value)
    assert caught.value.fault == fault and str(caught.value)


@pytest.mark.parametrize(
    ("value", "cores"),
    [
        pytest.param({"CORESPERREPLICA": 4}, 4, id="names in any case"),
        pytest.param({"coresPerReplica": 4, "CoresPerReplica": 2}, 2, id="the last one wins"),
        pytest.param({"coresPerReplica": 4, "CoresPerReplica": None}, 4, id="null changes nothing"),
    ],
)
def test_names_are_read_as_the_tool_reads_json(value, cores):
    assert read_parameters("linear", value)["coresPerReplica"] == cores


@pytest.mark.parametrize(
    ("entries", "steps"),
    [
        pytest.param([[12]], [(12, 0)], id="a missing number is 0"),
        pytest.param([None, [12, None]], [(0, 0), (12, 0)], id="null is 0"),
        pytest.param([[1, 2, "x"]], [(1, 2)], id="further values are dropped"),
    ],
)
def test_steps_are_pairs(entries, steps):
    found = read_parameters("ladder", {"coresToReplicas": entries})["coresToReplicas"]
    assert [(step["threshold"], step["replicas"]) for step in found] == steps
