"""headroom machine"""

from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import catalogue_option, new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import say
from planner.language.translation import tr
from planner.plan.values.money import in_currency


@click.command()
@plan_argument
@click.argument("pool", metavar="POOL")
@click.argument("name", metavar="MACHINE")
@new_plan_option
@click.option("--add", is_flag=True, help="Add POOL to the plan.")
@click.option(
    "--zone", "zones", metavar="ZONE", multiple=True, help="Zone of the nodes; repeat for a pool with several zones."
)
@catalogue_option
def machine(
    plan_path: str,
    pool: str,
    name: str,
    new_path: str | None,
    add: bool,
    zones: tuple[str, ...],
    catalogue_path: Path | None,
) -> int:
    """Give the nodes of POOL in PLAN the size and price of a catalogue machine.

    CPU, memory, pods, scratch space, the reservations of the managed service, labels, a zone and example prices are
    copied into the plan, which no longer depends on the catalogue. What you entered for the pool is kept.
    """
    catalogue = api.machine_catalogue(catalogue_path)
    chosen = api.find_machine(catalogue, name)
    source = PlanToEdit(plan_path)
    plan = source.edited(lambda plan: api.with_machine(plan, pool, chosen, catalogue, add=add, zones=zones))
    group = next(group for group in plan.node_groups if group.name == pool)
    price = tr("at {value} per hour", value=in_currency(f"{group.node_price:g}", plan.costs.currency))
    source.save(plan, new_path, f"{pool} has {chosen.name} {price if group.node_price else 'without a price'}")
    if not api.has_prices_for(plan, catalogue):
        say(
            tr(
                "hint: no prices were set: the catalogue uses {theirs}, the plan {own}.",
                theirs=catalogue.currency,
                own=plan.costs.currency,
            )
        )
    elif not chosen.price_per_hour:
        say(tr("hint: the catalogue has no price for {name}. Set pricePerHour of the pool.", name=chosen.name))
    else:
        say(
            tr(
                "hint: example price in {currency}, {origin}; enter your own.",
                currency=catalogue.currency,
                origin=catalogue.provider_of(chosen).origin,
            )
        )
    return GOOD
