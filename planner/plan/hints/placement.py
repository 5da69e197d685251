"""Hints on placement: values that are allowed but leave pods pending or have no effect."""

import re
from collections.abc import Iterator, Mapping, Set

from planner.language.translation import tr
from planner.matching.selectors import SelectorOperator, selector_matches
from planner.matching.taints import TaintEffect
from planner.plan.checks.validate import HOSTNAME_LABEL
from planner.plan.derived.fits import NO_OVERHEAD, why_not
from planner.plan.derived.karpenter_groups import karpenter_offers
from planner.plan.derived.zones import with_zone_groups
from planner.plan.hints.hint import Hint
from planner.plan.model.node_groups import ZONE_LABEL, NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, UnsatisfiableAction
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import ONE_PER_NODE, Workload
from planner.units import format_duration

_NUMBER = re.compile("[0-9]{4,}")


def zones_of(plan: Plan) -> frozenset[str]:
    """Zones in which a plan, split by zone, can have nodes; empty text: in none."""
    groups = [group for group in plan.node_groups if group.max_size or group.initial_size]
    own = [group.node_labels.get(ZONE_LABEL, "") for group in groups]
    return frozenset(own).union(offering.zone for offers in karpenter_offers(plan).values() for offering in offers)


def placement_hints(
    pod: PodTemplate, where: str, plan: Plan, zones: Set[str], replicas: int, own: dict[str, str]
) -> Iterator[Hint]:
    """Hints on one template.

    `zones`: those that can have nodes; `replicas`: most pods it may get; `own`: the labels the pods carry.
    """
    if pod.node_name:
        yield from _node_name(pod, where, plan)
        return  # the rest is for schedulers
    if pod.scheduler_name not in [profile.scheduler_name for profile in plan.scheduler.profiles]:
        text = tr(
            "No scheduler profile is called {scheduler_name}, so the pods stay pending.",
            scheduler_name=pod.scheduler_name,
        )
        yield Hint(f"{where}.schedulerName", text, tr("Add the profile to scheduler.profiles or use another one."))
    yield from _gates(pod, where, plan)
    if plan.karpenter.node_pools:  # else there is a hint that compares the pods with all pools
        yield from _nowhere(pod, where, zones)
    if not plan.node_groups:
        return
    yield from _spread_keys(pod, where, plan)
    yield from _affinity_keys(pod, where, plan)
    yield from _crowded(pod, where, plan, replicas, own)


def _nowhere(pod: PodTemplate, where: str, zones: Set[str]) -> Iterator[Hint]:
    """Pods that ask for a zone without nodes."""
    remedy, zone = tr("Add a pool there or name another zone."), pod.node_selector.get(ZONE_LABEL)
    if zone is not None and zone not in zones:
        text = tr("No pool has nodes in the zone {zone}, so the pods stay pending.", zone=zone)
        yield Hint(f'{where}.nodeSelector["{ZONE_LABEL}"]', text, remedy)
    for index, term in enumerate(pod.required_node_affinity):
        for position, each in enumerate(term.match_expressions):
            if each.key == ZONE_LABEL and each.operator is SelectorOperator.IN and zones.isdisjoint(each.values):
                text = tr(
                    "No pool has nodes in the zone {zone}: the term matches no node.", zone=", ".join(each.values)
                )
                yield Hint(f"{where}.requiredNodeAffinity[{index}].matchExpressions[{position}].values", text, remedy)


def _gates(pod: PodTemplate, where: str, plan: Plan) -> Iterator[Hint]:
    for index, gate in enumerate(pod.scheduling_gates):
        place = f"{where}.schedulingGates[{index}].removedAt"
        if gate.removed_at is None:
            yield Hint(
                place,
                tr("The gate {name} is never removed, so the pods never run.", name=gate.name),
                tr("Give a time."),
            )
        elif gate.removed_at >= plan.simulation.duration:
            end = format_duration(plan.simulation.duration)
            yield Hint(place, tr("The run ends ({end}) before the gate is removed.", end=end), tr("Remove it earlier."))


