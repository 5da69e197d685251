"""Wrong values of autoscalers, ScaledJobs, Karpenter's pools and calendars are said at the place of the value."""

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
_OFFICE = {"type": "cron", "timezone": "Europe/Berlin", "start": "0 8 * * *", "end": "0 18 * * *", "desiredReplicas": 5}


def plan_with(cpu="250m", **parts):
    """A plan with a Deployment web, a Job batch and these parts of its file."""
    job = a_workload("batch", kind=WorkloadKind.JOB)
    plan = a_plan(node_groups=(a_node_group(),), workloads=(a_workload(pod=a_pod(cpu)), job))
    return plan_from_text(json.dumps(json.loads(plan_to_text(plan)) | parts), "plan")


def places(**parts):
    return [problem.where for problem in check_plan(plan_with(**parts))]


def a_scaled_object(*triggers):
    return {"scaledObjects": [{"name": "web", "scaleTarget": "web", "triggers": triggers}]}


def a_calendar(**cron):
    job = a_workload("night", kind=WorkloadKind.JOB).model_dump(mode="json", by_alias=True)
    return {"workloads": [job | {"job": {"cron": cron}}]}


def a_pool(**pool):
    return {"karpenter": {"nodePools": [{"name": "bought"} | pool]}}


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        (a_scaled_object(_CPU | {"container": "wep"}), "scaledObjects[0].triggers[0].container"),
        (a_scaled_object(_CPU) | {"cpu": None}, "workloads[0].pod.containers[0].requests.cpu"),
        (a_scaled_object(_CPU | {"name": "a"}, _CPU | {"name": "a"}), "scaledObjects[0].triggers[1].name"),
        (a_scaled_object(_QUEUE), "scaledObjects[0].triggers[0].series"),
        (
            {"scaledJobs": [{"name": "jobs", "jobTarget": "batch", "triggers": [_QUEUE]}]},
            "scaledJobs[0].triggers[0].series",
        ),
        (a_scaled_object(_CPU, _OFFICE | {"start": "0 8 31 2 *"}), "scaledObjects[0].triggers[1].start"),
        (a_scaled_object(_CPU, _OFFICE | {"end": "0 8 30 2 *"}), "scaledObjects[0].triggers[1].end"),
        (a_calendar(schedule="0 0 31 4 *"), "workloads[0].job.cron.schedule"),
        ({"verticalPodAutoscalers": [{"name": "web", "target": "wbe"}]}, "verticalPodAutoscalers[0].target"),
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


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        (a_calendar(schedule=""), "workloads[0].job.cron.schedule"),
        (a_calendar(schedule="0 25 * * *"), "workloads[0].job.cron.schedule"),
        (a_calendar(schedule="@daily", timeZone="Mars/Base"), "workloads[0].job.cron.timeZone"),
        (a_scaled_object(_OFFICE | {"timezone": "Europe/Bonn"}), "scaledObjects[0].triggers[0].timezone"),
        (a_scaled_object(_OFFICE | {"end": "8 o'clock"}), "scaledObjects[0].triggers[0].end"),
        (a_scaled_object(_OFFICE | {"start": "@daily"}), "scaledObjects[0].triggers[0].start"),
    ],
)
def test_a_calendar_that_cannot_be_read_is_said_at_its_line_or_its_zone(parts, where):
    with pytest.raises(PlanProblems) as caught:
        plan_with(**parts)
    assert [problem.where for problem in caught.value.problems] == [where]
    assert all(problem.remedy for problem in caught.value.problems)


def test_a_field_that_is_called_as_its_alternative_is_named_itself():
    plan = plan_with(**a_scaled_object(_QUEUE))
    path = ("scaled_objects", 0, "triggers", 0, "series")
    assert where_of(Plan, path) == "scaledObjects[0].triggers[0].series"
    with pytest.raises(PlanProblem) as caught:
        replace_at(plan, path, "")
    assert caught.value.where == "scaledObjects[0].triggers[0].series"
