"""Recorded load: what is read, and how errors are reported."""

import json

import pytest

from planner.errors import PlanProblem
from planner.plan.files.trace_text import gaps, read_trace
from planner.units import US_PER_S


def prometheus(values, **more):
    series = {"metric": {}, "values": values}
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [series]} | more})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("0,5\n15,7.5\n30,1\n", id="plain"),
        pytest.param("time,rps\r\n0,5\r\n\r\n15,7.5\r\n30,1\r\n", id="with head, blank line and CRLF"),
        pytest.param("\ufefftime,rps\n1700000000,5\n1700000015,7.5\n1700000030,1", id="since 1970, with a byte mark"),
        pytest.param(
            "time,rps\n2026-03-01T12:00:00Z,5\n2026-03-01T12:00:15+00:00,7.5\n2026-03-01T12:00:30,1", id="dates"
        ),
        pytest.param(prometheus([[1700000000, "5"], [1700000015.0, "7.5"], [1700000030, "1"]]), id="prometheus"),
    ],
)
def test_points_of_a_trace(text):
    assert [(p.at // US_PER_S, p.rate) for p in read_trace(text, "t")] == [(0, 5.0), (15, 7.5), (30, 1.0)]


def test_columns_by_name():
    text = "rps,job,at\n5,a,0\n6,a,10\n"
    assert [p.rate for p in read_trace(text, "t", "at", "rps")] == [5.0, 6.0]


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        pytest.param("", "t", "empty", id="nothing"),
        pytest.param(" \n\n", "t", "empty", id="blank lines"),
        pytest.param("time,rps\n", "t", "no values", id="head only"),
        pytest.param("0\n1\n", "t, line 1", "one column", id="one column"),
        pytest.param("0,5\n15,7\n15,8\n", "t, line 3", "comes twice", id="a time twice"),
        pytest.param("0,5\n15,7\n10,8\n", "t, line 3", "earlier", id="out of order"),
        pytest.param("0,5\n15,NaN\n", "t, line 2", "NaN", id="not a number"),
        pytest.param("0,5\n15,x\n", "t, line 2", "not a number", id="text for a value"),
        pytest.param("0,5\nx,6\n", "t, line 2", "not a time", id="text for a time"),
        pytest.param("0,5\ninf,6\n", "t, line 2", "not a time", id="no finite time"),
        pytest.param("0,5\n1e308,6\n", "t, line 2", "more than 400d", id="a time beyond all bounds"),
        pytest.param("1700000000000,5\n1800000000000,5\n", "t, line 2", "from the first", id="milliseconds"),
        pytest.param("time;rps\n0;5\n", "t, line 1", "one column", id="semicolons"),
        pytest.param("0,5\n15,inf\n", "t, line 2", "not a load", id="infinite"),
        pytest.param("0,5\n15,-1\n", "t, line 2", "not a load", id="negative"),
        pytest.param("0,5\n15\n", "t, line 2", "1 columns", id="short line"),
        pytest.param("{", "t", "not JSON", id="broken JSON"),
        pytest.param('{"status":"error","error":"bad query"}', "t", "bad query", id="failed query"),
        pytest.param("[]", "t", "not the answer", id="other JSON"),
        pytest.param(prometheus([], resultType="vector"), "t, data.resultType", "not a range", id="instant query"),
        pytest.param(prometheus([], result=[]), "t, data.result", "nothing", id="no series"),
        pytest.param(prometheus([], result=[{}, {}]), "t, data.result", "2 series", id="two series"),
        pytest.param(prometheus([[0, "5"], [15, "NaN"]]), "t, data.result[0].values[1]", "NaN", id="gap in prometheus"),
        pytest.param(prometheus([[0, "5"], 7]), "t, data.result[0].values[1]", "not a pair", id="not a pair"),
        pytest.param(prometheus([]), "t", "no values", id="no values"),
    ],
)
def test_errors_have_a_place_and_a_remedy(text, where, problem):
    with pytest.raises(PlanProblem) as raised:
        read_trace(text, "t")
    assert raised.value.where == where
    assert problem in raised.value.problem
    assert raised.value.remedy


def test_unknown_columns_name_the_known_ones():
    with pytest.raises(PlanProblem, match="at, rps"):
        read_trace("at,rps\n0,1\n", "t", "time", "rps")


def test_gaps_are_found():
    points = read_trace("0,1\n10,1\n20,1\n200,1\n210,1\n", "t")
    assert gaps(points) == [(20 * US_PER_S, 200 * US_PER_S)]
    assert gaps(points[:1]) == []
