"""Which machine types the requirements of a pool leave, for checks, hints and what may happen to a pool."""

from collections.abc import Iterable

from planner.matching.selectors import go_integer
from planner.plan.model.karpenter.machine_types import MachineOffering, MachineType
from planner.plan.model.karpenter.node_pools import NodePool, PoolRequirement, RequirementWord
from planner.plan.model.node_groups import ARCH_LABEL, MACHINE_TYPE_LABEL, OS_LABEL, ZONE_LABEL

CAPACITY_TYPE = "karpenter.sh/capacity-type"


def machine_values(machine: MachineType, key: str) -> tuple[str, ...]:
    """Values that machines of a type may have of a label."""
    if key == ZONE_LABEL:
        return tuple(offering.zone for offering in machine.offerings)
    if key == CAPACITY_TYPE:
        return tuple(offering.capacity_type.value for offering in machine.offerings)
    own = {MACHINE_TYPE_LABEL: machine.name, ARCH_LABEL: machine.architecture.value, OS_LABEL: "linux"}
    value = {**machine.labels, **own}.get(key)
    return () if value is None else (value,)


def allows(requirement: PoolRequirement, value: str) -> bool:
    """Whether a requirement allows a value."""
    operator, values = requirement.operator, requirement.values
    if operator is RequirementWord.IN:
        return value in values
    if operator is RequirementWord.NOT_IN:
        return value not in values
    if operator in (RequirementWord.EXISTS, RequirementWord.DOES_NOT_EXIST):
        return operator is RequirementWord.EXISTS
    have, bound = go_integer(value), int(values[0])
    if have is None:
        return False
    return {
        RequirementWord.GT: have > bound,
        RequirementWord.LT: have < bound,
        RequirementWord.GTE: have >= bound,
        RequirementWord.LTE: have <= bound,
    }[operator]


def serves(machine: MachineType, pool: NodePool) -> bool:
    """Whether some offering of a type suits a pool."""
    return bool(suitable_offerings(machine, pool))


def offerings_of(pool: NodePool, machines: Iterable[MachineType]) -> list[MachineOffering]:
    """Every offering that a pool may buy."""
    return [offering for machine in machines for offering in suitable_offerings(machine, pool)]


def suitable_offerings(machine: MachineType, pool: NodePool) -> tuple[MachineOffering, ...]:
    """Offerings of a type that suit a pool; labels that no type has are the pool's own to set."""
    by_key = [(each, machine_values(machine, each.key)) for each in pool.requirements]
    for each, values in by_key:
        if each.key in (ZONE_LABEL, CAPACITY_TYPE):
            continue
        if values and not any(allows(each, value) for value in values):
            return ()
    places = [each for each in pool.requirements if each.key == ZONE_LABEL]
    markets = [each for each in pool.requirements if each.key == CAPACITY_TYPE]
    return tuple(
        offering
        for offering in machine.offerings
        if all(allows(each, offering.zone) for each in places)
        and all(allows(each, offering.capacity_type.value) for each in markets)
    )
