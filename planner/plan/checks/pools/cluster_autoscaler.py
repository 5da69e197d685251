"""Checks of the settings of the Cluster Autoscaler and of reserves."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.pods import repeated
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE, Overprovisioning, WorkloadKind
from planner.units import format_bytes, format_duration


def check_autoscaler(plan: Plan) -> Iterator[PlanProblem]:
    """Bounds that contradict each other, static pods of other controllers, and reserves without one clear size."""
    yield from _check_backoff(plan)
    yield from _check_bounds(plan)
    for index, workload in enumerate(plan.workloads):
        if workload.pod.scaling.static_pod and workload.kind is not WorkloadKind.DAEMON_SET:
            problem = tr(
                "The pods of a {value} are created by a controller and cannot be static pods.",
                value=workload.kind.value,
            )
            where = f"workloads[{index}].pod.scaling.staticPod"
            yield PlanProblem(where, problem, tr("Turn it off, or use the kind StaticPod."))
    names = [workload.name for workload in plan.workloads if workload.kind not in ONE_PER_NODE]
    for index, reserve in enumerate(plan.overprovisioning):
        where = f"overprovisioning[{index}]"
        ways = (reserve.replicas > 0, reserve.room_for is not None, reserve.cluster_share > 0)
        if sum(ways) > 1:
            problem = tr("The size of the reserve is given in more than one way.")
            yield PlanProblem(where, problem, tr("Keep one of replicas, roomFor and clusterShare."))
        if reserve.room_for is not None and reserve.room_for.workload not in names:
            problem = tr(
                "There is no workload '{workload}' whose pods could move in.", workload=reserve.room_for.workload
            )
            remedy = tr("Choose one of {names}.", names=", ".join(names)) if names else tr("Add a workload.")
            yield PlanProblem(f"{where}.roomFor.workload", problem, remedy)
        yield from _check_room(reserve, f"{where}.roomFor")


def _check_room(reserve: Overprovisioning, where: str) -> Iterator[PlanProblem]:
    room = reserve.room_for
    if room is None:
        return
    if room.pods is None and room.percentage is None:
        yield PlanProblem(f"{where}.pods", tr("The number of pods is missing."), tr("Give a number of pods."))
    if room.percentage is not None and not reserve.capacity_buffer:
        problem = tr("Only a capacity buffer follows the replicas of a workload.")
        yield PlanProblem(f"{where}.percentage", problem, tr("Turn capacityBuffer on or give a number of pods."))


def _check_bounds(plan: Plan) -> Iterator[PlanProblem]:
    settings = plan.cluster_autoscaler
    if settings.cores_total_min > settings.cores_total_max:
        problem = tr(
            "The minimum of cores ({cores_total_min}) is above the maximum.", cores_total_min=settings.cores_total_min
        )
        remedy = tr("Lower it to {cores_total_max} or raise coresTotalMax.", cores_total_max=settings.cores_total_max)
        yield PlanProblem("clusterAutoscaler.coresTotalMin", problem, remedy)
    for at, limit in enumerate(settings.gpu_total):
        where = f"clusterAutoscaler.gpuTotal[{at}]"
        if limit.min > limit.max:
            problem = tr("The minimum of GPUs ({min}) is above the maximum.", min=limit.min)
            yield PlanProblem(f"{where}.min", problem, tr("Lower it to {max} or raise the maximum.", max=limit.max))
        if not settings.gpu_label:
            problem = tr("The type of a GPU is the value of a label, and no label is named.")
            yield PlanProblem(where, problem, tr("Name the label of GPU nodes in clusterAutoscaler.gpuLabel."))
    if settings.memory_total_min > settings.memory_total_max:
        problem = tr(
            "The minimum of memory ({memory_total_min}) is above the maximum.",
            memory_total_min=format_bytes(settings.memory_total_min),
        )
        remedy = tr(
            "Lower it to {memory_total_max} or raise memoryTotalMax.",
            memory_total_max=format_bytes(settings.memory_total_max),
        )
        yield PlanProblem("clusterAutoscaler.memoryTotalMin", problem, remedy)


def _check_backoff(plan: Plan) -> Iterator[PlanProblem]:
    settings = plan.cluster_autoscaler
    first, longest = settings.initial_node_group_backoff_duration, settings.max_node_group_backoff_duration
    if first > longest:
        yield PlanProblem(
            "clusterAutoscaler.initialNodeGroupBackoffDuration",
            tr(
                "The first back-off ({first}) is above the longest ({longest}).",
                first=format_duration(first),
                longest=format_duration(longest),
            ),
            tr("Lower it to {longest} or raise the longest.", longest=format_duration(longest)),
        )
    for index, priority in repeated(str(tier.priority) for tier in settings.priority_expander):
        where = f"clusterAutoscaler.priorityExpander[{index}].priority"
        yield PlanProblem(
            where,
            tr("The priority {priority} is given twice.", priority=priority),
            tr("Put its groups into one entry."),
        )
