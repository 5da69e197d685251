"""headroom vary"""

from typing import Any

import click

from planner.cli.experiments.options import Way, confidence_option, experiment_options, figures_option
from planner.cli.experiments.session import answered
from planner.cli.experiments.size import refuse_too_many, yes_option
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.vary.vary import vary, vary_count
from planner.language.translation import tr
from planner.plan.model.experiments.vary import SpaceSampling, Vary
from planner.plan.values.range_text import parse_range


class RangeOption(click.ParamType[Any]):
    """Values of a number of the plan, such as nodeGroups[general].maxSize=10..40:5."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            parse_range(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


over_option = click.option(
    "--over",
    "over",
    multiple=True,
    type=RangeOption(),
    metavar="RANGE",
    help="Values of a number of the plan: 'path=10..40:5', 'path=10..40' or 'path=a,b,c'; repeat for several.",
)


@click.command(name="vary")
@plan_argument
@over_option
@click.option(
    "--sampling",
    type=click.Choice([str(one) for one in SpaceSampling]),
    default=str(SpaceSampling.GRID),
    show_default=True,
    help="All combinations, or a sample of the space.",
)
@click.option("--points", type=click.IntRange(2, 1_000_000), default=64, show_default=True, help="Of a sample.")
@click.option("--sensitivity", is_flag=True, help="Find which number matters most.")
@click.option(
    "--seeds", type=click.IntRange(1, 10_000), default=5, show_default=True, metavar="N", help="Runs of each."
)
@figures_option
@confidence_option
@yes_option
@experiment_options
def vary_command(
    plan_path: str,
    over: tuple[str, ...],
    sampling: str,
    points: int,
    sensitivity: bool,
    seeds: int,
    figures: tuple[str, ...],
    confidence: float,
    yes: bool,
    way: Way,
) -> int:
    """Run PLAN over a space of its numbers.

    Prints the figures at every point; --json has response curves, for two numbers a heat map, and with --sensitivity a
    Morris screening, Sobol indices and a tornado chart.
    """
    if not over:
        raise click.UsageError(tr("Give at least one --over 'path=low..high:step'."))
    plan = runnable(plan_path, way.until_us)
    settings = {"sampling": sampling, "points": points, "sensitivity": sensitivity, "figures": figures}
    common = {"type": "vary", "name": "vary", "over": over, "seeds": seeds, "confidence": min(confidence, 99.99)}
    asked = Vary.model_validate(common | settings)
    refuse_too_many(plan, vary_count(plan, asked), way, yes=yes)
    return answered(plan_path, way, lambda runs: vary(plan, asked, runs))
