"""headroom stress"""

import click

from planner.cli.experiments.options import Way, confidence_option, experiment_options
from planner.cli.experiments.session import answered
from planner.cli.options.shared import Duration, plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.stress.stress import stress
from planner.plan.model.experiments.stress import Ordeal, Stress


@click.command(name="stress")
@plan_argument
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="A variant to test; default: all of them.")
@click.option(
    "--ordeal",
    "ordeals",
    multiple=True,
    type=click.Choice([str(one) for one in Ordeal]),
    help="A fault or load; repeat for several. Default: all that the plan has something for.",
)
@click.option(
    "--at", "at_us", type=Duration(), metavar="TIME", help="When faults happen; default: at the highest load."
)
@click.option("--seeds", type=click.IntRange(1, 1_000), default=3, show_default=True, metavar="N", help="Runs of each.")
@confidence_option
@experiment_options
def stress_command(
    plan_path: str,
    variants: tuple[str, ...],
    ordeals: tuple[str, ...],
    at_us: int | None,
    seeds: int,
    confidence: float,
    way: Way,
) -> int:
    """Put PLAN and its variants under faults and loads, and see what breaks first.

    Says when, and which variant holds. A zone is lost at the peak, spot nodes are reclaimed, the load doubles, images
    are pulled slowly, metrics are out, nodes boot slowly, a pool is out of stock.
    `headroom headroom` finds how much load the plan bears.
    """
    plan = runnable(plan_path, way.until_us)
    asked = Stress(
        type="stress",
        name="stress",
        seeds=seeds,
        confidence=min(confidence, 99.99),
        variants=variants,
        ordeals=tuple(Ordeal(one) for one in ordeals),
        at=at_us,
    )
    return answered(plan_path, way, lambda runs: stress(plan, asked, runs))
