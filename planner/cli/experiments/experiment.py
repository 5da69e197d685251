"""headroom experiment"""

import click

from planner.cli.experiments.options import Way, experiment_options
from planner.cli.experiments.session import answered
from planner.cli.parameters import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.registry import experiment_named, run_experiment


@click.command(name="experiment")
@plan_argument
@click.argument("name", metavar="NAME")
@experiment_options
def experiment_command(plan_path: str, name: str, way: Way) -> int:
    """Make the experiment NAME of PLAN.

    Finished runs are kept beside the plan (NAME.headroom-results) and not made again; an interrupted experiment goes on
    where it was.
    """
    plan = runnable(plan_path, way.until_us)
    asked = experiment_named(plan, name)
    return answered(plan_path, way, lambda runs: run_experiment(plan, asked, runs))
