"""Jobs that end when their pods have received so many core seconds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.checks.validate import check_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import Plan
from planner.simulation.simulation import Simulation
from planner.state.pods import EndReason
from planner.units import US_PER_S
from planner.workloads.controllers.jobs.job_work import MILLI_US_PER_CORE_S, JobWork, ends_at_us
from planner.workloads.cpu.usage import Received
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, run_of

START_S = 10


def a_job(
    name: str, work: float, pods: int = 1, limit: str | None = None, cpu: str = "1", **job: Any
) -> dict[str, Any]:
    main: dict[str, Any] = {"name": "main", "requests": {"cpu": cpu, "memory": "1Gi"}}
    if limit:
        main["limits"] = {"cpu": limit}
    return a_workload(
        name, pods, kind="Job", pod={"containers": [main]}, job={"completions": pods, "work": work, **job}
    )  # fmt: skip


def on_one_node(*workloads: dict[str, Any], cpu: str = "4", **parts: Any) -> Plan:
    plan = a_plan(nodeGroups=[a_group("pool", 1, cpu=cpu)], workloads=list(workloads), **parts)
    assert list(check_plan(plan)) == []
    return plan


def ends_s(sim: Simulation) -> list[float]:
    """When pods of Jobs succeeded, in seconds after their start."""
    pods = sim.cluster.pods
    done = np.flatnonzero(pods.end_reason == EndReason.COMPLETED)
    return [int(pods.ended_us[pod] - pods.running_us[pod]) / US_PER_S for pod in done]


@pytest.mark.parametrize(
    ("job", "took"),
    [
        pytest.param(a_job("sum", 601.0, limit="2"), 300.5, id="a limit caps it"),
        pytest.param(a_job("sum", 601.0), 150.25, id="without a limit it takes the whole node"),
        pytest.param(a_job("sum", 601.0, workCores="500m"), 1202.0, id="no more cores than its work can use"),
        pytest.param(a_job("sum", 601.0, workCores="3", limit="1"), 601.0, id="the smaller of both counts"),
        pytest.param(a_job("sum", 0.000001, limit="1"), 0.000001, id="hardly any work"),
    ],
)
def test_a_pod_ends_at_the_moment_its_work_is_done(job: dict[str, Any], took: float) -> None:
    assert ends_s(run_of(on_one_node(job))) == [pytest.approx(took, abs=2e-6)]


def test_pods_of_a_job_share_a_node_and_the_last_one_speeds_up() -> None:
    """Requests of 1 and 3 cores: 1 and 3 cores until the larger one ends after 100 s, then 4 cores."""
    small, large = a_job("small", 300.0, cpu="1"), a_job("large", 300.0, cpu="3")
    assert sorted(ends_s(run_of(on_one_node(small, large)))) == [pytest.approx(100.0), pytest.approx(150.0)]


def test_use_of_others_slows_the_work_from_the_moment_it_begins() -> None:
    """An agent without limit takes its half of two cores from 60 s on, in the middle between two load ticks."""
    step = {"type": "step", "from": 0.0, "to": 8.0, "at": "60s"}
    agent = a_workload("agent", 1, use={"cpu": step})
    sim = run_of(on_one_node(a_job("sum", 200.0), agent, cpu="2"))
    alone_s = 60.0 - START_S
    assert ends_s(sim) == [pytest.approx(alone_s + (200.0 - 2.0 * alone_s) / 1.0, abs=1e-5)]


def test_constant_use_of_the_job_itself_is_not_its_work() -> None:
    job = a_job("sum", 100.0, limit="2") | {"cpuUse": "500m"}
    assert ends_s(run_of(on_one_node(job))) == [pytest.approx(100.0 / 1.5, abs=1e-5)]


def test_a_machine_that_stops_loses_the_work() -> None:
    stop = {"type": "nodeLoss", "nodeGroup": "pool", "at": "60s", "duration": "20s"}
    for job, again_s in ((a_job("sum", 200.0, limit="2"), 80), (a_workload("sum", 1, kind="Job"), 80 + START_S)):
        job["job"] = job.get("job", {"runTime": "100s"})
        (took_s,) = ends_s(run_of(on_one_node(job, events=[stop]), 400))
        assert START_S + took_s == pytest.approx(again_s + 100.0), "all of it again after the machine came back at 80 s"


def test_services_keep_their_share_next_to_a_greedy_job() -> None:
    """The Job takes what is left, not what the service may ask for: its latency hardly moves."""
    web = a_workload(
        "web", 1, traffic={"profile": {"type": "constant", "rate": 20.0}}, demand={"cpuSecondsPerRequest": 0.02}
    )

    def p99_s(*jobs: dict[str, Any]) -> float:
        sim = run_of(on_one_node(web, *jobs), 120)
        return sim.load_record.totals.of[0].worst_p99_s

    alone = p99_s()
    beside = p99_s(a_job("sum", 1e6, cpu="100m"))
    assert alone <= beside < 1.5 * alone


def test_without_contention_the_work_takes_no_more_than_a_node_has() -> None:
    plan = on_one_node(a_job("sum", 400.0), simulation={"duration": "30m", "cpuContention": False})
    assert ends_s(run_of(plan)) == [pytest.approx(100.0)]


def test_both_forms_at_once_are_pointed_out() -> None:
    plan = on_one_node(a_job("sum", 400.0, runTime="3m"))
    assert "workloads[0].job.runTime" in [hint.where for hint in find_hints(plan)]


RATES = st.lists(st.tuples(st.integers(0, 64_000), st.integers(0, 10_000_000)), min_size=1, max_size=20)


@given(RATES, st.floats(0.001, 1e5))
def test_the_end_is_where_the_received_cpu_reaches_the_work(rates: list[tuple[int, int]], core_seconds: float) -> None:
    work, now_us, received = JobWork(), 0, 0
    whole = round(core_seconds * MILLI_US_PER_CORE_S)
    work.begin(0, core_seconds, 0)
    due_us = None
    for milli, lasts_us in rates:
        for _, told_us in work.follow(Received(np.array([0]), np.array([milli])), now_us):
            due_us = told_us
        if due_us is not None and due_us <= now_us + lasts_us:
            assert due_us == ends_at_us(now_us, whole - received, milli)
            assert (due_us - 1 - now_us) * milli < max(1, whole - received) <= max(1, (due_us - now_us) * milli)
            return
        received += milli * lasts_us
        now_us += lasts_us
    assert received < whole
