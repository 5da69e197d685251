"""Experiments of very many runs begin only when that is wanted."""

import click

from planner import api
from planner.cli.experiments.options import Way
from planner.cli.experiments.progress import in_words, seconds_of
from planner.cli.terminal import say
from planner.errors import PlanProblem
from planner.experiments.execution.process_pool import usable_processors
from planner.experiments.kinds.registry import MOST_RUNS
from planner.language.translation import tr

yes_option = click.option("--yes", is_flag=True, help=f"Begin even if it takes more than {MOST_RUNS:,} runs.")


def refuse_too_many(plan: api.Plan, count: int, way: Way, *, yes: bool, where: str = "--over") -> None:
    """Raises PlanProblem with the number of runs and the time they take, unless there are few or `yes` is given."""
    if yes or count <= MOST_RUNS:
        return
    say(tr("This takes up to {count} runs. One is made first, to see how long that is.", count=f"{count:,}"))
    one_s = seconds_of(lambda: api.run_plan(plan, until_us=way.until_us))
    lanes = way.jobs or usable_processors()
    took = in_words(one_s * count / lanes)
    problem = tr(
        "This takes up to {count:,} runs, about {took} with {lanes} at a time.", count=count, took=took, lanes=lanes
    )
    raise PlanProblem(where, problem, tr("Add --yes to begin, or give fewer values, points or seeds."))
