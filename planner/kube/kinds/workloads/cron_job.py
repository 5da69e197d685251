"""CronJobs: Jobs that a calendar makes."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.kinds.workloads.job import job_spec, read_job_template
from planner.kube.manifest import framed
from planner.kube.pods.controllers import whole_seconds, workloads_of
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ConcurrencyPolicy, CronSettings, WorkloadKind

KIND, GROUPS = "CronJob", ("batch",)
_ZONE = "UTC"


def read(manifest: Field, draft: Draft) -> None:
    """A workload of kind Job with a calendar."""
    spec = manifest.at("spec")
    policy = spec.at("concurrencyPolicy").choice(ConcurrencyPolicy)
    cron = given(
        schedule=spec.at("schedule").required_text(),
        time_zone=spec.at("timeZone").text() or None,
        concurrency_policy=None if policy == ConcurrencyPolicy.ALLOW else policy,
        starting_deadline=spec.at("startingDeadlineSeconds").seconds(),
        suspend=spec.at("suspend").flag() or None,
        successful_jobs_history_limit=spec.at("successfulJobsHistoryLimit").whole(),
        failed_jobs_history_limit=spec.at("failedJobsHistoryLimit").whole(),
    )
    template = spec.at("jobTemplate", "spec")
    spec.at("jobTemplate", "metadata").raw()
    parallelism = template.at("parallelism").whole()
    read_job_template(manifest, KIND, template, draft, 1 if parallelism is None else parallelism, cron)


def write(plan: Plan) -> Iterator[Part]:
    """All Jobs of the plan that a calendar makes."""
    for workload in workloads_of(plan, WorkloadKind.JOB):
        if workload.job.cron is not None:
            spec = {**_spec(workload.job.cron), "jobTemplate": {"spec": job_spec(workload)}}
            yield framed("batch/v1", KIND, workload.name, workload.namespace, spec=spec)


def _spec(cron: CronSettings) -> Part:
    deadline = cron.starting_deadline
    return given(
        schedule=cron.schedule,
        time_zone=None if cron.time_zone == _ZONE else cron.time_zone,
        concurrency_policy=cron.concurrency_policy.value,
        starting_deadline_seconds=None if deadline is None else whole_seconds(deadline),
        suspend=cron.suspend or None,
        successful_jobs_history_limit=cron.successful_jobs_history_limit,
        failed_jobs_history_limit=cron.failed_jobs_history_limit,
    )
