"""Recorded load: what is read, and how errors are reported."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import PlanProblem
from planner.plan.model.use import TraceKind
from planner.plan.recordings.recording import ReadAs, fitted, gaps, read_recording
from planner.plan.recordings.times import TimeUnit
from planner.plan.recordings.units import ValueUnit
from planner.units import US_PER_S
from planner.workloads.load_profiles import rates


def points(text, where="t", **how):
    return [(p.at / US_PER_S, round(p.rate, 6)) for p in read_recording(text, where, ReadAs(**how)).trace.points]


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
    assert points(text) == [(0, 5.0), (15, 7.5), (30, 1.0)]


def test_columns_by_name():
    text = "rps,job,at\n5,a,0\n6,a,10\n"
    assert points(text, time_column="at", value_column="rps") == [(0, 5.0), (10, 6.0)]


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
        read_recording(text, "t")
    assert raised.value.where == where
    assert problem in raised.value.problem
    assert raised.value.remedy


def test_unknown_columns_name_the_known_ones():
    with pytest.raises(PlanProblem, match="at, rps"):
        points("at,rps\n0,1\n", time_column="time", value_column="rps")


def test_gaps_are_found():
    found = read_recording("0,1\n10,1\n20,1\n200,1\n210,1\n", "t").trace.points
    assert gaps(found) == [(20 * US_PER_S, 200 * US_PER_S)]
    assert gaps(found[:1]) == []


@pytest.mark.parametrize(("head", "times"), [
    pytest.param("", ("1700000000000", "1700000015000"), id="milliseconds since 1970"),
    pytest.param("", ("1700000000000000", "1700000015000000"), id="microseconds since 1970"),
    pytest.param("", ("1700000000000000000", "1700000015000000000"), id="nanoseconds since 1970"),
    pytest.param("time_ms,rps\n", ("0", "15000"), id="milliseconds by the name"),
    pytest.param("t (us),rps\n", ("0", "15000000"), id="microseconds by the name"),
    pytest.param("elapsed_seconds,rps\n", ("0", "15"), id="seconds by the name"),
    pytest.param("timestamp,rps\n", ("2014-04-10 00:04:00", "2014-04-10 00:04:15.0000000"), id="dates"),
])  # fmt: skip
def test_the_unit_of_times_is_recognised(head, times):
    assert points(f"{head}{times[0]},5\n{times[1]},6\n") == [(0, 5.0), (15, 6.0)]


def test_times_that_may_be_milliseconds_are_not_taken_for_seconds():
    text = "time,rps\n0,5\n60000,6\n120000,7\n"
    with pytest.raises(PlanProblem, match="--time-unit"):
        points(text)
    assert points(text, time_unit=TimeUnit.MS)[-1] == (120, 7.0)
    assert points(text, time_unit=TimeUnit.S)[-1] == (120_000, 7.0)


FIVE_MINUTES = "2014-04-10 00:04:00,{}\n2014-04-10 00:09:00,{}\n2014-04-10 00:14:00,{}\n"


@pytest.mark.parametrize(("head", "where", "kind", "values", "expected"), [
    pytest.param("t,rps", "t", "load", (30, 60, 3), [30, 60, 3], id="requests per second"),
    pytest.param("t,requests/s", "t", "load", (30, 60, 3), [30, 60, 3], id="a slash"),
    pytest.param("t,requests per minute", "t", "load", (30, 60, 3), [0.5, 1, 0.05], id="per minute"),
    pytest.param("t,rpm", "t", "load", (30, 60, 3), [0.5, 1, 0.05], id="rpm"),
    pytest.param("t,request_count", "t", "load", (30, 60, 3), [0.1, 0.2, 0.01], id="counts over the usual step"),
    pytest.param("t,requests (1m)", "t", "load", (30, 60, 3), [0.5, 1, 0.05], id="counts over a step that is named"),
    pytest.param("t,value", "elb_request_count.csv", "load", (30, 60, 3), [0.1, 0.2, 0.01], id="by the file's name"),
    pytest.param("t,value", "ms.csv", "load", (0.5, 1.5, 2), [0.5, 1.5, 2], id="ms as the name of a file"),
    pytest.param("t,totalRequests", "t", "load", (30, 60, 3), [0.1, 0.2, 0.01], id="words in one"),
    pytest.param("t,memoryMB", "t", "memory", (1, 2, 3), [2**20, 2**21, 3 * 2**20], id="an amount in one word"),
    pytest.param("t,number", "t", "memory", (2e9, 1e9, 0), [2e9, 1e9, 0], id="letters of a unit within a word"),
    pytest.param("t,value", "t", "load", (0.5, 1.5, 2), [0.5, 1.5, 2], id="fractions are rates"),
    pytest.param("t,cpu_cores", "t", "cpu", (20, 1, 2), [20, 1, 2], id="cores"),
    pytest.param("t,millicores", "t", "cpu", (500, 250, 1000), [0.5, 0.25, 1], id="millicores"),
    pytest.param("t,cpu %", "t", "cpu", (50, 25, 100), [2, 1, 4], id="per cent of cores"),
    pytest.param("t,value", "t", "cpu", (0.5, 1, 2), [0.5, 1, 2], id="cores, as they are few"),
    pytest.param("t,rss_MiB", "t", "memory", (1, 2, 3), [2**20, 2**21, 3 * 2**20], id="MiB"),
    pytest.param("t,value", "t", "memory", (1e8, 2e8, 3e8), [1e8, 2e8, 3e8], id="bytes, as they are many"),
])  # fmt: skip
def test_the_unit_of_values_is_recognised(head, where, kind, values, expected):
    text = f"{head}\n{FIVE_MINUTES.format(*values)}"
    found = points(text, where, kind=TraceKind(kind), whole=4.0)
    assert [value for _, value in found] == pytest.approx(expected)


@pytest.mark.parametrize(("head", "where", "kind", "values", "cure"), [
    pytest.param("t,value", "t", "load", (94, 56, 187), "--unit requests if each counts", id="counts or rates"),
    pytest.param("t,value", "asg_cpu.csv", "load", (94.5, 56, 87), "--as cpu", id="CPU as load"),
    pytest.param("t,latency", "t", "load", (94.5, 56, 87), "--unit rows", id="latency as load"),
    pytest.param("t,value", "asg_cpu.csv", "cpu", (94.5, 56, 87), "percent", id="per cent or cores"),
    pytest.param("t,cpu_percent", "t", "cpu", (94.5, 56, 87), "--of 2", id="per cent of what"),
    pytest.param("t,memory", "t", "memory", (94.5, 56, 87), "MiB", id="few bytes"),
    pytest.param("t,memory utilization", "t", "memory", (94.5, 56, 87), "--of 4Gi", id="per cent of memory"),
])  # fmt: skip
def test_units_that_do_not_show_are_asked_for_where_they_matter(head, where, kind, values, cure):
    text = f"{head}\n{FIVE_MINUTES.format(*values)}"
    with pytest.raises(PlanProblem) as raised:
        points(text, where, kind=TraceKind(kind))
    assert cure in raised.value.problem + raised.value.remedy


def test_a_counter_is_no_rate():
    text = "t,value\n" + "".join(f"{15 * number},{100 + 7 * number}\n" for number in range(20))
    with pytest.raises(PlanProblem, match="only grow"):
        points(text)
    assert len(points(text, unit=ValueUnit.PER_SECOND)) == 20


def test_what_the_user_says_goes_before_what_is_recognised():
    text = "t,rps\n" + FIVE_MINUTES.format(30, 60, 3)
    assert points(text, unit=ValueUnit.REQUESTS)[0][1] == 0.1
    assert points(text, unit=ValueUnit.REQUESTS, step_us=60 * US_PER_S)[0][1] == 0.5
    with pytest.raises(PlanProblem, match="not a unit of load"):
        points(text, unit=ValueUnit.CORES)


@pytest.mark.parametrize("text", [
    pytest.param("TIMESTAMP,ContextTokens,GeneratedTokens\n{}", id="tokens are no requests"),
    pytest.param("{}", id="as the user says"),
])  # fmt: skip
def test_lines_of_single_requests_are_counted(text):
    unit = None if "Tokens" in text else ValueUnit.ROWS
    lines = "".join(f"2023-11-16 18:15:{second:09.6f},374,44\n" for second in (46.68, 46.68, 50.5, 59.9))
    assert points(text.format(lines), unit=unit) == [(0, 0.3), (10, 0.1)]


def test_single_requests_need_no_values():
    assert points("at\n0\n5\n12\n", unit=ValueUnit.ROWS) == [(0, 0.2), (10, 0.1)]


@given(counts=st.lists(st.integers(0, 10_000), min_size=2, max_size=50), step_s=st.sampled_from([10, 60, 300, 3600]))
def test_all_requests_that_were_counted_are_in_the_load(counts, step_s):
    text = "t_s,count\n" + "".join(f"{number * step_s},{count}\n" for number, count in enumerate(counts))
    trace = read_recording(text, "t").trace
    seconds = np.arange(len(counts) * step_s) * US_PER_S + US_PER_S // 2
    assert rates(trace, seconds).sum() == pytest.approx(sum(counts))


def test_what_was_assumed_is_said():
    said = read_recording("0,5\n15,7\n", "t").assumed
    assert said == ("Times are seconds (assumed).", "Values are requests/s (assumed).")


def test_a_trace_can_be_fitted_to_a_run():
    trace = read_recording("0,5\n10,7\n20,9\n", "t").trace
    assert [(p.at // US_PER_S, p.rate) for p in fitted(trace, 3600 * US_PER_S).points] == [(0, 5), (1200, 7), (2400, 9)]


SHARED = Path(__file__).parents[5] / "shared" / "data"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the public data sets are not here")
@pytest.mark.parametrize(("file", "how", "total", "peak"), [
    pytest.param("nab_elb_request_count.csv", ReadAs(), 249_327, 2.2, id="counts per five minutes"),
    pytest.param("azure_llm_conv_2023.csv", ReadAs(), 19_366, 8.45, id="a request a line"),
    pytest.param(
        "nab_asg_cpu.csv", ReadAs(TraceKind.CPU, unit=ValueUnit.PERCENT, whole=2.0), None, 2.0, id="CPU in per cent"
    ),
])  # fmt: skip
def test_public_recordings_mean_what_they_count(file, how, total, peak):
    trace = read_recording((SHARED / file).read_text(), file, how).trace
    assert max(point.rate for point in trace.points) == pytest.approx(peak, rel=0.2)
    if total is not None:
        ends = [point.at for point in trace.points[1:]] + [trace.points[0].at + trace.length_us]
        spans = [(end - point.at) / US_PER_S for point, end in zip(trace.points, ends, strict=True)]
        usual = sorted(spans)[len(spans) // 2]
        assert sum(point.rate * usual for point in trace.points) == pytest.approx(total, rel=0.001)
