"""headroom trace"""

from typing import Any

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.measured import Zone
from planner.cli.options.shared import Duration, new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import print_line
from planner.language.translation import tr
from planner.plan.edits.trace_clock import has_other_traces, with_clock
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.use import TraceKind
from planner.plan.recordings.recording import ReadAs, fitted
from planner.plan.recordings.times import TimeUnit
from planner.plan.recordings.units import ValueUnit
from planner.units import format_moment, parse_count

_PARTS = (".traffic.", ".use.")


class WholeAmount(click.ParamType[Any]):
    """What 100 per cent are: cores, or an amount of memory such as 4Gi."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        try:
            found = float(value) if str(value).replace(".", "", 1).isdigit() else float(parse_count(str(value)))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if found <= 0:
            self.fail(
                tr("{value} is not an amount; write cores such as 2, or memory such as 4Gi", value=value), param, ctx
            )
        return found


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
    help="What the trace contains: the load, or the CPU or memory that each pod uses.",
    show_default=True,
)
@click.option("--unit", type=click.Choice([str(unit) for unit in ValueUnit]), help="Unit of the values.")
@click.option("--time-unit", type=click.Choice([str(unit) for unit in TimeUnit]), help="Unit of times as numbers.")
@click.option("--step", "step_us", type=Duration(), metavar="TIME", default=None, help="Time that a count covers.")
@click.option("--of", "whole", type=WholeAmount(), metavar="AMOUNT", default=None, help="What 100 percent are.")
@click.option(
    "--time-zone", "zone", type=Zone(), default="UTC", show_default=True, metavar="ZONE", help="Of dates without one."
)
@click.option("--skip", "skip_us", type=Duration(), metavar="TIME", default=None, help="Begin this far into the trace.")
@click.option("--fit", is_flag=True, help="Squeeze or stretch the trace to the length of the run; rates stay.")
def trace(plan_path: str, workload: str, trace_path: str, new_path: str | None, **options: Any) -> int:
    """Give WORKLOAD of PLAN the load or the use recorded in TRACE.

    TRACE is a CSV file, or the JSON of a Prometheus range query. Units are recognised where they show, and what was
    recognised or assumed is printed; where they do not show, the options say them. If its times are dates, the plan
    starts at the date of what it plays first (simulation.startsAt), unless another workload plays a trace already.
    """
    kind = TraceKind(options["kind"])
    if options["fit"] and options["skip_us"]:
        raise click.UsageError(tr("--fit uses the whole trace; leave --skip out."))
    source = PlanToEdit(plan_path)
    source.check(lambda plan: api.workload_row(plan, workload))
    recorded, assumed, begins_at_us = api.read_trace(trace_path, _how(kind, options))
    keeps_clock = begins_at_us is not None and kind is TraceKind.LOAD and not options["fit"]
    if options["skip_us"]:
        recorded = recorded.model_copy(update={"skip": options["skip_us"]})

    def changed(plan: api.Plan) -> api.Plan:
        profile = fitted(recorded, plan.simulation.duration) if options["fit"] else recorded
        after = api.with_trace(plan, workload, profile, kind)
        if begins_at_us is None or not keeps_clock or has_other_traces(plan, workload):
            return after
        return with_clock(after, profile, begins_at_us)

    plan = source.edited(changed)
    source.save(
        plan,
        new_path,
        tr("{workload} follows the {kind} in {path}", workload=workload, kind=kind, path=trace_path),
    )
    for text in assumed:
        print_line(tr("read: {value}", value=text))
    if keeps_clock:
        print_line(tr("the run starts at {time}", time=format_moment(plan.simulation.starts_at)))
    for hint in find_hints(plan):
        if any(part in hint.where for part in _PARTS):
            print_line(tr("hint: {hint}", hint=hint))
    return GOOD


def _how(kind: TraceKind, options: dict[str, Any]) -> ReadAs:
    unit, time_unit = options["unit"], options["time_unit"]
    return ReadAs(
        kind,
        options["time_column"],
        options["value_column"],
        TimeUnit(time_unit) if time_unit else None,
        ValueUnit(unit) if unit else None,
        options["step_us"] or 0,
        options["whole"] or 0.0,
        options["zone"],
    )