def start_node_hints(workload: Workload, where: str, plan: Plan) -> Iterator[Hint]:
    """Pods that are on a node when the run begins."""
    place = f"{where}.startsOn"
    if not workload.starts_on:
        return
    if workload.kind in ONE_PER_NODE:
        text = tr("A {kind} has one pod per node, so its nodes at the start are ignored.", kind=workload.kind)
        yield Hint(place, text, tr("Remove them."))
        return
    count = sum(workload.starts_on.values())
    if count > workload.replicas:
        text = tr(
            "{count} pods have nodes at the start, but there are only {replicas}: the rest are ignored.",
            count=count,
            replicas=workload.replicas,
        )
        yield Hint(place, text, tr("Lower the numbers or raise the replicas."))
    sizes = {group.name: group.initial_size for group in with_zone_groups(plan).node_groups}
    unknown = [name for name in workload.starts_on if not _is_there_at_start(name, sizes)]
    if unknown:
        text = tr("No pool starts with the node {unknown}: its pods are scheduled normally.", unknown=unknown[0])
        yield Hint(f'{place}["{unknown[0]}"]', text, tr("Use a name such as <pool>-0001, up to the size at the start."))


def _is_there_at_start(name: str, sizes: Mapping[str, int]) -> bool:
    pool, _, number = name.rpartition("-")
    return bool(_NUMBER.fullmatch(number)) and 1 <= int(number) <= sizes.get(pool, 0)


def _node_name(pod: PodTemplate, where: str, plan: Plan) -> Iterator[Hint]:
    """Nodes are called after their group, with a serial number that is never reused; a kubelet has the last word."""
    place, remedy = f"{where}.nodeName", tr("Use a name such as <pool>-0001, or remove it and use a node selector.")
    groups = with_zone_groups(plan).node_groups
    name, (pool, _, number) = pod.node_name, pod.node_name.rpartition("-")
    mine = [group for group in groups if group.name == pool]
    if not mine or not _NUMBER.fullmatch(number) or int(number) == 0:
        text = tr("No pool has a node called {name}: the pods never run and are removed after a while.", name=name)
        yield Hint(place, text, remedy)
        return
    size = sum(group.initial_size for group in mine)
    if int(number) > size:
        text = tr(
            "The pool {pool} starts with fewer nodes ({size}): until {name} joins, the pods are removed.",
            pool=pool,
            size=size,
            name=name,
        )
        yield Hint(place, text, remedy)
    overhead = next((known.overhead for known in plan.runtime_classes if known.name == pod.runtime_class), NO_OVERHEAD)
    reasons = [why_not(pod, group, overhead, (TaintEffect.NO_EXECUTE,)) for group in mine]
    if reasons[0] is not None and all(reasons):
        text = tr(
            "The node {name} {reasons}, so its kubelet fails every one of these pods.", name=name, reasons=reasons[0]
        )
        yield Hint(place, text, tr("Change the pods or name another node; the autoscaler adds no node for such pods."))


def claim_zone_hints(workload: Workload, where: str, zones: Set[str]) -> Iterator[Hint]:
    """Volumes in a zone that can have no nodes. `zones`: those that can."""
    for index, zone in enumerate(workload.stateful.claim_zones):
        if zone and zone not in zones:
            text = tr("No pool has nodes in the zone {zone}, so the pod of this volume stays pending.", zone=zone)
            yield Hint(f"{where}.stateful.claimZones[{index}]", text, tr("Add a pool there or name another zone."))


