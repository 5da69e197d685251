"""Hints on ScaledObjects that do something else than one would expect."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.scaled_object import (
    FallbackSize,
    ScaledJob,
    ScaledJobStrategy,
    ScaledObject,
    SeriesTrigger,
    UseTrigger,
)
from planner.plan.model.plan import Plan


def event_scaling_hints(plan: Plan) -> Iterator[Hint]:
    """In the order of the file."""
    replicas = {(one.namespace, one.name): one for one in plan.workloads}
    for index, one in enumerate(plan.scaled_objects):
        where = f"scaledObjects[{index}]"
        yield from _idle_hint(one, where)
        yield from _never_zero(one, where)
        yield from _waits_unnoticed(one, where)
        workload = replicas.get((one.namespace, one.scale_target))
        if workload is not None and one.cooldown_period < workload.pod.startup_delay:
            text = tr("The cool-down is shorter than the start of a pod: it may go before it has served.")
            yield Hint(f"{where}.cooldownPeriod", text, tr("Make it several times as long as the start-up."))
        if one.fallback is not None and one.fallback.behavior is FallbackSize.STATIC and not one.min_replicas:
            text = tr(
                "A fallback does not bring a workload up from zero, and static replicas may shrink one that is larger."
            )
            yield Hint(f"{where}.fallback", text, tr("Give a minimum, or use currentReplicasIfHigher."))
    for index, job in enumerate(plan.scaled_jobs):
        yield from _jobs_hint(job, f"scaledJobs[{index}]")


def _jobs_hint(job: ScaledJob, where: str) -> Iterator[Hint]:
    if job.max_replicas is not None and job.min_replicas > job.max_replicas:
        text = tr("The minimum is above the maximum: only {most} always run.", most=job.max_replicas)
        yield Hint(f"{where}.minReplicas", text, tr("Lower it, or raise the maximum."))
    if job.strategy is ScaledJobStrategy.CUSTOM:
        return
    for field, value in (
        ("queueLengthDeduction", job.queue_length_deduction),
        ("runningJobPercentage", job.running_job_percentage),
    ):
        if value:
            text = tr("Without effect: only the strategy custom reads it.")
            yield Hint(f"{where}.{field}", text, tr("Choose the strategy custom, or remove it."))


def _idle_hint(one: ScaledObject, where: str) -> Iterator[Hint]:
    if one.idle_replicas:
        text = tr("Its HPA brings every number of replicas above 0 up to the minimum at once.")
        yield Hint(f"{where}.idleReplicas", text, tr("Use 0, at which the HPA rests."))


def _never_zero(one: ScaledObject, where: str) -> Iterator[Hint]:
    if not one.min_replicas and all(isinstance(trigger, UseTrigger) for trigger in one.triggers):
        text = tr(
            "With triggers on CPU and memory alone it always counts as active, so the workload never goes to zero."
        )
        yield Hint(f"{where}.triggers", text, tr("Add a trigger on a queue or a calendar, or give a minimum."))


def _waits_unnoticed(one: ScaledObject, where: str) -> Iterator[Hint]:
    for position, trigger in enumerate(one.triggers):
        if isinstance(trigger, SeriesTrigger) and not one.min_replicas and trigger.activation > trigger.target:
            text = tr("Up to its activation a whole pod's work waits at zero replicas.")
            yield Hint(f"{where}.triggers[{position}].activation", text, tr("Choose an activation below the target."))
