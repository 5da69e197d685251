"""Hints on what pods use and on whether they can serve their load."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.derived.pod_requests import running_containers
from planner.plan.hints.hint import Hint
from planner.plan.model.events.on_workloads import CreateWorkload, SetReplicas
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import ONE_PER_NODE, SCALABLE, Workload, WorkloadKind
from planner.units import format_bytes, format_cpu, format_duration

_MOST = 1 << 60

_FAR_ABOVE = 5.0
"""A peak so many times what pods can serve is hardly meant."""


def use_hints(workload: Workload, where: str) -> Iterator[Hint]:
    """Use over time, memory and the work of Jobs of one workload, whether it has load or not."""
    job = workload.job
    if workload.kind is WorkloadKind.JOB and job.work > 0 and "run_time" in job.model_fields_set:
        text = tr("The pods end when their work is done, so the run time is ignored.")
        yield Hint(f"{where}.job.runTime", text, tr("Remove it, or set work to 0."))
    if workload.kind is not WorkloadKind.JOB and job.work > 0:
        yield Hint(
            f"{where}.job.work",
            tr("Only pods of a Job end when their work is done."),
            tr("Remove it or change the kind."),
        )
    if workload.kind is WorkloadKind.JOB and job.work_cores and not job.work:
        text = tr("Without work these cores have no effect: the pods end after their run time.")
        yield Hint(f"{where}.job.workCores", text, tr("Give the work in core seconds, or remove it."))
    if workload.use is not None and workload.use.cpu is None and workload.use.memory is None:
        yield Hint(f"{where}.use", tr("It describes neither CPU nor memory use."), tr("Give a profile, or remove it."))
    yield from _above_limits(workload, where)
    for index, container in enumerate(workload.pod.containers):
        for resource, name in (("cpu", "CPU"), ("memory", "memory")):
            if getattr(container.limits, resource) == 0:
                place = f"{where}.pod.containers[{index}].limits.{resource}"
                yield Hint(
                    place, tr("A {name} limit of 0 limits nothing.", name=name), tr("Give more than 0, or remove it.")
                )


def serving_hints(workload: Workload, where: str, plan: Plan) -> Iterator[Hint]:
    """Load that no pod serves, or that the pods cannot serve in full."""
    if workload.kind is WorkloadKind.JOB:
        text = tr("It has load, but the pods of a Job end: requests are lost before and after.")
        yield Hint(f"{where}.kind", text, tr("Make it a Deployment, or remove its traffic."))
    created = [one.at for one in plan.events if isinstance(one, CreateWorkload) and one.workload == workload.name]
    always = workload.traffic is not None and lowest_and_highest(workload.traffic.profile)[0] > 0
    if always and created and min(created) > 0:
        text = tr(
            "It has load from the start but is created at {created}: requests before that fail.",
            created=format_duration(min(created)),
        )
        yield Hint(f"{where}.traffic", text, tr("Let the load begin later, or create the workload at the start."))
    target = None if workload.slo is None else workload.slo.end_to_end_target
    if workload.slo is not None and target is not None:
        place = f"{where}.slo.endToEndTarget"
        if all(call.is_async for call in workload.calls):
            yield Hint(
                place,
                tr("It waits for no calls, so its own latency is the whole latency."),
                tr("Remove it, or add calls."),
            )
        elif target < workload.slo.target:
            text = tr("This target with calls is below the target without calls.")
            yield Hint(place, text, tr("Raise it, or lower the target of its own latency."))
    most = _most_pods(workload, plan)
    if most == 0 and workload.kind in SCALABLE:
        text = tr("It has load but no pods, so every request is lost.")
        yield Hint(f"{where}.replicas", text, tr("Start with at least one."))
    elif most and workload.traffic is not None and workload.traffic.clients is None:
        largest = max((group.cpu for group in plan.node_groups), default=0)
        yield from _too_few(workload, f"{where}.traffic.profile", most, largest)


def _too_few(workload: Workload, where: str, most: int, largest_node_milli: int) -> Iterator[Hint]:
    """Load that so many pods can never serve, or a peak far above it; without a limit a pod has a node at most."""
    limit = _sum_of_limits(workload.pod, "cpu") or largest_node_milli
    lowest, highest = (0.0, 0.0) if workload.traffic is None else lowest_and_highest(workload.traffic.profile)
    if workload.kind in ONE_PER_NODE or workload.demand.idle_cpu >= limit:
        return
    served = most * (limit - workload.demand.idle_cpu) / 1000.0 / workload.demand.cpu_seconds_per_request
    pods = f"{most} {'pod' if most == 1 else 'pods'}"
    can = tr(
        "but {pods} with at most {limit} cores each can serve only {served:g}.",
        pods=pods,
        limit=format_cpu(limit),
        served=served,
    )
    cure = tr("Lower the load, or raise the CPU limit or the replicas, or add an autoscaler.")
    if lowest > served:
        yield Hint(
            where, tr("The load never falls below {lowest:g} requests per second, {can}", lowest=lowest, can=can), cure
        )
    elif highest > _FAR_ABOVE * served:
        yield Hint(where, tr("The load reaches {highest:g} requests per second, {can}", highest=highest, can=can), cure)


def _most_pods(workload: Workload, plan: Plan) -> int:
    """The most replicas that autoscalers and events may set; a very large number where no bound is known."""
    target = (workload.namespace, workload.name)
    scalers = [one for one in plan.horizontal_pod_autoscalers if (one.namespace, one.scale_target) == target]
    scaled = any(workload.name in known.targets for known in plan.proportional_autoscalers)
    sizes = [event.replicas for event in plan.events if isinstance(event, SetReplicas) and event.workload == target[1]]
    if scaled or (not workload.replicas and scalers):  # at 0 replicas another hint covers the autoscaler
        return _MOST
    return max([workload.replicas, *sizes, *(one.max_replicas for one in scalers)])


def _above_limits(workload: Workload, where: str) -> Iterator[Hint]:
    """Profiles and constants that a limit cuts off, or that a container is killed for."""
    if workload.use is not None and workload.use.cpu is not None:
        highest, limit = lowest_and_highest(workload.use.cpu)[1], _sum_of_limits(workload.pod, "cpu")
        if limit is not None and highest * 1000.0 > limit:
            text = tr(
                "The use may reach {highest:g} cores, but the pod's limit is {limit}: it gets no more.",
                highest=highest,
                limit=format_cpu(limit),
            )
            yield Hint(f"{where}.use.cpu", text, tr("Raise the limit or lower the profile."))
    limit = _sum_of_limits(workload.pod, "memory")
    if limit is None:
        return
    if workload.use is not None and workload.use.memory is not None:
        highest = lowest_and_highest(workload.use.memory)[1]
        if highest > limit:
            text = tr(
                "It may reach {highest:g} bytes; above {limit} a container is killed again and again.",
                highest=highest,
                limit=format_bytes(limit),
            )
            yield Hint(f"{where}.use.memory", text, tr("Raise the limit or lower the profile."))
    memory = workload.memory_use
    if memory is not None and memory.start is not None and memory.start > limit:
        text = tr(
            "It starts above the limit of {limit}, so a container is killed again and again.", limit=format_bytes(limit)
        )
        yield Hint(f"{where}.memoryUse.start", text, tr("Raise the limit or lower the start."))


def _sum_of_limits(pod: PodTemplate, resource: str) -> int | None:
    """Limits of the containers that run together; None if one has none."""
    limits = [getattr(container.limits, resource) or None for container in running_containers(pod)]
    return None if None in limits else sum(limit or 0 for limit in limits)
