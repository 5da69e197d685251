"""What the scenarios of memory under load and of Jobs measured in core seconds must show."""

from pathlib import Path

import numpy as np

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan
from planner.record.decisions import Verdict
from planner.record.result import RunResult
from planner.simulation.run import run_plan
from planner.units import MIB

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def value(result: RunResult, name: str) -> float:
    return result.figures[name].value


def test_a_queue_without_bound_kills_pods_and_a_timeout_keeps_them_alive() -> None:
    plan = load_plan(SCENARIOS / "queue-eats-memory/plan.headroom")
    endless = run_plan(plan)
    bounded = run_plan(replace_at(plan, ("workloads", 1, "demand", "timeout"), "3s"))
    assert value(endless, "oom_kills") > 20 and value(endless, "container_restarts") > 20
    assert value(bounded, "oom_kills") == 0
    assert value(bounded, "requests_lost") < 0.8 * value(endless, "requests_lost")
    assert value(bounded, "slo_attainment[shop]") > value(endless, "slo_attainment[shop]")


def test_memory_in_use_rises_with_the_queue_and_falls_with_it() -> None:
    result = run_plan(load_plan(SCENARIOS / "queue-eats-memory/plan.headroom"))
    used, queue = result.series["memory_used_bytes[shop]"], result.series["in_flight_count[shop]"]
    ready = result.series["replicas_ready_count[shop]"]
    first_kill = next(one.time_us for one in result.decisions if one.verdict is Verdict.OOM_KILLED)
    calm, before = result.time_us < 14 * 60_000_000, result.time_us < first_kill
    per_pod = used / np.maximum(ready, 1.0)
    assert per_pod[calm].max() < 600 * MIB
    grown = before & (queue > 1000)
    assert grown.any()
    assert np.allclose(per_pod[grown], np.minimum(1024, 400 + 150 + queue[grown] / ready[grown] / 2) * MIB, rtol=0.1)
    assert per_pod[-1] < 600 * MIB


def test_greedy_work_costs_the_site_some_latency_but_not_its_slo() -> None:
    plan = load_plan(SCENARIOS / "night-work/plan.headroom")
    fluid = plan.simulation.model_copy(update={"discrete_requests": False})
    plan = plan.model_copy(update={"simulation": fluid})
    both, alone = run_plan(plan), run_plan(plan.model_copy(update={"workloads": plan.workloads[:1]}))
    assert value(both, "cpu_used_peak") > 31.5 > 1.3 * value(alone, "cpu_used_peak")
    assert value(both, "latency_p95_worst[site]") < 2.1 * value(alone, "latency_p95_worst[site]")
    assert value(both, "slo_attainment[site]") == 1.0


def test_the_work_of_a_job_is_what_its_pods_have_received() -> None:
    result = run_plan(load_plan(SCENARIOS / "night-work/plan.headroom"))
    used = result.series["cpu_used_cores[transcode]"]
    received = float(used.sum()) * float(result.time_us[1] - result.time_us[0]) / 1e6
    assert abs(received - 16 * 14_400.0) < 0.02 * 16 * 14_400.0, "but for what happens between two rows of the series"
    assert 9_000 < value(result, "job_time[transcode]") < 14_400


def test_work_held_to_its_requests_does_not_end_in_time() -> None:
    plan = load_plan(SCENARIOS / "night-work/plan.headroom")
    held = run_plan(replace_at(plan, ("workloads", 1, "job", "work_cores"), "500m"))
    assert "job_time[transcode]" not in held.figures
