"""Hints on Karpenter's pools."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

from planner.language.translation import tr
from planner.plan.checks.pods import suggestion
from planner.plan.derived.fits import pod_cpu_milli, pod_memory_bytes
from planner.plan.derived.karpenter_groups import karpenter_offers
from planner.plan.derived.machine_choice import CAPACITY_TYPE
from planner.plan.files.problems import shown
from planner.plan.hints.hint import Hint
from planner.plan.model.events.on_nodes import SpotReclaim
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.plan.model.karpenter.node_pools import ConsolidationPolicy, NodePool, PoolBudget, RequirementWord
from planner.plan.model.karpenter.settings import SpotAllocation
from planner.plan.model.node_groups import ZONE_LABEL
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import ONE_PER_NODE
from planner.plan.values.cron import parse_cron
from planner.units import US_PER_MIN, format_bytes, format_cpu

_NOTHING = (0, "0%")
_FIRST_DAY, _CALENDAR_DAYS = date(2027, 1, 1), 4 * 365 + 1
"""With a leap day: after four years a calendar has shown all its gaps."""
_MINUTES_OF_DAY = 24 * 60


def karpenter_hints(plan: Plan) -> Iterator[Hint]:
    """Consolidation that churns or never happens, pods that hold every node, limits below the load."""
    where = "karpenter.nodePools"
    for index, pool in enumerate(plan.karpenter.node_pools):
        yield from _budgets(pool, f"{where}[{index}].disruption.budgets")
        yield from _churn(plan, pool, f"{where}[{index}].disruption.consolidateAfter")
        yield from _zones(plan, pool, f"{where}[{index}].requirements")
        yield from _market(plan, pool, f"{where}[{index}].requirements")
    if plan.karpenter.node_pools:
        yield from _held_nodes(plan)
        yield from _limits(plan)
        yield from _reclaims(plan)
        yield from _buffers(plan)
        yield from _scores(plan)


def _budgets(pool: NodePool, where: str) -> Iterator[Hint]:
    for index, budget in enumerate(pool.disruption.budgets):
        if budget.nodes in _NOTHING and _never_ends(budget):
            what = ", ".join(budget.reasons) or tr("any reason")
            text = tr("This budget of 0 never ends: nodes are never disrupted for {what}.", what=what)
            yield Hint(f"{where}[{index}].nodes", text, tr("Give it a schedule and a duration, or a larger number."))


def _never_ends(budget: PoolBudget) -> bool:
    """Whether it is in force again before, or as soon as, it ends: always without a schedule."""
    if not budget.schedule or budget.duration is None:
        return True
    schedule = parse_cron(budget.schedule)
    minutes = sorted(60 * hour + minute for hour in schedule.hours for minute in schedule.minutes)
    days = [day for day in range(_CALENDAR_DAYS) if schedule.falls_on(_FIRST_DAY + timedelta(days=day))]
    if not days:
        return False
    gaps = [later - earlier for earlier, later in pairwise(minutes)]
    gaps += [
        (later - earlier) * _MINUTES_OF_DAY + minutes[0] - minutes[-1]
        for earlier, later in pairwise((*days, _CALENDAR_DAYS + days[0]))
    ]
    return budget.duration >= max(gaps) * US_PER_MIN


def _churn(plan: Plan, pool: NodePool, where: str) -> Iterator[Hint]:
    policy, after = pool.disruption.consolidation_policy, pool.disruption.consolidate_after
    moves = policy is ConsolidationPolicy.WHEN_EMPTY_OR_UNDERUTILIZED and after == 0
    if moves and plan.horizontal_pod_autoscalers:
        text = tr("Nodes are consolidated as soon as pods have left, while autoscalers change the number of pods.")
        yield Hint(where, text, tr("Raise it, for example to 5m, if pods move too often."))


def _zones(plan: Plan, pool: NodePool, where: str) -> Iterator[Hint]:
    """Zones that a pool allows and no machine can be had in."""
    zones = sorted({offering.zone for machine in plan.karpenter.instance_types for offering in machine.offerings})
    for index, each in enumerate(pool.requirements):
        if each.key != ZONE_LABEL or each.operator is not RequirementWord.IN:
            continue
        for zone in each.values:
            if zone not in zones:
                text = tr("No machine type is offered in the zone {zone}.", zone=shown(zone))
                remedy = suggestion(zone, zones, tr("Add an offering there or remove the zone."))
                yield Hint(f"{where}[{index}].values", text, remedy)


def _market(plan: Plan, pool: NodePool, where: str) -> Iterator[Hint]:
    """A claim that allows both markets is replaced by spot machines only."""
    offers = (offering for machine in plan.karpenter.instance_types for offering in machine.offerings)
    has_spot = any(offering.capacity_type is CapacityType.SPOT for offering in offers)
    if not has_spot and all(each.key != CAPACITY_TYPE for each in pool.requirements):
        text = tr("Where a pool allows every capacity type, consolidation launches spot machines only; there are none.")
        yield Hint(where, text, tr("Require {capacity_type} In on-demand.", capacity_type=CAPACITY_TYPE))


def _reclaims(plan: Plan) -> Iterator[Hint]:
    offers = karpenter_offers(plan)
    for index, event in enumerate(plan.events):
        offered = offers.get(event.node_group) if isinstance(event, SpotReclaim) else None
        if offered is not None and all(each.capacity_type is not CapacityType.SPOT for each in offered):
            text = tr("The pool has no spot nodes: the cloud takes none of its nodes back.")
            remedy = tr("Name a pool that may buy spot machines, or use a nodeLoss.")
            yield Hint(f"events[{index}].nodeGroup", text, remedy)


def _buffers(plan: Plan) -> Iterator[Hint]:
    """Karpenter 1.13 has no CapacityBuffers; they come with a later version, behind a gate."""
    is_known = plan.runs_cluster_autoscaler or plan.karpenter.capacity_buffers
    for index, reserve in enumerate(plan.overprovisioning):
        if reserve.capacity_buffer and plan.runs_karpenter and not is_known:
            text = tr("Karpenter keeps no room free for a CapacityBuffer while its gate is off.")
            remedy = tr("Turn on karpenter.capacityBuffers, or use pause pods: turn capacityBuffer off.")
            yield Hint(f"overprovisioning[{index}].capacityBuffer", text, remedy)


def _scores(plan: Plan) -> Iterator[Hint]:
    """Of offerings with one score the cheapest is taken, as if there were none."""
    spot = CapacityType.SPOT
    offers = [o for machine in plan.karpenter.instance_types for o in machine.offerings if o.capacity_type is spot]
    by_score = plan.karpenter.spot_allocation is SpotAllocation.PRICE_CAPACITY_OPTIMIZED
    if by_score and len({offer.capacity_score for offer in offers}) < 2:
        text = tr("All spot offerings have the same capacity score: the cheapest one is bought.")
        yield Hint("karpenter.spotAllocation", text, tr("Give offerings the scores that your cloud says."))


def _held_nodes(plan: Plan) -> Iterator[Hint]:
    movable = [each for each in plan.workloads if each.kind not in ONE_PER_NODE]
    pods = sum(each.replicas for each in movable)
    held = sum(each.replicas for each in movable if each.pod.do_not_disrupt)
    if pods and held * 2 > pods:
        text = tr("{held} of {pods} pods carry karpenter.sh/do-not-disrupt and hold their nodes.", held=held, pods=pods)
        yield Hint("workloads", text, tr("Keep the annotation for pods that must not be moved."))


def _limits(plan: Plan) -> Iterator[Hint]:
    grows = plan.runs_cluster_autoscaler
    groups = [(max(g.max_size, g.initial_size) if grows else g.initial_size, g) for g in plan.node_groups]
    pods = [(each.replicas, each.pod) for each in plan.workloads if each.kind not in ONE_PER_NODE]
    limits = [pool.limits for pool in plan.karpenter.node_pools]
    cpu = [*(each.cpu for each in limits), *(size * group.cpu for size, group in groups)]
    memory = [*(each.memory for each in limits), *(size * group.memory for size, group in groups)]
    wanted_cpu = sum(count * pod_cpu_milli(pod) for count, pod in pods)
    wanted_memory = sum(count * pod_memory_bytes(pod) for count, pod in pods)
    where, remedy = "karpenter.nodePools[0].limits", tr("Raise the limits or lower the requests.")
    if (most := _sum_of_all(cpu)) is not None and most < wanted_cpu:
        allowed, wanted = format_cpu(most), format_cpu(wanted_cpu)
        text = tr("The limits of all pools allow {most} CPU; {wanted} are requested.", most=allowed, wanted=wanted)
        yield Hint(f"{where}.cpu", text, remedy)
    if (most := _sum_of_all(memory)) is not None and most < wanted_memory:
        allowed, wanted = format_bytes(most), format_bytes(wanted_memory)
        text = tr(
            "The limits of all pools allow {most} of memory; {wanted} are requested.", most=allowed, wanted=wanted
        )
        yield Hint(f"{where}.memory", text, remedy)


def _sum_of_all(limits: Sequence[int | None]) -> int | None:
    """None where one has no limit."""
    return None if None in limits else sum(limit or 0 for limit in limits)
