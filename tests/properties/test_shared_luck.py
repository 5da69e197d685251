"""Two plans share the luck of all they share: what one of them has besides changes no draw of the rest."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import ScaleUp
from planner.record.details.scheduling import Placement
from planner.record.details.work import PlanEventEffect
from planner.record.result import Row, RunResult
from planner.simulation.run import run_plan


def a_group(name: str, **settings: Any) -> dict[str, Any]:
    sizes = {"initialSize": 2, "minSize": 1, "maxSize": 9}
    delays = {"provisioningDelay": "100s", "provisioningSpread": "40s"}
    return {"name": name, "cpu": "4", "memory": "16Gi", "pricePerHour": 1, "zone": "a"} | sizes | delays | settings


def a_workload(name: str, cpu: str = "500m", **settings: Any) -> dict[str, Any]:
    pod = {"containers": [{"requests": {"cpu": cpu, "memory": "512Mi"}, "limits": {"memory": "1Gi"}}]}
    return {"name": name, "replicas": 4, "pod": pod} | settings


def a_service(name: str, rate: float, **settings: Any) -> dict[str, Any]:
    profile = {"type": "sine", "mean": rate, "amplitude": 0.6 * rate, "period": "40m"}
    traffic = {"profile": profile, "noise": {"cv": 0.4, "correlationTime": "30s"}}
    memory = {"start": "400Mi", "spread": 0.3, "growthPerHour": "300Mi"}
    return a_workload(name, traffic=traffic, memoryUse=memory, **settings)


def an_autoscaler(target: str) -> dict[str, Any]:
    return {"name": target, "scaleTarget": target, "minReplicas": 2, "maxReplicas": 40}


def base(sampling: str) -> dict[str, Any]:
    """Two alike pools and spot nodes; equal nodes and options, noise of every kind, and random events."""
    store = {"kind": "StatefulSet", "memoryUse": {"start": "300Mi", "spread": 0.4}}
    job = {"completions": 30, "runTime": "3m", "failureRatio": 0.2, "backoffLimit": 100}
    return {
        "nodeGroups": [
            a_group("left"),
            a_group("right"),
            a_group("spot", pricing={"market": "spot", "reclaimsPerHour": 3}),
        ],
        "workloads": [
            a_service("web", 250.0),
            a_service("api", 150.0),
            a_workload("store", **store),
            a_workload("agent", "100m", kind="DaemonSet", memoryUse={"start": "300Mi", "spread": 0.4}),
            a_workload("batch", "1", kind="Job", job=job),
        ],
        "horizontalPodAutoscalers": [an_autoscaler("web"), an_autoscaler("api")],
        "clusterAutoscaler": {"expander": ["random"], "scaleDownUnneededTime": "3m", "scaleDownDelayAfterAdd": "3m"},
        "metricsPipeline": {"sampling": sampling, "phase": "15s"},
        "hpaController": {"phase": "15s", "evaluationTime": "0s"},
        "events": [
            {"type": "nodeLoss", "nodeGroup": "left", "perHour": 2, "duration": "4m"},
            {"type": "readinessFlap", "workload": "web", "perHour": 6, "count": 2, "duration": "1m"},
            {"type": "provisioningFailure", "nodeGroup": "right", "kind": "neverRegisters", "ratio": 0.3, "at": "5m"},
        ],
        "simulation": {"duration": "90m", "seed": 5},
    }


TAINT = {"key": "dedicated", "value": "other", "effect": "NoSchedule"}
OTHER_GROUP = a_group("other", taints=[TAINT], labels={"dedicated": "other"}, cpu="8")


def an_empty_pool(plan: dict[str, Any]) -> None:
    plan["nodeGroups"].insert(0, OTHER_GROUP | {"initialSize": 0, "minSize": 0})


def a_pool_with_nodes(plan: dict[str, Any]) -> None:
    plan["nodeGroups"].insert(0, OTHER_GROUP | {"initialSize": 2, "minSize": 2})


def a_pool_that_loses_nodes(plan: dict[str, Any]) -> None:
    spot = {"market": "spot", "reclaimsPerHour": 5}
    plan["nodeGroups"].insert(0, OTHER_GROUP | {"initialSize": 3, "minSize": 3, "pricing": spot})
    plan["events"].insert(0, {"type": "nodeLoss", "nodeGroup": "other", "perHour": 4, "duration": "3m"})


def a_workload_on_its_own_pool(plan: dict[str, Any]) -> None:
    a_pool_with_nodes(plan)
    other = a_service("other", 200.0)
    other["pod"] |= {
        "nodeSelector": {"dedicated": "other"},
        "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    }
    plan["workloads"].insert(0, other)
    plan["horizontalPodAutoscalers"].insert(0, an_autoscaler("other"))


def maxima_that_are_not_reached(plan: dict[str, Any]) -> None:
    for group in plan["nodeGroups"]:
        group["maxSize"] += 5
    for autoscaler in plan["horizontalPodAutoscalers"]:
        autoscaler["maxReplicas"] += 10


Change = Callable[[dict[str, Any]], None]


@cache
def result_of(change: Change | None, sampling: str = "perContainer", duration: str = "90m") -> RunResult:
    written = base(sampling)
    written["simulation"]["duration"] = duration
    if change is not None:
        change(written)
    plan = Plan.model_validate(written)
    assert list(check_plan(plan)) == []
    return run_plan(plan)


def digest_of(result: RunResult, belongs: Callable[[str], bool]) -> str:
    """Digest of the series and decisions that are about what `belongs`."""
    series = {name: values for name, values in result.series.items() if belongs(name)}
    decisions = tuple(_without_others(one, belongs) for one in result.decisions if belongs(one.subject))
    return replace(result, series=series, decisions=decisions).digest()


def _without_others(decision: Decision, belongs: Callable[[str], bool]) -> Decision:
    """Without pools that are named only because they were no option."""
    if not isinstance(decision.details, ScaleUp):
        return decision
    rejected = tuple(one for one in decision.details.rejected if belongs(one.group))
    return decision._replace(details=decision.details._replace(rejected=rejected))


def is_shared(name: str) -> bool:
    return "other" not in name


def test_the_plan_has_luck_of_every_kind() -> None:
    """Ties, options of the expander, failures, events and reclaims; noise shows in the series."""
    result = result_of(None)
    count = Counter((one.actor, one.verdict) for one in result.decisions)
    happened = Counter(one.details.what for one in result.decisions if isinstance(one.details, PlanEventEffect))
    assert sum(isinstance(one.details, Placement) and one.details.tied > 1 for one in result.decisions) > 20
    assert count[Actor.SCALE_UP, Verdict.TRIGGERED] > 3
    assert happened["spotReclaim"] > 3 and happened["nodeLoss"] > 1 and happened["readinessFlap"] > 4
    assert sum(row["reason"] == "Failed" for row in result.pods) > 2
    assert len({row["ready_s"] - row["requested_s"] for row in result.nodes if row["ready_s"]}) > 5


@pytest.mark.parametrize("change", [an_empty_pool, maxima_that_are_not_reached])
def test_room_that_is_not_used_changes_nothing(change: Change) -> None:
    one, other = result_of(None), result_of(change)
    assert digest_of(other, is_shared) == digest_of(one, is_shared) == one.digest()
    assert {name: other.figures[name] for name in one.figures} == one.figures
    assert list(other.pods) == list(one.pods)


@pytest.mark.parametrize(
    ("change", "sampling", "duration"),
    [
        (a_pool_with_nodes, "perContainer", "34m"),
        (a_pool_that_loses_nodes, "perContainer", "31m"),
        (a_workload_on_its_own_pool, "sampled", "11m"),
    ],
)
def test_what_both_plans_have_lives_the_same_life(change: Change, sampling: str, duration: str) -> None:
    """Of the whole cluster's figures, of refusals, which count all nodes, and of runners-up nothing is asked.

    Until a node or pod beside them wakes pods that wait for the same node: then their turns change places. And until a
    drained pod has several nodes to go to: the autoscaler takes the one after that it used last.
    """
    one, other = result_of(None, sampling, duration), result_of(change, sampling, duration)
    assert _shared_rows(other.nodes, "node_group") == _shared_rows(one.nodes, "node_group")
    assert _shared_rows(other.pods, "workload") == _shared_rows(one.pods, "workload")
    assert digest_of(_own(other), is_shared) == digest_of(_own(one), is_shared)


def _shared_rows(table: Iterable[Row], column: str) -> list[Row]:
    return [dict(row) for row in table if is_shared(row[column])]


def _own(result: RunResult) -> RunResult:
    """Series of single things, and decisions without what they say of the rest of the cluster.

    A node more wakes the pods that wait, so their turns within an instant may come in another order.
    """
    series = {name: values for name, values in result.series.items() if "[" in name}
    decisions = [
        one._replace(details=one.details._replace(others=())) if isinstance(one.details, Placement) else one
        for one in result.decisions
        if one.verdict is not Verdict.UNSCHEDULABLE
    ]
    decisions.sort(key=lambda one: (one.time_us, one.subject, one.actor, one.verdict))
    return replace(result, series=series, decisions=tuple(decisions))
