"""headroom trace: recorded load and use, and recordings that cannot be."""

import json

import pytest

from planner import cli
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.use import MemoryUse
from tests.builders import a_plan, a_workload


@pytest.fixture
def plan_path(tmp_path):
    path = tmp_path / "plan.headroom"
    save_plan(a_plan(workloads=(a_workload("web"),)), path)
    return str(path)


@pytest.fixture
def trace(tmp_path):
    def write(content):
        path = tmp_path / "t.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def readings(profile):
    return [(point.at // 1_000_000, point.rate) for point in profile.points]


def test_a_recorded_load_is_that_of_the_workload(plan_path, trace, capsys):
    assert cli.main(["trace", plan_path, "web", trace("time,rps\n0,5\n15,7.5\n")]) == 0
    workload = load_plan(plan_path).workloads[0]
    assert readings(workload.traffic.profile) == [(0, 5.0), (15, 7.5)]
    assert "The trace ends at 15s" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["cpu", "memory"])
def test_recorded_use_is_that_of_each_pod(plan_path, trace, kind):
    other = "memory" if kind == "cpu" else "cpu"
    assert cli.main(["trace", plan_path, "web", trace("0,1\n15,2\n"), "--as", other]) == 0
    assert cli.main(["trace", plan_path, "web", trace("0,0.25\n15,3e10\n"), "--as", kind]) == 0
    workload = load_plan(plan_path).workloads[0]
    assert readings(getattr(workload.use, kind)) == [(0, 0.25), (15, 3e10)]
    assert readings(getattr(workload.use, other)) == [(0, 1.0), (15, 2.0)]
    assert workload.traffic is None


def test_the_answer_of_a_range_query_is_read(plan_path, trace):
    answer = {"data": {"resultType": "matrix", "result": [{"values": [[1700000000, "5"], [1700000015, "6"]]}]}}
    assert cli.main(["trace", plan_path, "web", trace(json.dumps(answer))]) == 0
    assert readings(load_plan(plan_path).workloads[0].traffic.profile) == [(0, 5.0), (15, 6.0)]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("0,5\n15,NaN\n", "t.csv, line 2: The value is NaN", id="not a number"),
        pytest.param("0,5\n15,6\n10,7\n", "t.csv, line 3: The time 10 is earlier", id="out of order"),
        pytest.param("0,5\n0,6\n", "t.csv, line 2: The time 0 comes twice", id="a time twice"),
        pytest.param("0,5\n1e300,6\n", "t.csv, line 2: The time 1e+300", id="a time beyond all bounds"),
        pytest.param("0,5\n15,3e10\n", "requests per second", id="more than a load can be"),
        pytest.param(b"0,5\n\xff\xfe,6\n", "not UTF-8 text", id="no text"),
    ],
)
def test_an_invalid_recording_changes_nothing(plan_path, trace, content, problem, capsys):
    before = load_plan(plan_path)
    assert cli.main(["trace", plan_path, "web", trace(content)]) == 2
    shown = capsys.readouterr()
    assert problem in shown.err and "Traceback" not in shown.err and shown.out == ""
    assert load_plan(plan_path) == before


def test_memory_use_that_is_already_described_is_refused(plan_path, trace, capsys):
    plan = load_plan(plan_path)
    described = plan.workloads[0].model_copy(update={"memory_use": MemoryUse(start="1Gi")})
    save_plan(plan.model_copy(update={"workloads": (described,)}), plan_path)
    assert cli.main(["trace", plan_path, "web", trace("0,1\n15,2\n"), "--as", "memory"]) == 2
    assert "workloads[0].memoryUse.start" in capsys.readouterr().err


def test_a_gap_is_pointed_out(plan_path, trace, capsys):
    lines = "".join(f"{at},1\n" for at in (*range(0, 100, 10), *range(1000, 1100, 10)))
    assert cli.main(["trace", plan_path, "web", trace(lines)]) == 0
    assert "no values from 1m30s to 16m40s" in capsys.readouterr().out


def test_an_unknown_workload_and_a_missing_file_are_reported(plan_path, trace, capsys):
    assert cli.main(["trace", plan_path, "wbe", trace("0,1\n15,2\n")]) == 2
    assert "There is no workload" in capsys.readouterr().err
    assert cli.main(["trace", plan_path, "web", "/nowhere/t.csv"]) == 2
    assert "No such file" in capsys.readouterr().err
