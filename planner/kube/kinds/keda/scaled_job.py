"""ScaledJobs, keda.sh/v1alpha1: the template of their jobs becomes a workload of kind Job."""

from collections.abc import Iterator

from planner.kube.draft.draft import Draft, Part, ScalerPart, given
from planner.kube.files.field import Field
from planner.kube.kinds.keda.flags import DOMAIN, PAUSED, is_set
from planner.kube.kinds.keda.triggers import read_triggers, trigger_manifest
from planner.kube.kinds.workloads.job import job_spec, read_job_template
from planner.kube.manifest import framed, key_of, name_of, namespace_of
from planner.kube.pods.pod_manifest import whole_seconds
from planner.language.translation import tr
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledJobStrategy, TriggerCombination
from planner.plan.model.plan import Plan

KIND, GROUPS = "ScaledJob", ("keda.sh",)
_SERIES = "series"


def read(manifest: Field, draft: Draft) -> None:
    """A maker of jobs and its Job; triggers on calendars and use are left out."""
    spec, namespace = manifest.at("spec"), namespace_of(manifest)
    found, series = read_triggers(spec.at("triggers").items(), KIND, draft)
    triggers = [trigger for trigger in found if trigger["type"] == _SERIES]
    if len(triggers) < len(found):
        draft.losses.add(
            KIND, "spec.triggers[]", tr("scaled jobs of a plan follow series alone"), len(found) - len(triggers)
        )
    if not triggers:
        draft.losses.add(KIND, "", tr("none of its triggers can be used"))
        manifest.raw()
        return
    template, strategy = spec.at("jobTargetRef"), spec.at("scalingStrategy")
    for name in ("failedJobsHistoryLimit", "envSourceContainerName"):
        spec.at(name).raw()
    if (template.at("parallelism").whole() or 1) > 1 or (template.at("completions").whole() or 1) > 1:
        draft.losses.add(KIND, "spec.jobTargetRef", tr("jobs of several pods count as one pod each"))
    read_job_template(manifest, KIND, template, draft, parallelism=1)
    fields = given(
        name=name_of(manifest),
        namespace=None if namespace == "default" else namespace,
        polling_interval=spec.at("pollingInterval").seconds(),
        min_replicas=spec.at("minReplicaCount").whole(),
        max_replicas=spec.at("maxReplicaCount").whole(),
        successful_jobs_history_limit=spec.at("successfulJobsHistoryLimit").whole(),
        triggers=triggers,
        paused=is_set(manifest.at("metadata", "annotations"), PAUSED) or None,
        **_strategy(strategy),
    )
    at = {index: position for position, index in enumerate(i for i, one in enumerate(found) if one["type"] == _SERIES)}
    parts = tuple(type(part)(at[part.at], part.name, part.source, part.target_type, part.target) for part in series)
    draft.job_makers.append(ScalerPart(manifest.source, key_of(manifest, KIND), fields, parts))


def _strategy(field: Field) -> Part:
    name, share = field.at("strategy").text(), field.at("customScalingRunningJobPercentage").text()
    known = name if name in list(ScaledJobStrategy) else None  # an unknown name means the default
    return given(
        strategy=known,
        combination=field.at("multipleScalersCalculation").choice(TriggerCombination),
        queue_length_deduction=field.at("customScalingQueueLengthDeduction").whole(),
        running_job_percentage=_share(share),
    )


def _share(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None  # KEDA then takes the default strategy


def write(plan: Plan) -> Iterator[Part]:
    """All scaled jobs of the plan with the Jobs that they make."""
    jobs = {(workload.namespace, workload.name): workload for workload in plan.workloads}
    for one in plan.scaled_jobs:
        workload = jobs.get((one.namespace, one.job_target))
        if workload is not None:
            spec = given(
                polling_interval=whole_seconds(one.polling_interval),
                min_replica_count=one.min_replicas or None,
                max_replica_count=one.max_replicas,
                successful_jobs_history_limit=one.successful_jobs_history_limit,
                scaling_strategy=_strategy_manifest(one),
                triggers=[trigger_manifest(trigger, with_kind=False) for trigger in one.triggers],
            )
            spec["jobTargetRef"] = job_spec(workload)
            manifest = framed("keda.sh/v1alpha1", KIND, one.name, one.namespace, spec=spec)
            if one.paused:
                manifest["metadata"]["annotations"] = {f"{DOMAIN}/{PAUSED}": "true"}
            yield manifest


def _strategy_manifest(one: ScaledJob) -> Part:
    return given(
        strategy=one.strategy.value,
        multiple_scalers_calculation=one.combination.value,
        custom_scaling_queue_length_deduction=one.queue_length_deduction or None,
        custom_scaling_running_job_percentage=None
        if one.running_job_percentage is None
        else str(one.running_job_percentage),
    )
