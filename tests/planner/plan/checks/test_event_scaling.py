"""Wrong values of ScaledObjects, ScaledJobs, Karpenter's pools and holidays are said at the place of the value."""

import json

import pytest

from planner.errors import PlanProblem, PlanProblems
from planner.plan.checks.validate import check_plan
from planner.plan.edits.edit import replace_at
from planner.plan.files.io import plan_from_text, plan_to_text
from planner.plan.files.places import where_of
from planner.plan.hints.autoscalers.scaled_object import event_scaling_hints
from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import WorkloadKind
from tests.builders import a_node_group, a_plan, a_pod, a_workload

_QUEUE = {"type": "series", "series": "orders", "target": "5"}
_CPU = {"type": "cpu", "averageUtilization": 60}


def plan_with(cpu="250m", **parts):
    """A plan with a Deployment web, a Job batch and these parts of its file."""
    job = a_workload("batch", kind=WorkloadKind.JOB)
    plan = a_plan(node_groups=(a_node_group(),), workloads=(a_workload(pod=a_pod(cpu)), job))
    return plan_from_text(json.dumps(json.loads(plan_to_text(plan)) | parts), "plan")


def places(**parts):
    return [problem.where for problem in check_plan(plan_with(**parts))]


def a_scaled_object(*triggers):
    return {"scaledObjects": [{"name": "web", "scaleTarget": "web", "triggers": triggers}]}


def a_pool(**pool):
    return {"karpenter": {"nodePools": [{"name": "bought"} | pool]}}


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        (a_scaled_object(_CPU | {"container": "wep"}), "scaledObjects[0].triggers[0].container"),
        (a_scaled_object(_CPU) | {"cpu": None}, "workloads[0].pod.containers[0].requests.cpu"),
        (a_scaled_object(_CPU | {"name": "a"}, _CPU | {"name": "a"}), "scaledObjects[0].triggers[1].name"),
        (
            a_pool(disruption={"budgets": [{"nodes": 0, "schedule": "0 0 31 2 *", "duration": "1h"}]}),
            "karpenter.nodePools[0].disruption.budgets[0].schedule",
        ),
    ],
)
def test_what_would_never_work_keeps_the_plan_from_running(parts, where):
    assert where in places(**parts)


def test_a_trigger_on_an_amount_needs_no_request():
    assert places(cpu=None, **a_scaled_object({"type": "cpu", "averageValue": "200m"})) == []


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        (a_pool(requirements=[{"key": "cpu", "operator": word, "values": ["many"]}]), "requirements[0].values")
        for word in ("Gt", "Lt", "Gte", "Lte")
    ]
    + [
        (a_pool(requirements=[{"key": "cpu", "operator": "Gt", "values": ["²"]}]), "requirements[0].values"),
        (a_pool(requirements=[{"key": "cpu", "operator": "In"}]), "requirements[0].values"),
        (a_pool(requirements=[{"key": "cpu", "operator": "Exists", "values": ["1"]}]), "requirements[0].values"),
        (a_pool(disruption={"budgets": [{"schedule": "61 * * * *", "duration": "1h"}]}), "budgets[0].schedule"),
        (a_pool(disruption={"budgets": [{"schedule": "@daily"}]}), "budgets[0].duration"),
        (a_pool(disruption={"budgets": [{"duration": "1h"}]}), "budgets[0].schedule"),
    ],
)
def test_a_wrong_value_of_a_pool_is_said_at_the_value(parts, where):
    with pytest.raises(PlanProblems) as caught:
        plan_with(**parts)
    assert [problem.where.endswith(where) for problem in caught.value.problems] == [True]
    assert all(problem.remedy for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("budget", "is_said"),
    [
        ({}, True),
        ({"schedule": "* * * * *", "duration": "1m"}, True),
        ({"schedule": "0 */8 * * *", "duration": "8h"}, True),
        ({"schedule": "@daily", "duration": "24h"}, True),
        ({"schedule": "0 9 * * 1-5", "duration": "24h"}, False),
        ({"schedule": "0 9 * * 1-5", "duration": "72h"}, True),
        ({"schedule": "0 */8 * * *", "duration": "7h59m"}, False),
    ],
)
def test_a_budget_of_0_that_begins_again_before_it_ends_never_ends(budget, is_said):
    plan = plan_with(**a_pool(disruption={"budgets": [{"nodes": 0} | budget]}))
    assert any("never ends" in hint.text for hint in karpenter_hints(plan)) is is_said


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"minReplicas": 5, "maxReplicas": 2}, "minReplicas"),
        ({"queueLengthDeduction": 3}, "queueLengthDeduction"),
        ({"runningJobPercentage": 50}, "runningJobPercentage"),
        ({"runningJobPercentage": 50, "strategy": "custom"}, None),
    ],
)
def test_a_setting_of_a_scaled_job_that_does_nothing_is_said(settings, field):
    job = {"name": "jobs", "jobTarget": "batch", "triggers": [_QUEUE]} | settings
    found = [hint.where for hint in event_scaling_hints(plan_with(scaledJobs=[job]))]
    assert found == ([f"scaledJobs[0].{field}"] if field else [])


def test_a_calendar_of_jobs_without_a_line_is_said_at_the_line():
    job = a_workload("night", kind=WorkloadKind.JOB).model_dump(mode="json", by_alias=True)
    with pytest.raises(PlanProblems) as caught:
        plan_with(workloads=[job | {"job": {"cron": {"schedule": ""}}}])
    assert [problem.where for problem in caught.value.problems] == ["workloads[0].job.cron.schedule"]


def test_a_field_that_is_called_as_its_alternative_is_named_itself():
    plan = plan_with(**a_scaled_object(_QUEUE))
    path = ("scaled_objects", 0, "triggers", 0, "series")
    assert where_of(Plan, path) == "scaledObjects[0].triggers[0].series"
    with pytest.raises(PlanProblem) as caught:
        replace_at(plan, path, "")
    assert caught.value.where == "scaledObjects[0].triggers[0].series"
