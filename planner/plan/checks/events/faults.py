"""Checks that events refer to existing parts of the plan and can happen during the run."""

import re
from collections.abc import Iterator
from itertools import islice

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.pods import check_taints, repeated, suggestion
from planner.plan.derived.zones import simulated_groups, zone_names
from planner.plan.files.problems import shown
from planner.plan.model.events.on_nodes import NodeClassChange, NodeUpgrade, OnNodes, TaintNodes, ZoneOutage
from planner.plan.model.events.on_pools import FailureKind, ProvisioningFailure, ResizePool
from planner.plan.model.events.on_workloads import (
    CreateWorkload,
    DeletePods,
    DeleteWorkload,
    ImagePullDelay,
    ReadinessFlap,
    Rollout,
    SetReplicas,
)
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.events.times import OnHolidays
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import SCALABLE, WorkloadKind
from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import day_of, due_between, zone_named
from planner.units import US_PER_H, format_duration

MAX_OCCURRENCES = 100_000
_NUMBER = re.compile("[0-9]{4,}")
_Resized = SetReplicas | CreateWorkload | DeleteWorkload
_OfWorkload = ImagePullDelay | Rollout | ReadinessFlap | DeletePods | _Resized


def check_events(plan: Plan) -> Iterator[PlanProblem]:
    """All events of a plan."""
    for index, event in enumerate(plan.events):
        where = f"events[{index}]"
        yield from _check_time(plan, event, where)
        yield from _check_names(plan, event, where)
        if isinstance(event, OnNodes):
            yield from _check_nodes(plan, event, where)
        if isinstance(event, ProvisioningFailure):
            yield from _check_failure(plan, event, where)
        if isinstance(event, TaintNodes):
            yield from check_taints((event.taint,), f"{where}.taint")
        if isinstance(event, NodeUpgrade) and event.max_surge == 0 and event.max_unavailable == 0:
            problem = tr("Without surge or unavailable nodes the upgrade cannot begin.")
            yield PlanProblem(f"{where}.maxSurge", problem, tr("Give at least one of them, for example maxSurge 1."))
        if isinstance(event, ResizePool) and event.min_size > event.max_size:
            problem = tr(
                "The minimum ({min_size}) is above the maximum ({max_size}).",
                min_size=event.min_size,
                max_size=event.max_size,
            )
            yield PlanProblem(
                f"{where}.minSize", problem, tr("Lower it to {max_size} or raise the maximum.", max_size=event.max_size)
            )


def _check_nodes(plan: Plan, event: OnNodes, where: str) -> Iterator[PlanProblem]:
    """Nodes are called after their group, with a serial number."""
    named = [group for group in plan.node_groups if group.name == event.node_group]
    pools = [part.name for group in named for part in simulated_groups(group)]
    for index, name in enumerate(event.nodes):
        pool, _, number = name.rpartition("-")
        if pools and (pool not in pools or not _NUMBER.fullmatch(number)):
            problem = tr(
                "No node of {node_group} can be called {name}.", node_group=shown(event.node_group), name=shown(name)
            )
            yield PlanProblem(
                f"{where}.nodes[{index}]", problem, tr("Use a name such as {pools}-0001.", pools=pools[0])
            )
    for index, name in repeated(event.nodes):
        yield PlanProblem(
            f"{where}.nodes[{index}]", tr("The node {name} is named twice.", name=shown(name)), tr("Remove one.")
        )


def _check_failure(plan: Plan, event: ProvisioningFailure, where: str) -> Iterator[PlanProblem]:
    without = [group.name for group in plan.node_groups if not group.extended]
    if event.kind is FailureKind.RESOURCE_MISSING and event.node_group in without:
        problem = tr("The nodes of {node_group} have no extended resources.", node_group=shown(event.node_group))
        yield PlanProblem(f"{where}.kind", problem, tr("Choose another kind or add extended resources to the pool."))


def _check_time(plan: Plan, event: PlanEvent, where: str) -> Iterator[PlanProblem]:
    duration = plan.simulation.duration
    if event.at > duration:
        problem = tr("It would happen at {at}, after the end of the run.", at=format_duration(event.at))
        yield PlanProblem(
            f"{where}.at", problem, tr("Use a time up to {duration}.", duration=format_duration(duration))
        )
    if event.schedule:
        yield from _check_schedule(plan, event, where)
    if event.per_hour * (duration / US_PER_H) > MAX_OCCURRENCES:
        problem = tr("It would happen more than {max_occurrences} times in the run.", max_occurrences=MAX_OCCURRENCES)
        yield PlanProblem(f"{where}.perHour", problem, tr("Use a lower rate."))


