"""headroom search"""

from typing import Any

import click

from planner.cli.experiments.options import Way, confidence_option, experiment_options, figures_option
from planner.cli.experiments.session import answered
from planner.cli.experiments.size import refuse_too_many, yes_option
from planner.cli.experiments.vary import over_option
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.search.search import search, search_count
from planner.language.translation import tr
from planner.plan.model.experiments.search import Search, SearchSampling
from planner.plan.values.constraint_text import parse_constraint


class ConstraintOption(click.ParamType[Any]):
    """A bound of a figure, such as slo_attainment[shop]>=0.99@0.95."""

    name = "constraint"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            parse_constraint(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


@click.command(name="search")
@plan_argument
@over_option
@click.option(
    "--minimise", default="cost", show_default=True, metavar="FIGURE", help="What is to be as low as possible."
)
@click.option(
    "--subject-to",
    "subject_to",
    multiple=True,
    type=ConstraintOption(),
    metavar="CONSTRAINT",
    help="A bound and the share of runs that keep it: 'slo_attainment[shop]>=0.99@0.95'; repeat for several. Default: "
    "every SLO is met in 95 % of runs.",
)
@click.option("--indifference", type=click.FloatRange(0, 100), default=1.0, show_default=True, metavar="P",
    help="Percent of the best; smaller differences do not matter.")  # fmt: skip
@click.option("--points", type=click.IntRange(2, 1_000_000), default=1_000, show_default=True,
    help="Plans that are tried at most; a larger space is sampled.")  # fmt: skip
@click.option("--sampling", type=click.Choice([str(one) for one in SearchSampling]),
    default=str(SearchSampling.LATIN_HYPERCUBE), show_default=True,
    help="Of a larger space: evenly, or proposed by Optuna (pip install 'headroom[optuna]').")  # fmt: skip
@click.option("--seeds", type=click.IntRange(2, 10_000), default=60, show_default=True, metavar="N",
    help="Most runs of a plan; most plans get far fewer.")  # fmt: skip
@figures_option
@confidence_option
@yes_option
@experiment_options
def search_command(
    plan_path: str,
    over: tuple[str, ...],
    subject_to: tuple[str, ...],
    confidence: float,
    yes: bool,
    way: Way,
    **settings: Any,
) -> int:
    """Find the cheapest plan of a space that keeps its SLOs.

    All plans race over the same seeds: those that miss a constraint or are dearer drop out early. Prints the best plan
    and the probability that it is; --json has the front of cost against SLO, regrets and the clairvoyant lower bound.
    """
    if not over:
        raise click.UsageError(tr("Give at least one --over 'path=low..high:step'."))
    plan = runnable(plan_path, way.until_us)
    common = {"type": "search", "name": "search", "over": over, "subject_to": subject_to}
    asked = Search.model_validate(common | {"confidence": min(confidence, 99.99)} | settings)
    refuse_too_many(plan, search_count(plan, asked), way, yes=yes)
    return answered(plan_path, way, lambda runs: search(plan, asked, runs))
