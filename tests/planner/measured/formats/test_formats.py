"""Files of measured series: what is read, and what is refused with place and remedy."""

import gzip
import io
import json
import re
from zoneinfo import ZoneInfo

import pytest

from planner.errors import MeasuredProblem
from planner.measured.formats.exposition import read_exposition
from planner.measured.formats.grafana_table import read_table
from planner.measured.formats.prometheus_answer import read_answer
from planner.measured.quantities import Quantity
from planner.measured.reading import HowRead, read_measured
from tests.builders import a_plan, a_workload


def answer(*series):
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": list(series)}})


def plain(found):
    return [(dict(each.labels), list(each.times_s), list(each.values)) for each in found]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_answer_of_a_range_query_is_read_series_by_series(indent):
    first = {"metric": {"__name__": "cpu", "pod": "a]]b"}, "values": [[1.5, "2"], [2.5, "NaN"]]}
    second = {"metric": {}, "values": []}
    text = json.dumps(json.loads(answer(first, second, first)), indent=indent)
    found = list(read_answer(io.StringIO(text), "a.json"))
    assert [len(each.values) for each in found] == [2, 0, 2]
    assert found[0].labels == {"__name__": "cpu", "pod": "a]]b"} and list(found[0].times_s) == [1.5, 2.5]
    assert found[2].place == "a.json, data.result[2]"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("<html><body>Sign in</body></html>", "web page", id="a login page"),
        pytest.param('{"status":"error","error":"unknown function"}', "unknown function", id="a failed query"),
        pytest.param(answer({"metric": {}, "values": [[1, "2"]]})[:-9], "in the middle", id="half a JSON"),
        pytest.param(answer({"metric": {}, "values": [[1, "2"]]})[:-3], "in the middle", id="without its last braces"),
        pytest.param('{"status":"success","data":{"resul', "in the middle", id="cut before the first series"),
        pytest.param(answer(), "found nothing", id="an empty answer"),
        pytest.param(answer({"metric": {}, "value": [1, "2"]}), "no values", id="an instant query"),
        pytest.param(answer({"metric": {}, "values": [[1, "two"]]}), "no number", id="text for a number"),
        pytest.param(answer({"metric": {}, "values": [[1, "2", "3"]]}), "not pairs", id="more than pairs"),
        pytest.param('{"a": 1}', "not the answer", id="other JSON"),
    ],
)
def test_what_is_no_answer_is_refused(text, problem):
    with pytest.raises(MeasuredProblem, match=problem) as found:
        list(read_answer(io.StringIO(text), "a.json"))
    assert found.value.where.startswith("a.json") and found.value.remedy


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            '# TYPE cpu gauge\ncpu{pod="a"} 1 10.5\n# EOF\n', [({"__name__": "cpu", "pod": "a"}, [10.5], [1])]
        ),
        pytest.param(
            '{__name__="up", job="x,}\\"y"} 1 1700000000000\n',
            [({"__name__": "up", "job": 'x,}"y'}, [1.7e9], [1])],
            id="promtool tsdb dump, in milliseconds",
        ),
        pytest.param("a 1 0\nb 5 0\na 2 60\n", [({"__name__": "a"}, [0, 60], [1, 2]), ({"__name__": "b"}, [0], [5])]),
        pytest.param('a 1 5 # {id="x"} 3\n', [({"__name__": "a"}, [5], [1])], id="with an exemplar"),
    ],
)
def test_lines_of_name_value_and_time_are_read(text, expected):
    assert plain(read_exposition(io.StringIO(text), "a.om")) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("cpu 1\n", "no time", id="what a program shows of this moment"),
        pytest.param("cpu 1 0\ncpu one 60\n", "line 2.*one", id="no number"),
        pytest.param("cpu{pod=a} 1 0\n", "labels", id="labels without quotes"),
        pytest.param("-- cpu\n", "no sample", id="anything else"),
    ],
)
def test_lines_that_are_no_samples_are_refused(text, problem):
    with pytest.raises(MeasuredProblem) as found:
        list(read_exposition(io.StringIO(text), "a.om"))
    assert re.search(problem, str(found.value))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            'Time,shop,"cpu{deployment=""web""}"\n1700000000000,1,\n1700000060000,2,0.5\n',
            [({"workload": "shop"}, [1.7e9, 1.7e9 + 60], [1, 2]),
             ({"__name__": "cpu", "deployment": "web"}, [1.7e9 + 60], [0.5])],
            id="a column per series",
        ),
        pytest.param(
            'sep=;\n"Series";"Time";"Value"\n"shop";"1970-01-01T01:00:00+01:00";3\n"shop";"1970-01-01T00:01:00Z";null\n',
            [({"workload": "shop"}, [0], [3])],
            id="a row per sample, with semicolons",
        ),
        pytest.param(
            "Time,deployment,Value\n0,a,1\n0,b,2\n60,a,3\n",
            [({"deployment": "a"}, [0, 60], [1, 3]), ({"deployment": "b"}, [0], [2])],
            id="labels in columns",
        ),
        pytest.param("Time,a,b\n0,1.5 K,250 MiB\n60,45%,12 ms\n",
                     [({"workload": "a"}, [0, 60], [1500, 0.45]), ({"workload": "b"}, [0, 60], [250 * 2**20, 0.012])],
                     id="values with units"),
    ],
)  # fmt: skip
def test_tables_of_grafana_are_read(text, expected):
    assert plain(read_table(io.StringIO(text), "a.csv")) == expected


