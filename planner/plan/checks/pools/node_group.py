"""Checks of one node pool."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import VALUE_RULE, is_label_value
from planner.plan.checks.pods import check_extended, check_taints
from planner.plan.checks.pools.kubelet import check_kubelet
from planner.plan.checks.pools.zones import check_zones
from planner.plan.checks.selectors import check_labels
from planner.plan.files.problems import shown
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, ZONE_LABEL, NodeGroup
from planner.units import format_bytes, format_cpu


def check_node_group(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    """One node pool."""
    yield from _check_sizes(group, where)
    yield from _check_capacity(group, where)
    yield from check_kubelet(group, where)
    yield from check_extended(group.extended, f"{where}.extended")
    yield from check_labels(group.labels, f"{where}.labels")
    yield from check_taints(group.taints, f"{where}.taints")
    yield from check_zones(group, where)
    if group.driver_delay and not group.extended:
        problem = tr("The nodes have no extended resources that a driver could bring.")
        yield PlanProblem(f"{where}.driverDelay", problem, tr("Remove the delay or add the resources."))
    yield from _check_labelled_settings(group, where)


def _check_sizes(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    if group.min_size > group.max_size:
        yield PlanProblem(
            f"{where}.minSize",
            tr(
                "The minimum ({min_size}) is above the maximum ({max_size}).",
                min_size=group.min_size,
                max_size=group.max_size,
            ),
            tr("Lower it to {max_size} or raise the maximum.", max_size=group.max_size),
        )
    if group.initial_size > group.max_size:
        yield PlanProblem(
            f"{where}.initialSize",
            tr(
                "The size at the start ({initial_size}) is above the maximum ({max_size}).",
                initial_size=group.initial_size,
                max_size=group.max_size,
            ),
            tr("Lower it to {max_size} or raise the maximum.", max_size=group.max_size),
        )


def _check_capacity(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    amounts = (
        ("Cpu", group.cpu, group.reserved_cpu, format_cpu),
        ("Memory", group.memory, group.reserved_memory, format_bytes),
    )
    for name, capacity, reserved, text in amounts:
        if capacity == 0:
            problem = tr("The nodes have no {name}.", name=name.lower())
            yield PlanProblem(f"{where}.{name.lower()}", problem, tr("Give the capacity of a node."))
        elif reserved >= capacity:
            problem = tr(
                "The reserve ({text}) leaves nothing of the capacity ({text_2}).",
                text=text(reserved),
                text_2=text(capacity),
            )
            yield PlanProblem(f"{where}.reserved{name}", problem, tr("Reserve less than {text}.", text=text(capacity)))


def _check_labelled_settings(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    """Settings that every node carries as a label as well."""
    kind = group.machine_type
    if not is_label_value(kind):
        problem = tr("{kind} is not the name of a machine type.", kind=shown(kind))
        yield PlanProblem(f"{where}.machineType", problem, VALUE_RULE)
    if kind and group.labels.get(MACHINE_TYPE_LABEL, kind) != kind:
        problem = tr(
            "The label {machine_type_label} differs from the machine type {kind}.",
            machine_type_label=MACHINE_TYPE_LABEL,
            kind=shown(kind),
        )
        yield PlanProblem(
            f'{where}.labels["{MACHINE_TYPE_LABEL}"]', problem, tr("Remove the label; the machine type sets it.")
        )
    if not is_label_value(group.zone):
        yield PlanProblem(f"{where}.zone", tr("{zone} is not a valid zone name.", zone=shown(group.zone)), VALUE_RULE)
    if group.zone and group.labels.get(ZONE_LABEL, group.zone) != group.zone:
        problem = tr(
            "The label {zone_label} differs from the zone {zone}.", zone_label=ZONE_LABEL, zone=shown(group.zone)
        )
        yield PlanProblem(f'{where}.labels["{ZONE_LABEL}"]', problem, tr("Remove the label; the zone sets it."))
