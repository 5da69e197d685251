"""Checks of Karpenter's pools and machine types."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.matching.label_syntax import KEY_RULE, is_label_key
from planner.plan.checks.pods import check_taints, repeated, suggestion
from planner.plan.checks.selectors import check_labels
from planner.plan.derived.machine_choice import allows, machine_values, serves
from planner.plan.files.problems import shown
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import next_due_us, zone_named

_RESTRICTED = ("karpenter.sh/nodepool", "kubernetes.io/hostname")


def check_karpenter(plan: Plan) -> Iterator[PlanProblem]:
    """Names, requirements and what the machine types can serve."""
    settings, where = plan.karpenter, "karpenter"
    for index, name in repeated([each.name for each in settings.instance_types]):
        problem = tr("The machine type {name} is given twice.", name=shown(name))
        yield PlanProblem(f"{where}.instanceTypes[{index}].name", problem, tr("Remove one."))
    for index, machine in enumerate(settings.instance_types):
        place = f"{where}.instanceTypes[{index}]"
        yield from check_labels(machine.labels, f"{place}.labels")
        if machine.reserved_cpu > machine.cpu or machine.reserved_memory > machine.memory:
            problem = tr("More is reserved than the machine has.")
            yield PlanProblem(f"{place}.reservedCpu", problem, tr("Lower the reserved CPU or memory."))
    count = len(plan.node_groups)
    names = [group.name for group in plan.node_groups] + [pool.name for pool in settings.node_pools]
    for index, name in repeated(names):
        if index >= count:
            problem = tr("The name {name} is already used by another node pool.", name=shown(name))
            yield PlanProblem(f"{where}.nodePools[{index - count}].name", problem, tr("Choose another name."))
    for index, pool in enumerate(settings.node_pools):
        yield from _check_pool(plan, pool, f"{where}.nodePools[{index}]")


def _check_pool(plan: Plan, pool: NodePool, where: str) -> Iterator[PlanProblem]:
    yield from check_labels(pool.labels, f"{where}.labels")
    yield from check_taints(pool.taints, f"{where}.taints")
    yield from check_taints(pool.startup_taints, f"{where}.startupTaints")
    for index, each in enumerate(pool.requirements):
        place = f"{where}.requirements[{index}].key"
        if not is_label_key(each.key):
            yield PlanProblem(place, tr("{key} is not a label key.", key=shown(each.key)), KEY_RULE)
        elif each.key in _RESTRICTED:
            problem = tr("Karpenter sets {key} itself.", key=each.key)
            yield PlanProblem(place, problem, tr("Remove the requirement."))
    yield from _check_budgets(plan, pool, f"{where}.disruption.budgets")
    yield from _check_initial_nodes(plan, pool, f"{where}.initialNodes")
    machines = plan.karpenter.instance_types
    left = [machine for machine in machines if serves(machine, pool)]
    if not left:
        remedy = (
            tr("Add machine types, or relax the requirements of the pool.") if machines else tr("Add machine types.")
        )
        yield PlanProblem(f"{where}.requirements", tr("No machine type can serve the pool."), remedy)
        return
    for index, each in enumerate(pool.requirements):
        values = {value for machine in left for value in machine_values(machine, each.key) if allows(each, value)}
        if each.min_values is not None and len(values) < each.min_values:
            problem = tr(
                "The machine types of the pool have {count} values of {key}, fewer than minValues.",
                count=len(values),
                key=each.key,
            )
            yield PlanProblem(
                f"{where}.requirements[{index}].minValues", problem, tr("Use at most {count}.", count=len(values))
            )


def _check_budgets(plan: Plan, pool: NodePool, where: str) -> Iterator[PlanProblem]:
    for index, budget in enumerate(pool.disruption.budgets):
        line = budget.schedule
        if line and next_due_us(parse_cron(line), zone_named("UTC"), plan.simulation.starts_at) is None:
            problem = tr("{schedule} is never due.", schedule=shown(line))
            yield PlanProblem(f"{where}[{index}].schedule", problem, tr("Choose a day that exists."))


def _check_initial_nodes(plan: Plan, pool: NodePool, where: str) -> Iterator[PlanProblem]:
    """They are machines that the pool could have bought."""
    types = {each.name: each for each in plan.karpenter.instance_types}
    for index, some in enumerate(pool.initial_nodes):
        known = types.get(some.machine_type)
        place = f"{where}[{index}]"
        if known is None:
            problem = tr("There is no machine type {name}.", name=shown(some.machine_type))
            yield PlanProblem(
                f"{place}.machineType", problem, suggestion(some.machine_type, list(types), tr("Add it."))
            )
        elif not any((o.zone, o.capacity_type) == (some.zone, some.capacity_type) for o in known.offerings):
            what = {"name": known.name, "market": some.capacity_type.value, "zone": shown(some.zone)}
            problem = tr("{name} is not offered as {market} in zone {zone}.", **what)
            yield PlanProblem(f"{place}.zone", problem, tr("Add the offering, or correct zone or capacity type."))
