"""headroom convert"""

import click

from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import say
from planner.language.translation import tr
from planner.plan.edits.karpenter.conversion import Converted, to_karpenter, to_node_groups

_WAYS = {"karpenter": to_karpenter, "node-groups": to_node_groups}


@click.command()
@plan_argument
@click.option("--to", "way", required=True, type=click.Choice(list(_WAYS)), help="What the pools become.")
@new_plan_option
def convert(plan_path: str, way: str, new_path: str | None) -> int:
    """Turn node groups of the Cluster Autoscaler in PLAN into node pools of Karpenter, or back.

    Sizes, labels, taints, zones, prices and boot times are kept; what the other autoscaler has no word for is listed on
    standard error. Compare both plans with headroom compare.
    """
    source = PlanToEdit(plan_path)
    found: list[Converted] = []
    source.check(lambda plan: found.append(_WAYS[way](plan)))
    for line in found[0].lost:
        say(tr("not converted: {line}", line=line))
    plan = found[0].plan
    pools = ", ".join(each.name for each in (plan.karpenter.node_pools if way == "karpenter" else plan.node_groups))
    source.save(plan, new_path, tr("converted to {pools}", pools=pools))
    return GOOD
