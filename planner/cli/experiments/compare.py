"""headroom compare"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from planner import api
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
from planner.cli.plan_files import runnable
from planner.errors import PlanProblem
from planner.experiments.kinds.compare import compare, compare_plans
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan, runnable_variants
from planner.language.translation import tr
from planner.plan.model.experiments.experiment import Compare


@click.command(name="compare")
@click.argument("plan_paths", metavar="PLAN...", nargs=-1, required=True)
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="A variant of the (first) plan; repeatable.")
@seeds_option
@width_option
@figures_option
@confidence_option
@experiment_options
def compare_command(
    plan_paths: tuple[str, ...],
    variants: tuple[str, ...],
    seeds: int | None,
    half_width: float | None,
    figures: tuple[str, ...],
    confidence: float,
    way: Way,
) -> int:
    """Compare plans, or PLAN with its variants, with the same seeds.

    The first plan is what the others are compared with. Differences are taken seed by seed, so that plans share their
    luck. Finished runs are kept beside the first plan (NAME.headroom-results) and not made again.
    """
    plans = [runnable(path, way.until_us) for path in plan_paths]
    settings = seeded(seeds, half_width, figures, confidence)
    question = Compare.model_validate({"type": "compare", "name": "compare", "variants": variants} | settings)
    first = plans[0]
    if len(plans) == 1:
        if not first.variants:
            problem = "There is nothing to compare the plan with."
            raise PlanProblem(plan_paths[0], problem, tr("Give a second plan, or add variants to this one."))
        return answered(plan_paths[0], way, lambda runs: compare(first, question, runs))
    others = runnable_variants(first, variants) if variants else None
    named = (*named_plans(plan_paths, plans), *(others.ready if others is not None else ()))
    notes = tuple(str(problem) for problem in others.refused) if others is not None else ()
    seed = first.simulation.seed
    return answered(plan_paths[0], way, lambda runs: compare_plans(named, question, seed, runs, notes))


def named_plans(paths: Sequence[str], plans: Sequence[api.Plan]) -> Iterator[RunnablePlan]:
    """Plans under the names of their files; under their paths where these are not enough, numbered where needed."""
    stems = [Path(path).stem for path in paths]
    folders = [f"{Path(path).parent.name}/{Path(path).stem}".lstrip("/") for path in paths]
    names = next((found for found in (stems, folders, list(paths)) if len(frozenset(found)) == len(found)), None)
    for number, (path, plan) in enumerate(zip(paths, plans, strict=True), 1):
        yield runnable_plan(plan, names[number - 1] if names is not None else f"{path} ({number})")
