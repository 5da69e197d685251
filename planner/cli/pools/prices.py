"""headroom prices"""

from pathlib import Path

import click

from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import say
from planner.errors import PlanFileError
from planner.language.translation import tr
from planner.plan.edits.price_list import read_prices, with_prices


@click.command()
@plan_argument
@click.argument("prices_path", metavar="FILE", type=click.Path(path_type=Path))
@new_plan_option
def prices(plan_path: str, prices_path: Path, new_path: str | None) -> int:
    """Give the node pools of PLAN the prices of an OpenCost table.

    FILE is CSV as OpenCost and Kubecost read it. Rows of nodes are matched by machine type or by a label, and by region
    where both name one. Its columns are InstanceID, Region, AssetClass, InstanceIDField, InstanceType and
    MarketPriceHourly.
    """
    rows = read_prices(prices_path)
    source = PlanToEdit(plan_path)
    found = with_prices(source.plan, rows)
    if not found.pools:
        types = ", ".join(sorted({row.value for row in rows})[:10]) or "nothing"
        remedy = tr("It prices {types}; set machineType or labels of the pools to match.", types=types)
        raise PlanFileError(str(prices_path), tr("No row is for a node pool of the plan."), remedy)
    plan = source.edited(lambda plan: with_prices(plan, rows).plan)
    source.save(plan, new_path, tr("prices of {pools}", pools=", ".join(found.pools)))
    for name in found.without:
        say(tr("note: no price for {name}", name=name))
    return GOOD
