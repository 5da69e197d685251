"""The path `machine[pool]`: a machine of the catalogue, with all that its nodes have: CPU, memory, price and labels."""

from fnmatch import fnmatchcase

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.edits.edit import replace_many
from planner.plan.edits.machine_catalogue import Machine, MachineCatalogue, find_machine, machine_catalogue
from planner.plan.edits.machines import has_prices_for, with_machine_at
from planner.plan.files.nearest import nearest
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, PlanChange, Step, path_text

MACHINE = "machine"
"""A path of its own: `machine[general] = m5.large` makes a pool of such machines."""
_WILD = frozenset("*?")


def with_machine_change(plan: Plan, change: PlanChange) -> Plan:
    """The plan whose pool has the machines that the change names, at the prices of the catalogue.

    A pool that has them already stays as it is, with its own price. Raises PlanProblem for an unknown pool or machine,
    and where the pool has a price and the catalogue none to replace it.
    """
    at = pool_at(plan, change.steps)
    group, catalogue = plan.node_groups[at], machine_catalogue()
    machine = find_machine(catalogue, str(change.value))
    if group.machine_type == machine.name:
        return plan
    if group.node_price:
        _check_price(plan, change, group, machine, catalogue)
        unpriced = {"price_per_hour": 0.0, "pricing": group.pricing.model_copy(update={"spot_price_per_hour": 0.0})}
        plan = replace_many(plan, ("node_groups", at), unpriced)
    return with_machine_at(plan, at, machine, catalogue)


def pool_at(plan: Plan, steps: tuple[Step, ...]) -> int:
    """Position of the pool that a path `machine[pool]` names. Raises PlanProblem, which suggests the nearest one."""
    names = [group.name for group in plan.node_groups]
    step = steps[1] if len(steps) == 2 else None
    if not isinstance(step, Item):
        example = f"{MACHINE}[{names[0] if names else 'general'}]"
        raise PlanProblem(
            path_text(steps), tr("This is no pool's machine."), tr("Write {example} = m5.large.", example=example)
        )
    if step.key not in names:
        guess = nearest(step.key, names)
        remedy = (
            tr("Did you mean {machine}[{guess}]?", machine=MACHINE, guess=guess)
            if guess
            else tr("Choose one of {names}.", names=", ".join(names[:20]))
        )
        raise PlanProblem(path_text(steps), tr("There is no node pool {key!r}.", key=step.key), remedy)
    return names.index(step.key)


def machines_named(choices: tuple[str, ...]) -> tuple[str, ...]:
    """Names of machines; `*` and `?` stand for all that the catalogue has. Raises PlanProblem for an unknown one."""
    catalogue = machine_catalogue()
    found = list[str]()
    for choice in choices:
        if _WILD.isdisjoint(choice):
            found.append(find_machine(catalogue, choice).name)
            continue
        like = [one.name for one in catalogue.machines if fnmatchcase(one.name.lower(), choice.lower())]
        if not like:
            problem = tr("No machine of the catalogue is called {choice}.", choice=choice)
            raise PlanProblem(MACHINE, problem, tr("headroom machines lists the available ones."))
        found += like
    return tuple(dict.fromkeys(found))


def _check_price(
    plan: Plan, change: PlanChange, group: NodeGroup, machine: Machine, catalogue: MachineCatalogue
) -> None:
    """Costs could not be compared if the price of another machine stayed, or none came."""
    if has_prices_for(plan, catalogue) and machine.price_per_hour:
        return
    problem = tr(
        "The catalogue has no price for {name} in {currency}.",
        name=machine.name,
        currency=plan.costs.currency or tr("the currency of the plan"),
    )
    remedy = tr("Put it into your own catalogue, or take the price of {name} away.", name=group.name)
    raise PlanProblem(change.path, problem, remedy)