def test_the_hour_that_comes_twice_is_two_hours():
    berlin = ZoneInfo("Europe/Berlin")
    rows = ("01:30:00", "02:00:00", "02:30:00", "02:00:00", "02:30:00", "03:00:00")
    text = "Time,shop\n" + "".join(f"2026-10-25 {clock},1\n" for clock in rows)
    (found,) = read_table(io.StringIO(text), "a.csv", berlin)
    assert [after - before for before, after in zip(found.times_s, found.times_s[1:], strict=False)] == [1800] * 5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("a,b\n1,2\n", "no column of times"),
        pytest.param("Time\n1\n", "no column of values"),
        pytest.param("Time,shop\n0,1\nlater,2\n", "line 3.*later"),
        pytest.param("Time,shop\n0,1 parsec\n", "line 2.*parsec"),
        pytest.param("Time,shop\n0,1,2\n", "line 2.*3 cells"),
    ],
)
def test_tables_that_cannot_be_read_are_refused(text, problem):
    with pytest.raises(MeasuredProblem) as found:
        list(read_table(io.StringIO(text), "a.csv"))
    assert re.search(problem, str(found.value))


PLAN = a_plan(workloads=(a_workload("shop"),))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("requests.json", answer({"metric": {"workload": "shop"}, "values": [[60, "5"], [120, "6"]]})),
        pytest.param("rps.csv", "Time,shop\n60,5\n120,6\n"),
        pytest.param("x.om", 'headroom_requests{workload="shop"} 5 60\nheadroom_requests{workload="shop"} 6 120\n'),
        pytest.param("x.txt", 'http_requests_total{pod="shop-7d9c8-bcdfg"} 0 0\n'
                     'http_requests_total{pod="shop-7d9c8-bcdfg"} 300 60\n'
                     'http_requests_total{pod="shop-7d9c8-bcdfg"} 660 120\n'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_says_the_same(tmp_path, name, content, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    for given in (path, tmp_path):
        measured = read_measured(str(given), PLAN, HowRead(step_s=60))
        assert list(measured.course(Quantity.REQUESTS, "shop")) == [5, 6]
        assert (measured.start_s, measured.step_s) == (0, 60)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        pytest.param({"a.json": ""}, "is empty"),
        pytest.param({"a.json": b"\xff\xfe\x00"}, "no text"),
        pytest.param({"readme.md": "hello"}, "no file of measured series"),
        pytest.param({"other.om": "weird_metric 1 60\n"}, "No metric is known; there are weird_metric"),
        pytest.param({"cpu.csv": "Time,web\n60,1\n"}, "there are cpu of workload web"),
        pytest.param({"cpu.csv": "Time,shop\n60,-1\n"}, "negative"),
        pytest.param({"cpu.csv": "Time,shop\n"}, "no samples"),
        pytest.param({"a.json.gz": gzip.compress(b"x" * 1000)[:20]}, "cannot be read"),
    ],
)
def test_files_that_say_nothing_are_refused(tmp_path, files, problem):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(MeasuredProblem) as found:
        read_measured(str(tmp_path), PLAN)
    assert problem in str(found.value) and found.value.remedy