def _spread_keys(pod: PodTemplate, where: str, plan: Plan) -> Iterator[Hint]:
    for index, constraint in enumerate(pod.topology_spread_constraints):
        place = f"{where}.topologySpreadConstraints[{index}]"
        lacking = [group.name for group in plan.node_groups if not _has_label(group, constraint.topology_key)]
        hard = constraint.when_unsatisfiable is UnsatisfiableAction.DO_NOT_SCHEDULE
        if len(lacking) == len(plan.node_groups):
            effect = tr("no node can run the pods") if hard else tr("the constraint has no effect")
            text = tr(
                "No pool carries the label {topology_key}, so {effect}.",
                topology_key=constraint.topology_key,
                effect=effect,
            )
            yield Hint(f"{place}.topologyKey", text, tr("Label the pools or use another key."))
        elif lacking and hard:
            text = tr(
                "Pools without the label {topology_key} are never used: {lacking}.",
                topology_key=constraint.topology_key,
                lacking=", ".join(lacking[:3]),
            )
            yield Hint(f"{place}.topologyKey", text, tr("Label them too, or use ScheduleAnyway."))
        domains = {g.node_labels.get(constraint.topology_key) for g in plan.node_groups if g.name not in lacking}
        if hard and constraint.topology_key != HOSTNAME_LABEL and 0 < len(domains) < constraint.min_domains:
            text = tr(
                "There are {count} domains, so each takes at most {max_skew} pods.",
                count=len(domains),
                max_skew=constraint.max_skew,
            )
            yield Hint(f"{place}.minDomains", text, tr("Lower it to {count} or add pools.", count=len(domains)))


def _affinity_keys(pod: PodTemplate, where: str, plan: Plan) -> Iterator[Hint]:
    kinds = (
        ("requiredPodAffinity", pod.required_pod_affinity, tr("no node can run the pods")),
        ("requiredPodAntiAffinity", pod.required_pod_anti_affinity, tr("the term has no effect")),
    )
    for name, terms, effect in kinds:
        for index, term in enumerate(terms):
            if not any(_has_label(group, term.topology_key) for group in plan.node_groups):
                text = tr(
                    "No pool carries the label {topology_key}, so {effect}.",
                    topology_key=term.topology_key,
                    effect=effect,
                )
                yield Hint(f"{where}.{name}[{index}].topologyKey", text, tr("Label the pools or use another key."))


def _crowded(pod: PodTemplate, where: str, plan: Plan, replicas: int, own: dict[str, str]) -> Iterator[Hint]:
    """More pods than domains that take one each."""
    has_host_ports = any(container.host_ports for container in pod.containers)
    if not (has_host_ports or pod.required_pod_anti_affinity):
        return  # before anything is counted: a plan may have thousands of workloads
    nodes = sum(max(group.max_size, group.initial_size) for group in plan.node_groups)
    for index, term in enumerate(pod.required_pod_anti_affinity):
        if not _means_own(term, own):
            continue
        values = {g.node_labels.get(term.topology_key) for g in plan.node_groups if _has_label(g, term.topology_key)}
        domains = nodes if term.topology_key == HOSTNAME_LABEL else len(values)
        if values and replicas > domains and all(_has_label(g, term.topology_key) for g in plan.node_groups):
            what = (
                "nodes"
                if term.topology_key == HOSTNAME_LABEL
                else tr("values of {topology_key}", topology_key=term.topology_key)
            )
            text = tr(
                "At most one pod goes to each of {domains} {what}; {replicas} of {replicas_2} stay pending.",
                domains=domains,
                what=what,
                replicas=replicas - domains,
                replicas_2=replicas,
            )
            place = f"{where}.requiredPodAntiAffinity[{index}]"
            yield Hint(place, text, tr("Allow more nodes, run fewer pods, or use a preferred term."))
    if replicas > nodes and has_host_ports:
        text = tr(
            "Each node takes one pod with these host ports; {replicas} of {replicas_2} pods stay pending.",
            replicas=replicas - nodes,
            replicas_2=replicas,
        )
        yield Hint(f"{where}.containers", text, tr("Allow more nodes, run fewer pods, or use no host ports."))


def _means_own(term: PodAffinityTerm, own: dict[str, str]) -> bool:
    """Whether the pods are certain to repel each other; expressions are not evaluated."""
    selector: LabelSelector | None = term.label_selector
    if selector is None or selector.match_expressions or term.namespaces or term.mismatch_label_keys:
        return False
    return selector_matches(selector, own)


def _has_label(group: NodeGroup, key: str) -> bool:
    """Every node carries its name as a label."""
    return key == HOSTNAME_LABEL or key in group.node_labels
