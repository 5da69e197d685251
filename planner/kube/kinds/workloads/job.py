"""Jobs."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, given
from planner.kube.files.field import Field
from planner.kube.pods.controllers import controller_manifest, read_controller, whole_seconds, workloads_of
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import JobSettings, WorkloadKind

KIND, GROUPS = "Job", ("batch",)


def read(manifest: Field, draft: Draft) -> None:
    """A Job that has not ended becomes a workload."""
    spec = manifest.at("spec")
    if manifest.at("status", "completionTime").text() or _has_ended(manifest):
        draft.losses.add(KIND, "", "has ended; only waiting and running Jobs are imported")
        manifest.raw()
        return
    for name in ("selector", "manualSelector", "completionMode"):
        spec.at(name).raw()
    parallelism, completions = spec.at("parallelism").whole(), spec.at("completions").whole()
    limit, deadline = spec.at("backoffLimit").whole(), spec.at("activeDeadlineSeconds").seconds()
    parallelism = 1 if parallelism is None else parallelism
    if completions is None:  # a work queue: done when any pod succeeds and all have ended
        completions = max(parallelism, 1)
    if spec.at("suspend").flag():
        draft.losses.remark(f"Job {manifest.at('metadata', 'name').text()} is suspended; the plan runs it from start")
    settings = given(
        completions=None if completions == 1 else completions,
        backoff_limit=None if limit == JobSettings().backoff_limit else limit,
        active_deadline=deadline,
    )
    draft.losses.remark("Jobs: manifests do not say how long a pod works; set job.runTime (1m is assumed) or job.work")
    read_controller(manifest, KIND, draft, WorkloadKind.JOB, parallelism, job=settings)


def write(plan: Plan) -> Iterator[Part]:
    """All Jobs of the plan."""
    for workload in workloads_of(plan, WorkloadKind.JOB):
        manifest = controller_manifest(
            workload,
            "batch/v1",
            parallelism=workload.replicas,
            completions=workload.job.completions,
            backoff_limit=workload.job.backoff_limit,
            active_deadline_seconds=whole_seconds(workload.job.active_deadline) or None,
        )
        manifest["spec"]["template"]["spec"]["restartPolicy"] = "Never"
        yield manifest


def _has_ended(manifest: Field) -> bool:
    return any(
        condition.at("type").text() in ("Complete", "Failed") and condition.at("status").text() == "True"
        for condition in manifest.at("status", "conditions").items()
    )
