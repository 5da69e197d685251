"""Whether events name things of the plan and can happen in it."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.plan.check_pods import check_taints, suggestion
from planner.plan.faults import (
    CreateWorkload,
    DeleteWorkload,
    ImagePullDelay,
    NodeUpgrade,
    PlanEvent,
    ReadinessFlap,
    ResizePool,
    Rollout,
    SetReplicas,
    TaintNodes,
    ZoneOutage,
)
from planner.plan.plan import Plan
from planner.plan.problems import shown
from planner.plan.workloads import WorkloadKind
from planner.units import US_PER_H, format_duration

MAX_OCCURRENCES = 100_000
_NOT_SCALED = (WorkloadKind.DAEMON_SET, WorkloadKind.JOB)
_Resized = SetReplicas | CreateWorkload | DeleteWorkload


def check_events(plan: Plan) -> Iterator[PlanProblem]:
    """All events of a plan."""
    for index, event in enumerate(plan.events):
        where = f"events[{index}]"
        yield from _check_time(plan, event, where)
        yield from _check_names(plan, event, where)
        if isinstance(event, TaintNodes):
            yield from check_taints((event.taint,), f"{where}.taint")
        if isinstance(event, NodeUpgrade) and event.max_surge == 0 and event.max_unavailable == 0:
            problem = "With neither surge nor unavailable nodes the upgrade could not begin."
            yield PlanProblem(f"{where}.maxSurge", problem, "Give at least one of them, for example maxSurge 1.")
        if isinstance(event, ResizePool) and event.min_size > event.max_size:
            problem = f"The minimum ({event.min_size}) is above the maximum ({event.max_size})."
            yield PlanProblem(f"{where}.minSize", problem, f"Lower it to {event.max_size} or raise the maximum.")


def _check_time(plan: Plan, event: PlanEvent, where: str) -> Iterator[PlanProblem]:
    duration = plan.simulation.duration
    if event.at > duration:
        problem = f"It would happen at {format_duration(event.at)}, after the end of the run."
        yield PlanProblem(f"{where}.at", problem, f"Use a time up to {format_duration(duration)}.")
    if event.per_hour * (duration / US_PER_H) > MAX_OCCURRENCES:
        problem = f"It would happen more than {MAX_OCCURRENCES} times in the run."
        yield PlanProblem(f"{where}.perHour", problem, "Use a lower rate.")


def _check_names(plan: Plan, event: PlanEvent, where: str) -> Iterator[PlanProblem]:
    group = getattr(event, "node_group", None)
    groups = [known.name for known in plan.node_groups]
    if group is not None and group not in groups:
        remedy = suggestion(group, groups, "Name a node pool of the plan.")
        yield PlanProblem(f"{where}.nodeGroup", f"There is no node pool {shown(group)}.", remedy)
    if isinstance(event, ZoneOutage):
        zones = [known.zone for known in plan.node_groups if known.zone]
        if event.zone not in zones:
            remedy = suggestion(event.zone, zones, "Name the zone of a node pool.")
            yield PlanProblem(f"{where}.zone", f"No node pool is in zone {shown(event.zone)}.", remedy)
    if isinstance(event, ImagePullDelay | Rollout | ReadinessFlap | _Resized):
        kinds = {known.name: known.kind for known in plan.workloads}
        if event.workload not in kinds:
            remedy = suggestion(event.workload, list(kinds), "Name a workload of the plan.")
            yield PlanProblem(f"{where}.workload", f"There is no workload {shown(event.workload)}.", remedy)
        elif isinstance(event, Rollout | _Resized) and kinds[event.workload] in _NOT_SCALED:
            kind = kinds[event.workload]
            problem = f"{shown(event.workload)} is a {kind}, which can be neither rolled out nor scaled here."
            yield PlanProblem(f"{where}.workload", problem, "Name a Deployment or StatefulSet.")
