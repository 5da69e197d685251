"""Jobs."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.pods.controllers import (
    controller_manifest,
    read_controller,
    template_manifest,
    whole_seconds,
    workloads_of,
)
from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import JobSettings, Workload, WorkloadKind

KIND, GROUPS = "Job", ("batch",)


def read(manifest: Field, draft: Draft) -> None:
    """A Job that has not ended becomes a workload."""
    spec = manifest.at("spec")
    if manifest.at("status", "completionTime").text() or _has_ended(manifest):
        draft.losses.add(KIND, "", tr("has ended; only waiting and running Jobs are imported"))
        manifest.raw()
        return
    if spec.at("suspend").flag():
        draft.losses.remark(
            tr("Job {name} is suspended; the plan runs it from start", name=manifest.at("metadata", "name").text())
        )
    parallelism = spec.at("parallelism").whole()
    read_job_template(manifest, KIND, spec, draft, 1 if parallelism is None else parallelism)


def read_job_template(
    manifest: Field, kind: str, spec: Field, draft: Draft, parallelism: int, cron: Part | None = None
) -> None:
    """A workload of the `spec` of a Job, which may be a part of another object; `cron`: a calendar that makes Jobs."""
    for name in ("selector", "manualSelector", "completionMode", "suspend"):
        spec.at(name).raw()
    completions = spec.at("completions").whole()
    limit, deadline = spec.at("backoffLimit").whole(), spec.at("activeDeadlineSeconds").seconds()
    if completions is None:  # a work queue: done when any pod succeeds and all have ended
        completions = max(parallelism, 1)
    settings = given(
        completions=None if completions == 1 else completions,
        backoff_limit=None if limit == JobSettings().backoff_limit else limit,
        active_deadline=deadline,
        cron=cron,
    )
    draft.losses.remark(
        tr("Jobs: manifests do not say how long a pod works; set job.runTime (1m is assumed) or job.work")
    )
    read_controller(manifest, kind, draft, WorkloadKind.JOB, parallelism, spec.at("template"), job=settings)


def write(plan: Plan) -> Iterator[Part]:
    """All Jobs of the plan but those of scaled jobs and of CronJobs, which are parts of them."""
    made = {(one.namespace, one.job_target) for one in plan.scaled_jobs}
    for workload in workloads_of(plan, WorkloadKind.JOB):
        if (workload.namespace, workload.name) not in made and workload.job.cron is None:
            manifest = controller_manifest(workload, "batch/v1")
            manifest["spec"] = job_spec(workload)
            yield manifest


def job_spec(workload: Workload) -> Part:
    """The spec of a Job."""
    template = template_manifest(workload)
    template["spec"]["restartPolicy"] = "Never"
    settings = given(
        parallelism=workload.replicas,
        completions=workload.job.completions,
        backoff_limit=workload.job.backoff_limit,
        active_deadline_seconds=whole_seconds(workload.job.active_deadline) or None,
    )
    return {**settings, "template": template}


def _has_ended(manifest: Field) -> bool:
    return any(
        condition.at("type").text() in ("Complete", "Failed") and condition.at("status").text() == "True"
        for condition in manifest.at("status", "conditions").items()
    )
