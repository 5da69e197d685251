"""headroom experiment"""

import click

from planner.cli.experiments.options import Way, experiment_options
from planner.cli.experiments.session import answered
from planner.cli.experiments.size import refuse_too_many, yes_option
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.registry import experiment_named, run_count, run_experiment


@click.command(name="experiment")
@plan_argument
@click.argument("name", metavar="NAME")
@yes_option
@experiment_options
def experiment_command(plan_path: str, name: str, yes: bool, way: Way) -> int:
    """Make the experiment NAME of PLAN.

    Finished runs are kept beside the plan (NAME.headroom-results) and not made again; an interrupted experiment goes on
    where it was.
    """
    plan = runnable(plan_path, way.until_us)
    asked = experiment_named(plan, name)
    refuse_too_many(plan, run_count(plan, asked), way, yes=yes, where=f"experiment {name}")
    return answered(plan_path, way, lambda runs: run_experiment(plan, asked, runs))
