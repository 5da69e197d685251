"""Checks of Karpenter's pools and machine types."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.matching.label_syntax import KEY_RULE, is_label_key
from planner.plan.checks.pods import check_taints, repeated
from planner.plan.checks.selectors import check_labels
from planner.plan.derived.machine_choice import allows, machine_values, serves
from planner.plan.files.problems import shown
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan

_RESTRICTED = ("karpenter.sh/nodepool", "kubernetes.io/hostname")


def check_karpenter(plan: Plan) -> Iterator[PlanProblem]:
    """Names, requirements and what the machine types can serve."""
    settings, where = plan.karpenter, "karpenter"
    for index, name in repeated([each.name for each in settings.instance_types]):
        problem = f"The machine type {shown(name)} is given twice."
        yield PlanProblem(f"{where}.instanceTypes[{index}].name", problem, "Remove one.")
    for index, machine in enumerate(settings.instance_types):
        place = f"{where}.instanceTypes[{index}]"
        yield from check_labels(machine.labels, f"{place}.labels")
        if machine.reserved_cpu > machine.cpu or machine.reserved_memory > machine.memory:
            problem = "More is reserved than the machine has."
            yield PlanProblem(f"{place}.reservedCpu", problem, "Lower the reserved CPU or memory.")
    count = len(plan.node_groups)
    names = [group.name for group in plan.node_groups] + [pool.name for pool in settings.node_pools]
    for index, name in repeated(names):
        if index >= count:
            problem = f"The name {shown(name)} is already used by another node pool."
            yield PlanProblem(f"{where}.nodePools[{index - count}].name", problem, "Choose another name.")
    for index, pool in enumerate(settings.node_pools):
        yield from _check_pool(plan, pool, f"{where}.nodePools[{index}]")


def _check_pool(plan: Plan, pool: NodePool, where: str) -> Iterator[PlanProblem]:
    yield from check_labels(pool.labels, f"{where}.labels")
    yield from check_taints(pool.taints, f"{where}.taints")
    yield from check_taints(pool.startup_taints, f"{where}.startupTaints")
    for index, each in enumerate(pool.requirements):
        place = f"{where}.requirements[{index}].key"
        if not is_label_key(each.key):
            yield PlanProblem(place, f"{shown(each.key)} is not a label key.", KEY_RULE)
        elif each.key in _RESTRICTED:
            problem = f"Karpenter sets {each.key} itself."
            yield PlanProblem(place, problem, "Remove the requirement.")
    machines = plan.karpenter.instance_types
    left = [machine for machine in machines if serves(machine, pool)]
    if not left:
        remedy = "Add machine types, or relax the requirements of the pool." if machines else "Add machine types."
        yield PlanProblem(f"{where}.requirements", "No machine type can serve the pool.", remedy)
        return
    for index, each in enumerate(pool.requirements):
        values = {value for machine in left for value in machine_values(machine, each.key) if allows(each, value)}
        if each.min_values is not None and len(values) < each.min_values:
            problem = f"The machine types of the pool have {len(values)} values of {each.key}, fewer than minValues."
            yield PlanProblem(f"{where}.requirements[{index}].minValues", problem, f"Use at most {len(values)}.")
