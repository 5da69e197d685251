"""Hints on values that are allowed but probably not intended, each with its place and a remedy."""

from collections.abc import Iterator, Set

from planner.language.translation import tr
from planner.plan.derived.fits import NO_OVERHEAD, pod_cpu_milli, pod_memory_bytes, why_not
from planner.plan.derived.pod_requests import resource_tolerations
from planner.plan.derived.reserves import resolved_reserve
from planner.plan.derived.zones import split_by_zone, with_zone_groups
from planner.plan.hints.autoscalers.horizontal_pod_autoscaler import hpa_hints
from planner.plan.hints.autoscalers.hpa_room import room_hints
from planner.plan.hints.autoscalers.metrics_pipeline import pipeline_hints
from planner.plan.hints.autoscalers.proportional_autoscaler import proportional_hints
from planner.plan.hints.autoscalers.scaled_object import event_scaling_hints
from planner.plan.hints.autoscalers.vertical_pod_autoscaler import vpa_hints
from planner.plan.hints.disruption import disruption_hints
from planner.plan.hints.experiments import experiment_hints
from planner.plan.hints.hint import Hint
from planner.plan.hints.load import load_hints
from planner.plan.hints.measured_numbers import measured_hints
from planner.plan.hints.node_autoscalers.cluster_autoscaler import autoscaler_hints
from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from planner.plan.hints.percentages import percentage_hints
from planner.plan.hints.placement import claim_zone_hints, placement_hints, start_node_hints, zones_of
from planner.plan.hints.pools import pool_hints
from planner.plan.hints.schedules import schedule_hints
from planner.plan.hints.versions import version_hints
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import ONE_PER_NODE, Overprovisioning, Workload
from planner.plan.values.patterns import compile_go_pattern
from planner.units import format_duration

_MAX_REASONS = 3


def find_hints(plan: Plan) -> Iterator[Hint]:
    """All hints on a plan, in the order of the file."""
    yield from _empty_plan(plan)
    yield from _node_groups(plan)
    in_zones = split_by_zone(plan)
    zones = zones_of(in_zones)
    serving = frozenset(plan.serving_rows())
    for index, workload in enumerate(plan.workloads):
        yield from _workload(workload, f"workloads[{index}]", in_zones, zones, serves=index in serving)
        yield from start_node_hints(workload, f"workloads[{index}]", plan)
    for index, reserve in enumerate(plan.overprovisioning):
        yield from _reserve(resolved_reserve(plan, reserve), f"overprovisioning[{index}]", in_zones, zones)
    yield from percentage_hints(plan)
    yield from load_hints(plan)
    yield from disruption_hints(plan)
    yield from _autoscalers(plan)
    yield from hpa_hints(plan)
    yield from proportional_hints(plan)
    yield from room_hints(plan)
    yield from vpa_hints(plan)
    yield from event_scaling_hints(plan)
    yield from schedule_hints(plan)
    yield from pipeline_hints(plan)
    yield from _cluster_autoscaler(plan)
    yield from _expanders(plan)
    yield from autoscaler_hints(plan)
    yield from karpenter_hints(plan)
    yield from version_hints(plan)
    yield from measured_hints(plan)
    yield from experiment_hints(plan)


def _empty_plan(plan: Plan) -> Iterator[Hint]:
    if not plan.node_groups and not plan.karpenter.node_pools:
        yield Hint("nodeGroups", tr("There are no node pools, so no pod can run."), tr("Add a node pool."))
    if not plan.workloads:
        yield Hint("workloads", tr("There are no workloads, so nothing happens."), tr("Add a workload."))
    if plan.simulation.record_interval > plan.simulation.duration:
        text = tr("The time series will have only its first row.")
        yield Hint("simulation.recordInterval", text, tr("Use an interval shorter than simulation.duration."))


def _node_groups(plan: Plan) -> Iterator[Hint]:
    settings = plan.cluster_autoscaler
    for index, group in enumerate(plan.node_groups):
        where = f"nodeGroups[{index}]"
        if group.initial_size < group.min_size:
            text = tr(
                "The pool starts below its minimum of {min_size}; the autoscaler does not raise it.",
                min_size=group.min_size,
            )
            yield Hint(
                f"{where}.initialSize", text, tr("Start with at least {min_size} nodes.", min_size=group.min_size)
            )
        if settings.enabled and group.provisioning_delay >= settings.max_node_provision_time:
            limit = format_duration(settings.max_node_provision_time)
            text = tr(
                "Nodes take longer than clusterAutoscaler.maxNodeProvisionTime ({limit}) and count as failed.",
                limit=limit,
            )
            yield Hint(f"{where}.provisioningDelay", text, tr("Shorten the delay or raise that time."))
    yield from pool_hints(plan)


