"""Invalid load and use, and load that no pod serves: each is reported with its place and a remedy."""

import json
from typing import Any

import pytest

from planner.errors import PlanProblem, PlanProblems
from planner.plan.checks.validate import check_plan
from planner.plan.files.io import plan_from_text
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.units import format_bytes

GROUP = {"name": "pool", "initialSize": 2, "maxSize": 4, "cpu": "4", "memory": "16Gi"}
CALM = {"type": "constant", "rate": 10.0}


def a_web(**parts: Any) -> dict[str, Any]:
    main: dict[str, Any] = {"name": "main", "requests": {"cpu": "500m", "memory": "1Gi"}}
    limits = parts.pop("limits", None)
    if limits is not None:
        main["limits"] = limits
    pod = {"containers": [main]}
    return {"name": "web", "replicas": 2, "pod": pod, "traffic": {"profile": CALM}, **parts}


def text_of(*workloads: dict[str, Any], **parts: Any) -> str:
    return json.dumps({"schemaVersion": SCHEMA_VERSION, "nodeGroups": [GROUP], "workloads": list(workloads), **parts})


def refused(text: str) -> list[PlanProblem]:
    try:
        plan = plan_from_text(text, "p")
    except PlanProblems as found:
        return list(found.problems)
    return list(check_plan(plan))


def hinted(*workloads: dict[str, Any], **parts: Any) -> dict[str, str]:
    plan = Plan.model_validate(json.loads(text_of(*workloads, **parts)))
    assert list(check_plan(plan)) == []
    hints = list(find_hints(plan))
    assert all(hint.text and hint.remedy for hint in hints)
    return {hint.where: hint.text for hint in hints}


def traffic(**profile: Any) -> dict[str, Any]:
    return a_web(traffic={"profile": profile})


def points(*times: str, kind: str = "points") -> dict[str, Any]:
    return traffic(type=kind, points=[{"at": at, "rate": 1.0} for at in times])


AT = "workloads[0].traffic.profile"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        pytest.param(text_of(points("0s", "20s", "10s")), f"{AT}.points[2].at", id="points out of order"),
        pytest.param(text_of(points("0s", "0s")), f"{AT}.points[1].at", id="a time twice"),
        pytest.param(text_of(points("0s", "0s", kind="trace")), f"{AT}.points[1].at", id="a time twice in a trace"),
        pytest.param(text_of(points()), f"{AT}.points", id="no points"),
        pytest.param(text_of(points(kind="trace")), f"{AT}.points", id="an empty trace"),
        pytest.param(text_of(traffic(type="constant", rate=-1.0)), f"{AT}.rate", id="a negative rate"),
        pytest.param(text_of(traffic(type="constant", rate=1e12)), AT, id="more than a load"),
        pytest.param(text_of(traffic(type="sum", profiles=[])), f"{AT}.profiles", id="a sum of nothing"),
        pytest.param(text_of(a_web(calls=[{"workload": "web"}])), "workloads[0].calls", id="a call to itself"),
        pytest.param(
            text_of(a_web(calls=[{"workload": "db"}]), a_web(calls=[{"workload": "web"}]) | {"name": "db"}),
            "workloads[0].calls",
            id="a circle of calls",
        ),
        pytest.param(text_of(a_web(), nodeGroups=[GROUP | {"cpu": "0"}]), "nodeGroups[0].cpu", id="nodes without CPU"),
        pytest.param(
            text_of(a_web(demand={"workers": 0})), "workloads[0].demand.workers", id="no workers",
        ),
        pytest.param(
            text_of(a_web(demand={"parallelism": 5})), "workloads[0].demand.parallelism", id="more than a node has",
        ),
        pytest.param(
            text_of(a_web(demand={"classes": [{"share": 0.9}, {"share": 0.2, "cost": 5}]})),
            "workloads[0].demand.classes[1].share", id="shares above 1",
        ),
        pytest.param(
            text_of(a_web(demand={"classes": [{"share": 0.9}, {"share": 0.05}]})),
            "workloads[0].demand.classes[1].share", id="shares below 1",
        ),
        pytest.param(
            text_of(a_web(demand={"latencyFloor": "3s", "timeout": "2s"})), "workloads[0].demand.latencyFloor",
            id="a floor above the timeout",
        ),
        pytest.param(
            text_of(a_web(use={"memory": CALM}, memoryUse={"start": "1Gi"})), "workloads[0].memoryUse.start",
            id="memory described twice",
        ),
    ],
)  # fmt: skip
def test_it_is_refused_with_place_and_remedy(text: str, where: str) -> None:
    problems = {problem.where: problem for problem in refused(text)}
    assert where in problems
    assert problems[where].problem and problems[where].remedy


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_refused(number: str) -> None:
    text = text_of(traffic(type="constant", rate=123456.0)).replace("123456.0", number)
    (problem,) = refused(text)
    assert number in problem.problem and problem.remedy


