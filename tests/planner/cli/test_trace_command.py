"""headroom trace: recorded load and use, and recordings that cannot be."""

import json

import pytest

from planner import cli
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.use import MemoryUse
from planner.units import format_moment
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
    unit = {"cpu": "cores", "memory": "bytes"}
    assert cli.main(["trace", plan_path, "web", trace("0,1\n15,2\n"), "--as", other, "--unit", unit[other]]) == 0
    assert cli.main(["trace", plan_path, "web", trace("0,0.25\n15,3e10\n"), "--as", kind, "--unit", unit[kind]]) == 0
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
        pytest.param("0,5\n1e300,6\n", 't.csv, line 2: The time "1e300"', id="a time beyond all bounds"),
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
    assert cli.main(["trace", plan_path, "web", trace("0,1e8\n15,2e8\n"), "--as", "memory"]) == 2
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


def test_what_was_recognised_is_printed(plan_path, trace, capsys):
    text = "timestamp,request_count\n1700000000000,30\n1700000300000,60\n"
    assert cli.main(["trace", plan_path, "web", trace(text)]) == 0
    out = capsys.readouterr().out
    assert "read: Times are milliseconds (since 1970)." in out
    assert 'read: Values are requests counted over 5m each (by the name "request_count").' in out
    assert readings(load_plan(plan_path).workloads[0].traffic.profile) == [(0, 0.1), (300, 0.2)]


def test_a_question_about_the_unit_is_answered_by_an_option(plan_path, trace, capsys):
    path = trace("time,value\n0,85\n300,40\n")
    assert cli.main(["trace", plan_path, "web", path, "--as", "cpu"]) == 2
    assert "--unit" in capsys.readouterr().err
    words = ["--as", "cpu", "--unit", "percent", "--of", "2"]
    assert cli.main(["trace", plan_path, "web", path, *words]) == 0
    assert readings(load_plan(plan_path).workloads[0].use.cpu) == [(0, 1.7), (300, 0.8)]


def test_a_long_trace_in_a_short_run_is_pointed_out_and_can_be_fitted_or_skipped_into(plan_path, trace, capsys):
    path = trace("time_s,rps\n" + "".join(f"{3600 * hour},{hour}\n" for hour in range(24 * 14)))
    assert cli.main(["trace", plan_path, "web", path]) == 0
    assert "The run plays only 1h of the 13d23h of the trace." in capsys.readouterr().out
    assert cli.main(["trace", plan_path, "web", path, "--skip", "3d"]) == 0
    assert load_plan(plan_path).workloads[0].traffic.profile.skip == 3 * 86_400 * 1_000_000
    assert cli.main(["trace", plan_path, "web", path, "--fit"]) == 0
    assert load_plan(plan_path).workloads[0].traffic.profile.points[-1].at < 3600 * 1_000_000
    assert cli.main(["trace", plan_path, "web", path, "--fit", "--skip", "3d"]) == 2


def test_the_name_of_the_workload_is_checked_before_the_trace(plan_path, capsys):
    assert cli.main(["trace", plan_path, "wbe", "no-such-file.csv"]) != 0
    assert "There is no workload 'wbe'" in capsys.readouterr().err


def starts_at(path):
    return format_moment(load_plan(path).simulation.starts_at)


def test_a_recording_with_dates_dates_the_run(plan_path, trace, capsys):
    dated = trace("time,rps\n2026-03-01T12:00:00+01:00,5\n2026-03-01T13:00:00+01:00,7\n")
    assert cli.main(["trace", plan_path, "web", dated]) == 0
    assert starts_at(plan_path) == "2026-03-01T11:00:00Z"
    assert "the run starts at 2026-03-01T11:00:00Z" in capsys.readouterr().out
    assert cli.main(["trace", plan_path, "web", dated, "--skip", "30m"]) == 0
    assert starts_at(plan_path) == "2026-03-01T11:30:00Z"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("time,rps\n1700000000,5\n1700000060,6\n", "2023-11-14T22:13:20Z", id="since 1970"),
        pytest.param("time,rps\n0,5\n60,6\n", "2026-01-05T00:00:00Z", id="since its own beginning"),
        pytest.param("time,rps\n2026-10-25 02:30:00,5\n2026-10-25 02:00:00,6\n", "2026-10-25T00:30:00Z",
                     id="the hour that comes twice"),
    ],
)  # fmt: skip
def test_the_zone_of_dates_without_one_is_said(plan_path, trace, content, expected):
    assert cli.main(["trace", plan_path, "web", trace(content), "--time-zone", "Europe/Berlin"]) == 0
    assert starts_at(plan_path) == expected
    assert load_plan(plan_path).workloads[0].traffic.profile.points[1].at > 0


def test_a_second_trace_does_not_move_the_clock_of_the_first(tmp_path, trace):
    path = str(tmp_path / "two.headroom")
    save_plan(a_plan(workloads=(a_workload("web"), a_workload("api"))), path)
    for name, day in (("web", 1), ("api", 2), ("web", 3)):
        dated = trace(f"time,rps\n2026-03-0{day}T00:00:00Z,5\n2026-03-0{day}T01:00:00Z,7\n")
        assert cli.main(["trace", path, name, dated]) == 0
    assert starts_at(path) == "2026-03-01T00:00:00Z"
