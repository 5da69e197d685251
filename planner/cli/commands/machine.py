"""headroom machine"""

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.parameters import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import say
from planner.plan.values.money import in_currency


@click.command()
@plan_argument
@click.argument("pool", metavar="POOL")
@click.argument("name", metavar="MACHINE")
@new_plan_option
@click.option("--add", is_flag=True, help="Add POOL to the plan.")
def machine(plan_path: str, pool: str, name: str, new_path: str | None, add: bool) -> int:
    """Give the nodes of POOL in PLAN the size and price of a catalogue machine.

    CPU, memory, pods and example prices are copied into the plan, which no longer depends on the catalogue. Prices that
    you entered for the pool are kept.
    """
    catalogue = api.machine_catalogue()
    chosen = api.find_machine(catalogue, name)
    source = PlanToEdit(plan_path)
    plan = source.edited(lambda plan: api.with_machine(plan, pool, chosen, catalogue, add=add))
    group = next(group for group in plan.node_groups if group.name == pool)
    price = in_currency(f"{group.node_price:g}", plan.costs.currency)
    source.save(plan, new_path, f"{pool} has {chosen.name} at {price} per hour")
    if api.has_prices_for(plan, catalogue):
        say(f"hint: {catalogue.origin}")
    else:
        say(f"hint: no prices were set: the catalogue uses {catalogue.currency}, the plan {plan.costs.currency}.")
    return GOOD