def _workload(workload: Workload, where: str, plan: Plan, zones: Set[str], *, serves: bool) -> Iterator[Hint]:
    is_daemon_set = workload.kind in ONE_PER_NODE
    if is_daemon_set and "replicas" in workload.model_fields_set:
        text = tr("A {kind} has one pod per node; replicas is ignored.", kind=workload.kind)
        yield Hint(f"{where}.replicas", text, tr("Remove it."))
    if workload.slo is not None and not serves:
        yield Hint(f"{where}.slo", tr("The SLO is never missed without load."), tr("Add traffic or remove the SLO."))
    elif workload.slo is not None and workload.slo.target <= workload.demand.latency_floor:
        floor = format_duration(workload.demand.latency_floor)
        text = tr("Every request takes longer: the latency floor alone is {floor}, plus the CPU work.", floor=floor)
        yield Hint(f"{where}.slo.target", text, tr("Raise the target."))
    yield from _pod(workload.pod, f"{where}.pod", plan, needed=is_daemon_set or workload.replicas > 0)
    most = 1 if is_daemon_set else max([workload.replicas, *_most_replicas(workload, plan)])
    own = workload.pod.labels_of(workload.name)
    yield from placement_hints(workload.pod, f"{where}.pod", plan, zones, most, own)
    yield from claim_zone_hints(workload, where, zones)


def _most_replicas(workload: Workload, plan: Plan) -> list[int]:
    """Where autoscalers may take it."""
    target = (workload.namespace, workload.name)
    scalers = plan.horizontal_pod_autoscalers
    return [scaler.max_replicas for scaler in scalers if (scaler.namespace, scaler.scale_target) == target]


def _pod(pod: PodTemplate, where: str, plan: Plan, *, needed: bool) -> Iterator[Hint]:
    if not pod_cpu_milli(pod) and not pod_memory_bytes(pod):
        text = tr(
            "The pods request neither CPU nor memory: any number of them fits on a node, and no pool grows for them."
        )
        yield Hint(f"{where}.containers", text, tr('Give requests, for example cpu "250m" and memory "256Mi".'))
    for index, term in enumerate(pod.required_node_affinity):
        if not (term.match_expressions or term.match_fields):
            place = f"{where}.requiredNodeAffinity[{index}]"
            yield Hint(place, tr("An empty term matches no node."), tr("Add an expression or remove the term."))
    overhead = next((c.overhead for c in plan.runtime_classes if c.name == pod.runtime_class), NO_OVERHEAD)
    if plan.admission.extended_resource_toleration:
        pod = pod.model_copy(update={"tolerations": (*pod.tolerations, *resource_tolerations(pod))})
    if not needed or pod.node_name:
        return  # pods that name their node have a hint of their own
    if plan.karpenter.node_pools or not plan.node_groups:
        return
    if all(why_not(pod, group, overhead) for group in plan.node_groups):
        reasons = [(group.name, why_not(pod, group, overhead)) for group in plan.node_groups]  # most fit at once
        shown = ", ".join(f"{name} {reason}" for name, reason in reasons[:_MAX_REASONS])
        more = tr(" and {count} more", count=len(reasons) - _MAX_REASONS) if len(reasons) > _MAX_REASONS else ""
        text = tr("The pods do not fit on any node pool, even if it is empty: {shown}{more}.", shown=shown, more=more)
        yield Hint(where, text, tr("They stay pending. Change the pods or add a pool for them."))


