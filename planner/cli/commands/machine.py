"""headroom machine"""

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.parameters import new_plan_option, plan_argument
from planner.cli.plan_files import edited, save
from planner.cli.terminal import say
from planner.plan.values.money import in_currency


@click.command()
@plan_argument
@click.argument("pool", metavar="POOL")
@click.argument("name", metavar="MACHINE")
@new_plan_option
@click.option("--add", is_flag=True, help="Add POOL to the plan.")
def machine(plan_path: str, pool: str, name: str, new_path: str | None, add: bool) -> int:
    """Make the nodes of POOL in PLAN machines of the catalogue.

    CPU, memory, pods and example prices are written into the plan, which needs the catalogue no more. Prices that the
    pool has of its own stay.
    """
    catalogue = api.machine_catalogue()
    chosen = api.find_machine(catalogue, name)
    plan = edited(plan_path, lambda plan: api.with_machine(plan, pool, chosen, catalogue, add=add))
    group = next(group for group in plan.node_groups if group.name == pool)
    price = in_currency(f"{group.node_price:g}", plan.costs.currency)
    save(plan, new_path or plan_path, f"{pool} has {chosen.name} at {price} an hour")
    if api.has_prices_for(plan, catalogue):
        say(f"hint: {catalogue.origin}")
    else:
        say(f"hint: no prices: the catalogue has them in {catalogue.currency}, the plan in {plan.costs.currency}.")
    return GOOD
