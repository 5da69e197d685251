"""How much more load and how many more pods a plan bears."""

import json

import numpy as np
import pytest

from planner.cli import main
from planner.errors import PlanProblem
from planner.experiments.execution.breaks import first_break
from planner.experiments.kinds.stress.headroom_text import headroom_text, tried_text
from planner.experiments.kinds.stress.load_headroom import load_headroom, scaled_load
from planner.plan.files.io import load_plan, save_plan
from planner.plan.model.demand import Demand
from planner.plan.model.pods.containers import Resources
from planner.plan.model.traffic import ConstantLoad, Slo, StepLoad, TraceLoad, Traffic
from planner.record.result import RunResult
from planner.simulation import run as simulation_run
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload

TEN_MINUTES = 10 * US_PER_MIN


def plan_with(rate, **slo):
    """Two pods with a worker that serves one request after the other on a core of its own: 50 a second at most."""
    pod = a_pod("500m", "1Gi")
    container = pod.containers[0].model_copy(update={"limits": Resources.model_validate({"cpu": "1", "memory": "1Gi"})})
    load = Traffic(profile=ConstantLoad(type="constant", rate=rate))
    web = a_workload(
        pod=pod.model_copy(update={"containers": (container,)}),
        traffic=load,
        demand=Demand(cpu_seconds_per_request=0.02, cv=1.0, workers=1, discipline="queue"),
        slo=Slo(target="200ms", **slo),
    )
    return a_plan(workloads=(web,), node_groups=(a_node_group(initial_size=2, max_size=2),))


def test_the_factor_is_the_one_of_the_closed_formula():
    """p95 of M/M/1 with S = 20 ms is -ln 0.05 / (50 - lambda): 200 ms at 35.02 requests a second and pod."""
    found = load_headroom(plan_with(20.0), until_us=TEN_MINUTES)
    assert found.broken_at is not None
    assert found.factor <= 35.02 / 10 <= found.broken_at
    assert found.broken_at - found.factor <= 0.021 * found.broken_at
    assert found.missed == ("web",)


def test_a_plan_that_misses_its_slo_has_a_factor_below_one():
    found = load_headroom(plan_with(100.0), until_us=TEN_MINUTES)
    assert found.factor == pytest.approx(0.7, rel=0.03)


def test_the_search_gives_the_same_answer_twice_and_reports_its_progress():
    seen = []
    plan = plan_with(20.0)
    first = load_headroom(plan, until_us=TEN_MINUTES, on_progress=lambda *what: seen.append(what))
    assert first == load_headroom(plan, until_us=TEN_MINUTES)
    assert [run for run, _, done in seen if done == 1.0] == list(range(1, first.runs + 1))


def test_a_cancelled_search_keeps_what_it_knows():
    runs = []
    found = load_headroom(
        plan_with(20.0),
        until_us=TEN_MINUTES,
        on_progress=lambda run, factor, done: runs.append(run),
        cancelled=lambda: bool(runs) and runs[-1] >= 2,
    )
    assert found.stopped is not None
    assert found.factor == 1.0
    assert found.broken_at is None


def test_each_run_is_reported_and_kept():
    outcomes = []
    found = load_headroom(plan_with(20.0), until_us=TEN_MINUTES, on_tried=outcomes.append)
    assert tuple(outcomes) == found.tried and len(outcomes) == found.runs
    assert [one.factor for one in outcomes[:3]] == [1.0, 2.0, 4.0]
    assert all(one.kept is (one.factor <= found.factor) for one in outcomes)
    assert outcomes[0].room["room_for_pods[web]"] == 14.0
    assert outcomes[0].attainment == 1.0 and outcomes[2].attainment < 1.0
    assert tried_text(outcomes).splitlines()[1] == "  1 times the load: every SLO is met"


def test_the_moment_of_the_first_break_is_that_of_the_load():
    """The load rises after five minutes to what breaks the SLO; the next recorded row shows it."""
    step = StepLoad.model_validate({"type": "step", "from": 1, "to": 100, "at": "5m"})
    plan = plan_with(1.0)
    traffic = plan.workloads[0].traffic.model_copy(update={"profile": step})
    plan = plan.model_copy(update={"workloads": (plan.workloads[0].model_copy(update={"traffic": traffic}),)})
    found = first_break(plan, run_plan(plan, until_us=TEN_MINUTES))
    assert found is not None and found.workload == "web"
    assert 0 < found.at_us - 5 * US_PER_MIN <= plan.simulation.record_interval + 15 * US_PER_S


