"""The faults and loads that a plan is put under, each as another plan."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.kinds.stress.load_headroom import scaled_load
from planner.language.phrases import phrase
from planner.plan.derived.karpenter_groups import karpenter_offers
from planner.plan.derived.zones import zone_names
from planner.plan.model.events.event_fields import MAX_COUNT
from planner.plan.model.events.on_control_plane import MetricsOutage
from planner.plan.model.events.on_nodes import SpotReclaim, ZoneOutage
from planner.plan.model.events.on_pools import SlowProvisioning, StockOut
from planner.plan.model.events.on_workloads import ImagePullDelay
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.experiments.stress import Ordeal, Stress
from planner.plan.model.karpenter.machine_types import CapacityType
from planner.plan.model.plan import Plan
from planner.plan.model.pricing import Market
from planner.plan.variants.application import with_changes
from planner.units import US_PER_MIN, format_duration
from planner.workloads.load_profiles import rates

LOAD_FACTOR = 2.0
BOOT_FACTOR = 3.0
PULL_DELAY_US = 2 * US_PER_MIN
OUTAGE_US = 30 * US_PER_MIN
_MOMENTS = 2_000


@dataclass(frozen=True)
class PutUnder:
    """A plan under an ordeal."""

    name: str
    what: str
    """In words."""
    plan: Plan


def ordeals_of(plan: Plan, experiment: Stress, until_us: int) -> Iterator[PutUnder]:
    """The plan under each ordeal that concerns it. Raises PlanProblems for an own ordeal that does not fit."""
    at_us = peak_us(plan, until_us) if experiment.at is None else experiment.at
    for ordeal in experiment.ordeals or tuple(Ordeal):
        yield from _MAKERS[ordeal](plan, at_us, until_us)
    for own in experiment.own_ordeals:
        try:
            yield PutUnder(own.name, own.notes or "; ".join(own.changes), with_changes(plan, own.changes))
        except PlanProblems as error:
            named = (
                PlanProblem(f"ordeal {own.name}: {problem.where}", problem.problem, problem.remedy)
                for problem in error.problems
            )
            raise PlanProblems(named, error.more) from error


def peak_us(plan: Plan, until_us: int) -> int:
    """When the load of all workloads together, in cores, is highest; without load, half way."""
    t_us = np.linspace(0, until_us, _MOMENTS, endpoint=False).astype(np.int64)
    total = np.zeros(len(t_us))
    for workload in plan.workloads:
        if workload.traffic is not None:
            per_request = workload.demand.cpu_seconds_per_request
            total += rates(workload.traffic.profile, t_us) * per_request
    return int(t_us[int(total.argmax())]) if total.any() else until_us // 2


def _with_events(plan: Plan, *events: PlanEvent) -> Plan:
    return plan.model_copy(update={"events": (*plan.events, *events)})


def _zone_lost(plan: Plan, at_us: int, _until_us: int) -> Iterator[PutUnder]:
    zones = dict.fromkeys(zone for group in plan.node_groups for zone in zone_names(group))
    zones |= dict.fromkeys(offering.zone for offers in karpenter_offers(plan).values() for offering in offers)
    for zone in zones:
        event = ZoneOutage(type="zoneOutage", zone=zone, at=at_us, duration=OUTAGE_US)
        what = phrase(
            "zone {zone} is lost at {at} for {outage}",
            zone=zone,
            at=_clock(at_us),
            outage=format_duration(OUTAGE_US),
        )
        yield PutUnder(phrase("zone {zone} lost", zone=zone), what, _with_events(plan, event))


def _spot_reclaimed(plan: Plan, at_us: int, _until_us: int) -> Iterator[PutUnder]:
    """Pools of Karpenter lose their spot nodes and keep those that were bought on demand."""
    spot = [
        (group.name, group.max_size, group.pricing.reclaim_notice)
        for group in plan.node_groups
        if group.pricing.market is Market.SPOT and group.max_size
    ]
    offers = karpenter_offers(plan)
    spot += [
        (pool.name, MAX_COUNT, pool.spot_reclaim_notice)
        for pool in plan.karpenter.node_pools
        if any(offering.capacity_type is CapacityType.SPOT for offering in offers.get(pool.name, ()))
    ]
    events = [
        SpotReclaim(type="spotReclaim", node_group=name, at=at_us, count=most, notice=notice_us)
        for name, most, notice_us in spot
    ]
    if events:
        yield PutUnder(
            phrase("spot reclaimed"),
            phrase("all spot nodes are reclaimed at {at}", at=_clock(at_us)),
            _with_events(plan, *events),
        )


def _double_load(plan: Plan, _at_us: int, _until_us: int) -> Iterator[PutUnder]:
    if any(workload.traffic is not None for workload in plan.workloads):
        yield PutUnder(
            phrase("twice the load"),
            phrase("all traffic is multiplied by {factor:g}", factor=LOAD_FACTOR),
            scaled_load(plan, LOAD_FACTOR),
        )


def _slow_image_pull(plan: Plan, _at_us: int, until_us: int) -> Iterator[PutUnder]:
    events = [
        ImagePullDelay(type="imagePullDelay", workload=workload.name, delay=PULL_DELAY_US, duration=until_us)
        for workload in plan.workloads
    ]
    if events:
        what = phrase("every pod starts {delay} later", delay=format_duration(PULL_DELAY_US))
        yield PutUnder(phrase("slow image pull"), what, _with_events(plan, *events))


def _metrics_outage(plan: Plan, at_us: int, _until_us: int) -> Iterator[PutUnder]:
    if plan.horizontal_pod_autoscalers:
        begin_us = max(0, at_us - OUTAGE_US // 2)
        event = MetricsOutage(type="metricsOutage", at=begin_us, duration=OUTAGE_US)
        what = phrase(
            "no metrics from {begin} for {outage}",
            begin=_clock(begin_us),
            outage=format_duration(OUTAGE_US),
        )
        yield PutUnder(phrase("metrics outage"), what, _with_events(plan, event))


def _slow_boot(plan: Plan, _at_us: int, until_us: int) -> Iterator[PutUnder]:
    events = [
        SlowProvisioning(type="slowProvisioning", node_group=name, factor=BOOT_FACTOR, duration=until_us)
        for name in _growing(plan)
    ]
    if events:
        yield PutUnder(
            phrase("slow boot"),
            phrase("new nodes take {factor:g} times as long", factor=BOOT_FACTOR),
            _with_events(plan, *events),
        )


def _out_of_stock(plan: Plan, _at_us: int, until_us: int) -> Iterator[PutUnder]:
    for name in _growing(plan):
        event = StockOut(type="stockOut", node_group=name, duration=until_us)
        yield PutUnder(
            phrase("{name} out of stock", name=name),
            phrase("pool {name} gets no new nodes", name=name),
            _with_events(plan, event),
        )


def _growing(plan: Plan) -> list[str]:
    """Pools that an autoscaler may grow."""
    grown = [group.name for group in plan.node_groups if group.max_size > group.min_size]
    return [*(grown if plan.runs_cluster_autoscaler else ()), *karpenter_offers(plan)]


def _clock(at_us: int) -> str:
    return format_duration(at_us // 1_000_000 * 1_000_000)


_MAKERS: Mapping[Ordeal, Callable[[Plan, int, int], Iterator[PutUnder]]] = MappingProxyType(
    {
        Ordeal.ZONE_LOST: _zone_lost,
        Ordeal.SPOT_RECLAIMED: _spot_reclaimed,
        Ordeal.DOUBLE_LOAD: _double_load,
        Ordeal.SLOW_IMAGE_PULL: _slow_image_pull,
        Ordeal.METRICS_OUTAGE: _metrics_outage,
        Ordeal.SLOW_BOOT: _slow_boot,
        Ordeal.OUT_OF_STOCK: _out_of_stock,
    }
)