def a_trace(**parts: Any) -> dict[str, Any]:
    times = [*range(0, 100, 10), *range(1000, 1100, 10)]
    readings = [{"at": f"{at}s", "rate": 1.0} for at in times]
    return {"type": "trace", "points": readings, **parts}


@pytest.mark.parametrize(
    ("workloads", "where", "text"),
    [
        pytest.param([a_web(traffic={"profile": a_trace()})], f"{AT}.points", "1m30s to 16m40s", id="a gap"),
        pytest.param([a_web(use={"cpu": a_trace()})], "workloads[0].use.cpu.points", "no values", id="a gap in a use"),
        pytest.param([a_web(traffic={"profile": a_trace()})], AT, "ends at 18m10s", id="a trace that ends"),
        pytest.param([a_web(replicas=0)], "workloads[0].replicas", "every request is lost", id="no pods"),
        pytest.param(
            [a_web(replicas=0, kind="StatefulSet")], "workloads[0].replicas", "every request is lost",
            id="no pods of a StatefulSet",
        ),
        pytest.param([a_web(kind="Job")], "workloads[0].kind", "pods of a Job end", id="pods that end"),
        pytest.param(
            [a_web(limits={"cpu": "500m"}, demand={"idleCpu": "500m"})], "workloads[0].demand.idleCpu",
            "no request is ever served", id="no CPU is left for requests",
        ),
        pytest.param(
            [a_web(limits={"cpu": "500m"}, demand={"cpuSecondsPerRequest": 1.0})], AT, "can serve only 1",
            id="too few pods for any moment",
        ),
        pytest.param([a_web(limits={"cpu": "0"}) | {"pod": {"containers": [{"limits": {"cpu": "0"}}]}}],
                     "workloads[0].pod.containers[0].limits.cpu", "limits nothing", id="a limit of nothing"),
        pytest.param([a_web() | {"pod": {"containers": [{"requests": {"cpu": "1"}, "limits": {"memory": "0"}}]}}],
                     "workloads[0].pod.containers[0].limits.memory", "limits nothing", id="no limit of memory"),
        pytest.param([a_web(use={})], "workloads[0].use", "neither", id="a use of nothing"),
        pytest.param(
            [a_web(limits={"cpu": "1"}, use={"cpu": {"type": "step", "from": 0.1, "to": 2.0, "at": "60s"}})],
            "workloads[0].use.cpu", "gets no more", id="more CPU than the limit",
        ),
        pytest.param(
            [a_web(limits={"memory": "1Gi"}, use={"memory": {"type": "constant", "rate": 2e9}})],
            "workloads[0].use.memory", format_bytes(1 << 30), id="more memory than the limit",
        ),
        pytest.param(
            [a_web(limits={"memory": "1Gi"}, memoryUse={"start": "2Gi"})], "workloads[0].memoryUse.start",
            "again and again", id="a start above the limit",
        ),
        pytest.param(
            [a_web(memoryUse={"perInFlightRequest": "1Mi"}) | {"traffic": None}],
            "workloads[0].memoryUse.perInFlightRequest", "no requests", id="memory of requests that never come",
        ),
        pytest.param([a_web(job={"work": 5.0})], "workloads[0].job.work", "Job", id="work of no Job"),
        pytest.param(
            [a_web(kind="Job", job={"workCores": "2"}) | {"traffic": None}], "workloads[0].job.workCores", "run time",
            id="cores without work",
        ),
    ],
)  # fmt: skip
def test_it_is_pointed_out_with_a_way_out(workloads: list[dict[str, Any]], where: str, text: str) -> None:
    hints = hinted(*workloads)
    assert where in hints
    assert text in hints[where]


def test_a_load_before_its_workload_exists_is_pointed_out() -> None:
    event = {"type": "createWorkload", "workload": "web", "at": "10m"}
    assert "created at 10m" in hinted(a_web(), events=[event])["workloads[0].traffic"]


def test_a_gap_in_a_metric_series_is_pointed_out() -> None:
    series = {"name": "queue", "source": {"type": "profile", "profile": a_trace()}}
    assert "metricSeries[0].source.profile.points" in hinted(a_web(), metricSeries=[series])


def test_scaled_workloads_may_start_with_nothing_and_grow() -> None:
    events = [{"type": "setReplicas", "workload": "web", "replicas": 3, "at": "1m"}]
    assert "workloads[0].replicas" not in hinted(a_web(replicas=0), events=events)