def test_no_break_without_a_missed_slo():
    plan = plan_with(20.0)
    assert first_break(plan, run_plan(plan, until_us=TEN_MINUTES)) is None


def test_without_slo_nothing_can_be_said():
    with pytest.raises(PlanProblem, match="SLO"):
        load_headroom(a_plan())


def test_scaled_load_changes_nothing_else():
    plan = plan_with(20.0)
    assert scaled_load(plan, 1.0) == plan
    result = run_plan(scaled_load(plan, 2.0), until_us=TEN_MINUTES)
    assert result.figures["requests_offered[web]"].value == pytest.approx(2 * 20.0 * 600, rel=0.01)


def test_room_counts_pods_at_the_worst_moment():
    """Two nodes of 4 cores and 16 GiB with two pods of half a core and 1 GiB: 7 cores and 30 GiB are left."""
    figures = run_plan(plan_with(20.0), until_us=TEN_MINUTES).figures
    assert figures["room_for_pods[web]"].value == 14.0


def test_the_command_prints_load_and_room(tmp_path, capsys):
    path = tmp_path / "p.headroom"
    save_plan(plan_with(20.0), str(path))
    assert main(["headroom", str(path), "--until", "10m", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["load"]["factor"] == pytest.approx(3.5, rel=0.03)
    assert report["room"]["room_for_pods[web]"] == 14.0
    assert report["load"]["first_missed"] == "web" and report["load"]["first_missed_at_s"] < 600
    assert report["load"]["runs"] == len(report["load"]["tried"]) and report["load"]["tried"]["1"] is True
    assert main(["headroom", str(path), "--until", "10m"]) == 0
    printed = capsys.readouterr().out
    assert "missed for web" in printed and "web: 14 more pods" in printed


def test_the_command_without_slo_says_what_to_do(tmp_path, capsys):
    path = tmp_path / "p.headroom"
    save_plan(a_plan(), str(path))
    assert main(["headroom", str(path)]) == 2
    assert "Give an SLO" in capsys.readouterr().err


def test_text_of_a_load_that_is_never_too_much():
    found = load_headroom(plan_with(0.001), until_us=TEN_MINUTES)
    assert found.broken_at is None
    assert "more was not tried" in headroom_text(found, {})


def test_a_trace_becomes_the_load_of_a_workload(tmp_path, capsys):
    path, trace = tmp_path / "p.headroom", tmp_path / "t.csv"
    save_plan(plan_with(20.0), str(path))
    trace.write_text("time,rps\n0,1\n60,2\n")
    assert main(["trace", str(path), "web", str(trace)]) == 0
    profile = load_plan(str(path)).workloads[0].traffic.profile
    assert isinstance(profile, TraceLoad) and (profile.source, len(profile.points)) == ("t.csv", 2)
    assert "atEnd" in capsys.readouterr().out, "the trace is shorter than the run"
    trace.write_text("time,rps\n0,1\n60,NaN\n")
    assert main(["trace", str(path), "web", str(trace)]) == 2
    assert "line 3" in capsys.readouterr().err
    assert main(["trace", str(path), "missing", str(trace)]) == 2


def test_every_edge_is_found_where_the_outcome_jumps_back_and_forth(monkeypatch):
    """Met up to 3 times the load, missed up to 5, met again up to 7: as an autoscaler may do it."""

    def run(plan, **_):
        factor = getattr(plan.workloads[0].traffic.profile, "factor", 1.0)
        missed = () if factor < 3.0 or 5.0 < factor < 7.0 else ("web",)
        return RunResult("", 1, 0, np.zeros(0, np.int64), {}, (), {}, slo_missed=missed)

    monkeypatch.setattr(simulation_run, "run_plan", run)
    found = load_headroom(plan_with(20.0))
    assert [edge.breaks for edge in found.edges] == [True, False, True]
    for edge, where in zip(found.edges, (3.0, 5.0, 7.0), strict=True):
        assert edge.below <= where <= edge.above <= 1.021 * edge.below
    assert found.factor < 3.0 <= found.broken_at
    assert "Met again from between 5 and 5.06" in headroom_text(found, {})
