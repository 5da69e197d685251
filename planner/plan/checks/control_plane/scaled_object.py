"""Checks of ScaledObjects and ScaledJobs against the plan's workloads and series."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.horizontal_pod_autoscaler import check_container, check_requests
from planner.plan.checks.kinds import template_places
from planner.plan.checks.pods import repeated, suggestion
from planner.plan.files.problems import shown
from planner.plan.model.autoscalers.hpa_metric import HpaMetric, MetricSource, ResourceName, TargetType
from planner.plan.model.autoscalers.scaled_object import CronTrigger, ScaledJob, ScaledObject, SeriesTrigger, UseTrigger
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import SCALABLE, WorkloadKind
from planner.plan.values.zoned_cron import parse_zoned_fields


def check_event_scaling(plan: Plan) -> Iterator[PlanProblem]:
    """All objects of KEDA."""
    objects: list[tuple[str, ScaledObject | ScaledJob]] = [
        *((f"scaledObjects[{index}]", one) for index, one in enumerate(plan.scaled_objects)),
        *((f"scaledJobs[{index}]", job) for index, job in enumerate(plan.scaled_jobs)),
    ]
    seen: set[tuple[str, str, str]] = set()
    for where, given in objects:
        name = (type(given).__name__, given.namespace, given.name)
        if name in seen:
            yield PlanProblem(
                f"{where}.name", tr("There is another {name}.", name=shown(given.name)), tr("Choose another name.")
            )
        seen.add(name)
        yield from _check_triggers(given, plan, where)
    yield from _check_targets(plan)
    yield from _check_use(plan)
    yield from _check_jobs(plan)


def _check_targets(plan: Plan) -> Iterator[PlanProblem]:
    kinds = {(one.namespace, one.name): one.kind for one in plan.workloads}
    taken = {(one.namespace, one.scale_target): one.name for one in plan.horizontal_pod_autoscalers}
    for index, one in enumerate(plan.scaled_objects):
        where, target = f"scaledObjects[{index}].scaleTarget", (one.namespace, one.scale_target)
        if target not in kinds:
            names = [name for space, name in kinds if space == one.namespace]
            problem = tr(
                "There is no workload {scale_target} in namespace {namespace}.",
                scale_target=shown(one.scale_target),
                namespace=shown(one.namespace),
            )
            yield PlanProblem(where, problem, suggestion(one.scale_target, names, tr("Name a workload of the plan.")))
            continue
        if kinds[target] not in SCALABLE:
            problem = tr(
                "{scale_target} is a {kinds}, which cannot be scaled.",
                scale_target=shown(one.scale_target),
                kinds=kinds[target],
            )
            yield PlanProblem(where, problem, tr("Name a Deployment or StatefulSet."))
        if target in taken:
            problem = tr(
                "{scale_target} is already scaled by {taken}; both would block each other.",
                scale_target=shown(one.scale_target),
                taken=shown(taken[target]),
            )
            yield PlanProblem(where, problem, tr("Remove one: KEDA makes an autoscaler of its own."))
        taken.setdefault(target, one.name)


def _check_use(plan: Plan) -> Iterator[PlanProblem]:
    """Triggers on CPU and memory measure containers of the pods, and utilization is a share of their requests."""
    rows = {(one.namespace, one.name): (row, one) for row, one in enumerate(plan.workloads)}
    for index, scaled in enumerate(plan.scaled_objects):
        row, workload = rows.get((scaled.namespace, scaled.scale_target), (0, None))
        if workload is None:
            continue
        places = template_places(plan, workload, f"workloads[{row}].pod")
        for position, trigger in enumerate(scaled.triggers):
            if not isinstance(trigger, UseTrigger):
                continue
            metric = _followed(trigger)
            if trigger.container:
                at = f"scaledObjects[{index}].triggers[{position}].container"
                yield from check_container(metric, scaled.name, workload, tuple(places.values()), at)
            elif trigger.average_utilization is not None:
                for place, pod in places.items():
                    yield from check_requests(pod, metric.resource, scaled.name, place)


def _followed(trigger: UseTrigger) -> HpaMetric:
    """The metric of the HPA that KEDA makes of it."""
    source = MetricSource.CONTAINER_RESOURCE if trigger.container else MetricSource.RESOURCE
    kind = TargetType.AVERAGE_VALUE if trigger.average_utilization is None else TargetType.UTILIZATION
    return HpaMetric(
        type=source,
        resource=ResourceName(trigger.type),
        container=trigger.container,
        target_type=kind,
        average_utilization=trigger.average_utilization,
        average_value=trigger.average_value,
    )


def _check_triggers(given: ScaledObject | ScaledJob, plan: Plan, where: str) -> Iterator[PlanProblem]:
    for position, name in repeated([trigger.name for trigger in given.triggers]):
        if name:
            problem = tr("There is another trigger {name}.", name=shown(name))
            yield PlanProblem(f"{where}.triggers[{position}].name", problem, tr("Choose another name."))
    known = [series.name for series in plan.metric_series]
    for position, trigger in enumerate(given.triggers):
        at = f"{where}.triggers[{position}]"
        if isinstance(trigger, SeriesTrigger) and trigger.series not in known:
            problem = tr(
                "There is no metric series {series}, so the trigger would always fail.", series=shown(trigger.series)
            )
            yield PlanProblem(
                f"{at}.series", problem, suggestion(trigger.series, known, tr("Name an entry of metricSeries."))
            )
        elif isinstance(trigger, CronTrigger):
            for key, line in (("start", trigger.start), ("end", trigger.end)):
                if parse_zoned_fields(line, trigger.timezone).next_due_us(plan.simulation.starts_at) is None:
                    yield PlanProblem(
                        f"{at}.{key}", tr("{line} is never due.", line=shown(line)), tr("Choose a day that exists.")
                    )
    if isinstance(given, ScaledObject) and given.scaling_modifiers is not None:
        for position, trigger in enumerate(given.triggers):
            if not trigger.name:
                problem = tr("A formula needs the name of every trigger.")
                yield PlanProblem(
                    f"{where}.triggers[{position}].name", problem, tr("Give it a name, or remove the formula.")
                )


def _check_jobs(plan: Plan) -> Iterator[PlanProblem]:
    kinds = {(one.namespace, one.name): one.kind for one in plan.workloads}
    for index, one in enumerate(plan.scaled_jobs):
        where, target = f"scaledJobs[{index}].jobTarget", (one.namespace, one.job_target)
        if kinds.get(target) is not WorkloadKind.JOB:
            names = [name for (space, name), kind in kinds.items() if kind is WorkloadKind.JOB]
            problem = tr(
                "There is no Job {job_target} in namespace {namespace}.",
                job_target=shown(one.job_target),
                namespace=shown(one.namespace),
            )
            yield PlanProblem(where, problem, suggestion(one.job_target, names, tr("Name a workload of kind Job.")))
    for index, name in repeated([f"{one.namespace}/{one.job_target}" for one in plan.scaled_jobs]):
        problem = tr("Another scaled job makes jobs of {name}.", name=shown(name))
        yield PlanProblem(f"scaledJobs[{index}].jobTarget", problem, tr("Give each a Job of its own."))
