"""CronJobs out and in again, and those of real clusters."""

import pytest

from planner.errors import ImportProblems
from planner.kube.exporter import export_plan
from planner.kube.importer import import_paths
from planner.plan.model.workloads import CronSettings, JobSettings
from tests.builders import a_plan, a_workload
from tests.planner.kube.manifests import a_node, imported_objects, losses_of

TEMPLATE = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}}


def a_cron_job(**spec):
    given = {"schedule": "0 4 * * *", "jobTemplate": {"spec": {"template": TEMPLATE, "backoffLimit": 2}}}
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "report"}, "spec": given | spec}


@pytest.mark.parametrize("cron", [
    CronSettings(schedule="@daily"),
    CronSettings(
        schedule="30 2 * * 1-5", time_zone="Europe/Berlin", concurrency_policy="Replace", starting_deadline="5m",
        suspend=True, successful_jobs_history_limit=0, failed_jobs_history_limit=5,
    ),
])  # fmt: skip
def test_a_cron_job_comes_back(cron, tmp_path):
    job = JobSettings(cron=cron, backoff_limit=3, completions=2)
    export_plan(a_plan(workloads=(a_workload("report", kind="Job", replicas=2, job=job),)), tmp_path)
    assert not (tmp_path / "jobs.yaml").exists()
    [found] = import_paths([str(tmp_path)]).plan.workloads
    assert (found.kind, found.replicas, found.job) == ("Job", 2, job)


def test_its_running_jobs_belong_to_it():
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "report", "controller": True}
    about = {"name": "report-28", "ownerReferences": [owner]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": about, "spec": {"template": TEMPLATE}}
    found = imported_objects(a_node("n1"), a_cron_job(timeZone="Asia/Seoul"), job)
    [workload] = found.plan.workloads
    assert (workload.name, workload.job.backoff_limit) == ("report", 2)
    assert workload.job.cron == CronSettings(schedule="0 4 * * *", time_zone="Asia/Seoul")
    assert set(losses_of(found)) == {("Job", "")}


@pytest.mark.parametrize(("spec", "place"), [
    ({"schedule": "at four"}, "spec.schedule"),
    ({"timeZone": "Mars/Olympus"}, "spec.timeZone"),
    ({"schedule": "0 4 31 2 *"}, "spec.schedule"),
    ({"failedJobsHistoryLimit": -1}, "spec.failedJobsHistoryLimit"),
])  # fmt: skip
def test_a_wrong_calendar_is_named_at_its_place(spec, place):
    with pytest.raises(ImportProblems) as raised:
        imported_objects(a_node("n1"), a_cron_job(**spec), strict=True)
    assert place in str(raised.value)
