"""headroom replicate"""

import click

from planner.cli.experiments.options import (
    Way,
    confidence_option,
    experiment_options,
    figures_option,
    seeded,
    seeds_option,
    width_option,
)
from planner.cli.experiments.session import answered
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.replicate import replicate
from planner.plan.model.experiments.experiment import Replicate


@click.command(name="replicate")
@plan_argument
@click.option("--variant", default="", metavar="NAME", help="Run this variant instead of the plan itself.")
@seeds_option
@width_option
@figures_option
@confidence_option
@experiment_options
def replicate_command(
    plan_path: str,
    variant: str,
    seeds: int | None,
    half_width: float | None,
    figures: tuple[str, ...],
    confidence: float,
    way: Way,
) -> int:
    """Run PLAN with many seeds, to see how sure its figures are.

    Prints every figure with its interval, and in how many runs an SLO is broken. Numbers of the plan's uncertainInputs
    are drawn for each seed. Finished runs are kept beside the plan (NAME.headroom-results) and not made again.
    """
    plan = runnable(plan_path, way.until_us)
    settings = seeded(seeds, half_width, figures, confidence)
    question = Replicate.model_validate({"type": "replicate", "name": "replicate", "variant": variant} | settings)
    return answered(plan_path, way, lambda runs: replicate(plan, question, runs))
