"""Checks of the zones of a node pool."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import VALUE_RULE, is_label_value
from planner.plan.checks.pods import repeated
from planner.plan.derived.zones import has_zone_groups, simulated_groups
from planner.plan.files.problems import shown
from planner.plan.model.node_groups import ZONE_LABEL, NodeGroup, PoolZone, ZoneMode
from planner.plan.model.plan import Plan


def check_zones(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    """The zones of one pool, and what they do to its sizes."""
    if not group.zones:
        if group.zone_mode is not ZoneMode.BALANCED:
            problem = tr("The pool has no list of zones that could each have a group.")
            yield PlanProblem(f"{where}.zoneMode", problem, tr("Fill zones or remove the mode."))
        return
    if group.zone:
        problem = tr("The pool has both one zone and a list of zones.")
        yield PlanProblem(f"{where}.zone", problem, tr("Put it into the list and leave this empty."))
    if ZONE_LABEL in group.labels:
        problem = tr("The label {zone_label} would put all nodes into one zone.", zone_label=ZONE_LABEL)
        yield PlanProblem(f'{where}.labels["{ZONE_LABEL}"]', problem, tr("Remove the label; the zones set it."))
    for index, name in repeated([zone.name for zone in group.zones]):
        yield PlanProblem(
            f"{where}.zones[{index}].name", tr("The zone {name} is given twice.", name=shown(name)), tr("Remove one.")
        )
    for index, zone in enumerate(group.zones):
        yield from _check_zone(group, zone, f"{where}.zones[{index}]")
    if group.zone_mode is ZoneMode.PER_ZONE:
        yield from _check_sizes(group, where)


def check_zone_group_names(plan: Plan) -> Iterator[PlanProblem]:
    """Groups of zones are called after pool and zone, which another pool may be called too."""
    taken = [part.name for group in plan.node_groups for part in simulated_groups(group)]
    for index, group in enumerate(plan.node_groups):
        for part in simulated_groups(group) if has_zone_groups(group) else ():
            if taken.count(part.name) > 1:
                problem = tr(
                    "The group of one of its zones would be called {name}, as another one is.", name=shown(part.name)
                )
                yield PlanProblem(f"nodeGroups[{index}].zones", problem, tr("Choose another name for a pool."))


def _check_zone(group: NodeGroup, zone: PoolZone, where: str) -> Iterator[PlanProblem]:
    if not is_label_value(zone.name):
        yield PlanProblem(f"{where}.name", tr("{name} is not a valid zone name.", name=shown(zone.name)), VALUE_RULE)
    sizes = {"minSize": zone.min_size, "maxSize": zone.max_size, "initialSize": zone.initial_size}
    for name, size in sizes.items():
        if size is not None and group.zone_mode is ZoneMode.BALANCED:
            problem = tr("A balanced pool has one size; the cloud divides its nodes.")
            yield PlanProblem(f"{where}.{name}", problem, tr("Remove it or set zoneMode to perZone."))


def _check_sizes(group: NodeGroup, where: str) -> Iterator[PlanProblem]:
    for index, part in enumerate(simulated_groups(group)):
        if part.min_size > part.max_size:
            problem = tr(
                "{name} would have the minimum {min_size} and the maximum {max_size}.",
                name=part.name,
                min_size=part.min_size,
                max_size=part.max_size,
            )
            yield PlanProblem(f"{where}.zones[{index}].minSize", problem, tr("Lower the minimum or raise the maximum."))
        if part.initial_size > part.max_size:
            problem = tr(
                "{name} would start with {initial_size} nodes, above its maximum of {max_size}.",
                name=part.name,
                initial_size=part.initial_size,
                max_size=part.max_size,
            )
            yield PlanProblem(
                f"{where}.zones[{index}].initialSize", problem, tr("Start with fewer or raise the maximum.")
            )
