"""headroom digest"""

import click

from planner import api
from planner.cli.interruption import interruptible
from planner.cli.options.shared import plan_argument, preset_option, seed_option
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line
from planner.cli.verdict import verdict


@click.command()
@plan_argument
@seed_option
@preset_option
def digest(plan_path: str, seed: int | None, presets: tuple[str, ...]) -> int:
    """Run PLAN and print the digest of the run.

    The digest is 64 hex digits. Runs with equal results have equal digests, in every process and in the window."""
    plan = runnable(plan_path, presets=presets)
    with interruptible() as cancelled:
        result = api.run_plan(plan, seed=seed, cancelled=cancelled)
    if result.stopped is None:
        print_line(result.digest())
    return verdict(result, cancelled)