def _check_schedule(plan: Plan, event: PlanEvent, where: str) -> Iterator[PlanProblem]:
    starts_us, schedule, zone = plan.simulation.starts_at, parse_cron(event.schedule), zone_named(event.time_zone)
    since_us, until_us = starts_us + event.at - 1, starts_us + plan.simulation.duration
    moments = due_between(schedule, zone, since_us, until_us)
    if event.on_holidays is not OnHolidays.AS_USUAL:
        if not plan.simulation.holidays:
            remedy = tr("Give simulation.holidays some dates, or remove onHolidays.")
            yield PlanProblem(f"{where}.onHolidays", tr("The plan has no holidays."), remedy)
            return
        holidays = frozenset(plan.simulation.holidays)
        moments = (at for at in moments if event.on_holidays.applies(day_of(at, zone).isoformat() in holidays))
    count = sum(1 for _ in islice(moments, MAX_OCCURRENCES + 1))
    if not count:
        problem = tr("{schedule} is never due during the run.", schedule=shown(event.schedule))
        remedy = tr("Choose another moment, or let the run begin or end at others.")
        yield PlanProblem(f"{where}.schedule", problem, remedy)
    elif count > MAX_OCCURRENCES:
        problem = tr("It would happen more than {max_occurrences} times in the run.", max_occurrences=MAX_OCCURRENCES)
        yield PlanProblem(f"{where}.schedule", problem, tr("Use a schedule with fewer moments."))


def _check_names(plan: Plan, event: PlanEvent, where: str) -> Iterator[PlanProblem]:
    group = getattr(event, "node_group", None)
    groups = [known.name for known in plan.node_groups] + [pool.name for pool in plan.karpenter.node_pools]
    if group is not None and group not in groups:
        remedy = suggestion(group, groups, tr("Name a node pool of the plan."))
        yield PlanProblem(f"{where}.nodeGroup", tr("There is no node pool {group}.", group=shown(group)), remedy)
    elif group is not None:
        yield from _check_owner(plan, event, group, f"{where}.nodeGroup")
    if isinstance(event, ZoneOutage):
        zones = [zone for known in plan.node_groups for zone in zone_names(known)]
        zones += [offering.zone for machine in plan.karpenter.instance_types for offering in machine.offerings]
        if event.zone not in zones:
            remedy = suggestion(event.zone, zones, tr("Name the zone of a node pool."))
            yield PlanProblem(f"{where}.zone", tr("No node pool is in zone {zone}.", zone=shown(event.zone)), remedy)
    if isinstance(event, _OfWorkload):
        kinds = {known.name: known.kind for known in plan.workloads}
        if event.workload not in kinds:
            remedy = suggestion(event.workload, list(kinds), tr("Name a workload of the plan."))
            yield PlanProblem(
                f"{where}.workload", tr("There is no workload {workload}.", workload=shown(event.workload)), remedy
            )
        else:
            yield from _check_kind(event, kinds[event.workload], f"{where}.workload")


def _check_owner(plan: Plan, event: PlanEvent, group: str, where: str) -> Iterator[PlanProblem]:
    """Sizes are for node groups, node classes for Karpenter."""
    pools = [pool.name for pool in plan.karpenter.node_pools]
    if isinstance(event, NodeClassChange) and group not in pools:
        problem = tr("{group} is a node group, which has no node class.", group=shown(group))
        yield PlanProblem(where, problem, suggestion(group, pools, tr("Use a nodeUpgrade for node groups.")))
    if isinstance(event, NodeUpgrade | ResizePool) and group in pools:
        problem = tr("{group} belongs to Karpenter, which keeps no size of its pools.", group=shown(group))
        yield PlanProblem(where, problem, tr("Use a nodeClassChange to have its nodes replaced."))


def _check_kind(event: _OfWorkload, kind: WorkloadKind, where: str) -> Iterator[PlanProblem]:
    """Only what has replicas or a template can be changed; bare pods are made and deleted."""
    if isinstance(event, DeletePods) and kind is WorkloadKind.STATIC_POD:
        problem = tr(
            "{workload} is a {kind}: deleting its mirror pods does not stop what a kubelet runs.",
            workload=shown(event.workload),
            kind=kind,
        )
        yield PlanProblem(where, problem, tr("Name another workload."))
    makes = isinstance(event, CreateWorkload | DeleteWorkload) and kind is WorkloadKind.POD
    if isinstance(event, Rollout | _Resized) and kind not in SCALABLE and not makes:
        problem = tr(
            "{workload} is a {kind}, which can be neither rolled out nor scaled by events.",
            workload=shown(event.workload),
            kind=kind,
        )
        yield PlanProblem(where, problem, tr("Name a Deployment or StatefulSet."))
