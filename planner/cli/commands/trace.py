"""headroom trace"""

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.parameters import new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import print_line
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.use import TraceKind


@click.command()
@plan_argument
@click.argument("workload", metavar="WORKLOAD")
@click.argument("trace_path", metavar="TRACE")
@new_plan_option
@click.option("--time", "time_column", metavar="NAME", default="", help="CSV column of times; default: the first.")
@click.option("--value", "value_column", metavar="NAME", default="", help="CSV column of values; default: the second.")
@click.option(
    "--as",
    "kind",
    type=click.Choice([str(kind) for kind in TraceKind]),
    default=str(TraceKind.LOAD),
    help="What the trace contains: requests per second (load), or cores (cpu) or bytes (memory) per pod.",
    show_default=True,
)
def trace(
    plan_path: str, workload: str, trace_path: str, new_path: str | None, time_column: str, value_column: str, kind: str
) -> int:
    """Give WORKLOAD of PLAN the load or the use recorded in TRACE.

    TRACE is a CSV file, or the JSON of a Prometheus range query.
    """
    recorded = api.read_trace(trace_path, time_column, value_column)
    source = PlanToEdit(plan_path)
    plan = source.edited(lambda plan: api.with_trace(plan, workload, recorded, TraceKind(kind)))
    source.save(plan, new_path, f"{workload} follows the {kind} in {trace_path}")
    for hint in find_hints(plan):
        if ".traffic." in hint.where or ".use." in hint.where:
            print_line(f"hint: {hint}")
    return GOOD
