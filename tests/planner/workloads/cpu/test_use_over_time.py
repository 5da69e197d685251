"""CPU that pods use by a profile, whatever their load: in nodes, in the metrics of autoscalers, in the report."""

from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ConstantLoad
from planner.record.details.replicas import Evaluation
from planner.record.result import RunResult
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from planner.workloads.cpu.usage import UseLevels
from planner.workloads.served_workload import OtherUse
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload

STEP = {"type": "step", "from": 0.3, "to": 1.5, "at": "300s"}


def agents(pods: int = 2, limit: str | None = None, **parts: Any) -> dict[str, Any]:
    main: dict[str, Any] = {"name": "main", "requests": {"cpu": "1", "memory": "1Gi"}}
    if limit:
        main["limits"] = {"cpu": limit}
    return a_workload("agent", pods, pod={"containers": [main]}, **{"use": {"cpu": STEP}, **parts})


def result_of(*workloads: dict[str, Any], cpu: str = "4", until_s: int = 600, **parts: Any) -> RunResult:
    plan: Plan = a_plan(nodeGroups=[a_group("pool", 1, cpu=cpu)], workloads=list(workloads), **parts)
    assert list(check_plan(plan)) == []
    return run_plan(plan, until_us=until_s * US_PER_S)


def at(result: RunResult, column: str, second: int) -> float:
    return float(result.series[column][result.time_us == second * US_PER_S][0])


def test_use_follows_the_profile_in_all_reports() -> None:
    result = result_of(agents(cpuUse="200m"))
    for column in ("cpu_used_cores", "cpu_used_cores[agent]", "group_cpu_used_cores[pool]"):
        assert at(result, column, 285) == pytest.approx(2 * 0.5)
        assert at(result, column, 315) == pytest.approx(2 * 1.7)
    assert result.figures["cpu_used_peak"].value == pytest.approx(3.4)


def test_a_limit_and_a_full_node_cut_it_off() -> None:
    assert at(result_of(agents(limit="1")), "cpu_used_cores[agent]", 315) == pytest.approx(2.0)
    assert at(result_of(agents(), cpu="2"), "cpu_used_cores[agent]", 315) == pytest.approx(2.0)


def test_it_takes_cpu_from_pods_that_serve_requests_on_the_same_node() -> None:
    web = a_workload(
        "web", 1, pod={"containers": [{"name": "main", "requests": {"cpu": "200m"}}]},
        traffic={"profile": {"type": "constant", "rate": 20.0}}, demand={"cpuSecondsPerRequest": 0.04},
    )  # fmt: skip
    greedy = {"type": "step", "from": 0.3, "to": 9.0, "at": "300s"}
    result = result_of(web, agents(1, use={"cpu": greedy}), cpu="2")
    assert at(result, "latency_p95_ms[web]", 285) < 300
    assert at(result, "latency_p95_ms[web]", 600) > 1000, "200 of 1200 shares of two cores are too few for 0.8 cores"


def test_autoscalers_follow_it() -> None:
    hpa = {
        "name": "agent", "scaleTarget": "agent", "minReplicas": 2, "maxReplicas": 9,
        "metrics": [{"averageUtilization": 75}],
    }  # fmt: skip
    result = result_of(agents(), cpu="16", horizontalPodAutoscalers=[hpa])
    assert at(result, "replicas_desired_count[agent]", 285) == 2
    assert at(result, "replicas_desired_count[agent]", 600) == 9


def test_a_container_has_its_share_of_it() -> None:
    containers = [
        {"name": "main", "requests": {"cpu": "500m"}},
        {"name": "side", "requests": {"cpu": "500m"}, "cpuShare": 50},
    ]
    agent = a_workload("agent", 2, pod={"containers": containers}, use={"cpu": STEP})
    hpa = {
        "name": "agent", "scaleTarget": "agent", "minReplicas": 2, "maxReplicas": 2,
        "metrics": [{"type": "ContainerResource", "container": "side", "averageUtilization": 75}],
    }  # fmt: skip
    result = result_of(agent, horizontalPodAutoscalers=[hpa])
    shown = [
        each.details.calculation.utilization_pct
        for each in result.decisions
        if isinstance(each.details, Evaluation) and each.details.calculation is not None
    ]
    assert (shown[0], shown[-1]) == (30, 150)


def test_profiles_are_in_cores() -> None:
    profile = ConstantLoad(type="constant", rate=0.25)
    assert UseLevels([OtherUse(1, profile)], 3).profile_milli(0).tolist() == [0, 250, 0]
    assert UseLevels([OtherUse(1)], 3).profile_milli(0).tolist() == [0, 0, 0]