def _reserve(reserve: Overprovisioning, where: str, plan: Plan, zones: Set[str]) -> Iterator[Hint]:
    settings = plan.cluster_autoscaler
    if not settings.enabled:
        text = tr("Without the Cluster Autoscaler, displaced pause pods do not bring new nodes.")
        yield Hint(where, text, tr("Enable clusterAutoscaler or remove the reserve."))
    elif reserve.priority < settings.expendable_pods_priority_cutoff:
        cutoff = settings.expendable_pods_priority_cutoff
        text = tr(
            "The priority is below clusterAutoscaler.expendablePodsPriorityCutoff ({cutoff}): no pool grows for it.",
            cutoff=cutoff,
        )
        yield Hint(
            f"{where}.priority",
            text,
            tr("Use at least {cutoff}, but less than the priority of the workloads.", cutoff=cutoff),
        )
    for known in () if reserve.capacity_buffer else plan.priority_classes:
        if known.value <= reserve.priority:
            text = tr(
                "Pods of the priority class {name} ({value}) cannot displace these pause pods.",
                name=known.name,
                value=known.value,
            )
            yield Hint(f"{where}.priority", text, tr("Use a priority below {value}.", value=known.value))
    yield from _pod(reserve.pod, f"{where}.pod", plan, needed=reserve.replicas > 0)
    own = reserve.pod.labels_of(reserve.name)
    yield from placement_hints(reserve.pod, f"{where}.pod", plan, zones, reserve.replicas, own)


def _autoscalers(plan: Plan) -> Iterator[Hint]:
    positions = {(workload.namespace, workload.name): index for index, workload in enumerate(plan.workloads)}
    for autoscaler in plan.horizontal_pod_autoscalers:
        index = positions.get((autoscaler.namespace, autoscaler.scale_target))
        if index is None:
            continue
        where = f"workloads[{index}].replicas"
        replicas = plan.workloads[index].replicas
        if replicas == 0:
            text = tr("At 0 replicas the autoscaler {name} does nothing.", name=autoscaler.name)
            yield Hint(where, text, tr("Start with at least {min_replicas}.", min_replicas=autoscaler.min_replicas))
        elif not autoscaler.min_replicas <= replicas <= autoscaler.max_replicas:
            bounds = tr(
                "{min_replicas} to {max_replicas}",
                min_replicas=autoscaler.min_replicas,
                max_replicas=autoscaler.max_replicas,
            )
            text = tr(
                "{replicas} is outside the bounds of the autoscaler {name}, which will change it.",
                replicas=replicas,
                name=autoscaler.name,
            )
            yield Hint(where, text, tr("Start with {bounds} replicas.", bounds=bounds))


def _cluster_autoscaler(plan: Plan) -> Iterator[Hint]:
    settings = plan.cluster_autoscaler
    window = plan.hpa_controller.downscale_stabilization
    removes = settings.enabled and settings.scale_down_enabled
    if removes and plan.horizontal_pod_autoscalers and settings.scale_down_unneeded_time < window:
        text = tr(
            "Nodes are removed sooner than autoscalers may shrink their workloads ({window}).",
            window=format_duration(window),
        )
        remedy = tr(
            "Nodes may be added and removed in turn. Raise it to at least hpaController.downscaleStabilization."
        )
        yield Hint("clusterAutoscaler.scaleDownUnneededTime", text, remedy)
    fixed = settings.enabled and plan.node_groups and all(g.min_size == g.max_size for g in plan.node_groups)
    if fixed:
        text = tr("All pools have a fixed size, so the autoscaler can do nothing.")
        yield Hint("clusterAutoscaler", text, tr("Raise maxSize of a pool or disable the autoscaler."))


def _expanders(plan: Plan) -> Iterator[Hint]:
    settings = plan.cluster_autoscaler
    if not settings.enabled:
        return
    where = "clusterAutoscaler.expander"
    if ExpanderName.PRICE in settings.expander:
        for index, group in enumerate(plan.node_groups):
            if group.node_price == 0:
                text = tr("The price expander has no price for this pool.")
                yield Hint(f"nodeGroups[{index}].pricePerHour", text, tr("Give the price of a node."))
    if ExpanderName.PRIORITY in settings.expander and not settings.priority_expander:
        text = tr("The priority expander has no priorities and filters nothing.")
        yield Hint(where, text, tr("Fill clusterAutoscaler.priorityExpander or choose another expander."))
    if ExpanderName.PRIORITY not in settings.expander and settings.priority_expander:
        text = tr("Only the priority expander uses the priorities.")
        yield Hint("clusterAutoscaler.priorityExpander", text, tr("Add priority to the expanders or remove them."))
    names = [group.name for group in with_zone_groups(plan).node_groups]
    for index, tier in enumerate(settings.priority_expander):
        for position, pattern in enumerate(tier.groups):
            found = compile_go_pattern(pattern)
            if not any(found.search(name) for name in names):
                place = f"clusterAutoscaler.priorityExpander[{index}].groups[{position}]"
                yield Hint(
                    place,
                    tr("No pool has a name like {pattern}.", pattern=pattern),
                    tr("Correct the pattern or remove it."),
                )
