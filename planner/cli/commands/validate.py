"""headroom validate"""

import click

from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line
from planner.language.translation import tr
from planner.plan.hints.all_hints import find_hints


@click.command()
@plan_argument
def validate(plan_path: str) -> int:
    """Check PLAN without running it.

    Problems prevent a run. All of them are reported on standard error, each with its place and a remedy, and the exit
    code is 2. Hints, on standard output, point out what is allowed but probably not intended.
    """
    plan = runnable(plan_path)
    for hint in find_hints(plan):
        print_line(tr("hint: {hint}", hint=hint))
    print_line(tr("{path}: no problems", path=plan_path))
    return GOOD
