"""headroom runtime"""

import click

from planner.cli.exit_codes import GOOD
from planner.cli.options.shared import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.language.translation import tr
from planner.plan.edits.runtimes import RUNTIMES, with_runtime


def _list_of_runtimes() -> str:
    return "\b\nNAME is one of\n" + "\n".join(f"  {name:<20}{one.title}" for name, one in RUNTIMES.items())


@click.command(epilog=_list_of_runtimes())
@plan_argument
@click.argument("workload", metavar="WORKLOAD")
@click.argument("name", metavar="NAME", type=click.Choice(list(RUNTIMES)))
@click.option("--processes", type=click.IntRange(1, 1_000_000), default=8, show_default=True, help="Size of a pool.")
@new_plan_option
def runtime(plan_path: str, workload: str, name: str, processes: int, new_path: str | None) -> int:
    """Let the pods of WORKLOAD in PLAN run their requests as the runtime NAME does.

    Workers, discipline, variability and the burst of the start are set; what a request costs stays.
    """
    source = PlanToEdit(plan_path)
    chosen = RUNTIMES[name]
    plan = source.edited(lambda plan: with_runtime(plan, workload, chosen, processes))
    source.save(plan, new_path, tr("{workload} runs as {title}", workload=workload, title=chosen.title))
    return GOOD
