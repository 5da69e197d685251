"""headroom trace"""

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.parameters import new_plan_option, plan_argument
from planner.cli.plan_files import edited, save
from planner.cli.terminal import tell
from planner.plan.hints import find_hints


@click.command()
@plan_argument
@click.argument("workload", metavar="WORKLOAD")
@click.argument("trace_path", metavar="TRACE")
@new_plan_option
@click.option("--time", "time_column", metavar="NAME", default="", help="Column of the times (CSV); else the first.")
@click.option("--value", "value_column", metavar="NAME", default="", help="Column of the rates (CSV); else the second.")
def trace(
    plan_path: str, workload: str, trace_path: str, new_path: str | None, time_column: str, value_column: str
) -> int:
    """Give WORKLOAD of PLAN the load recorded in TRACE.

    TRACE is a CSV file, or the JSON of a Prometheus range query.
    """
    recorded = api.read_trace(trace_path, time_column, value_column)
    plan = edited(plan_path, lambda plan: api.with_trace(plan, workload, recorded))
    save(plan, new_path or plan_path, f"{workload} has the load of {trace_path}")
    for hint in find_hints(plan):
        if ".traffic." in hint.where:
            tell(f"hint: {hint}")
    return GOOD
