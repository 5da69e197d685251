"""Options of commands that read measured series."""

import functools
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import click

from planner import api
from planner.cli.options.shared import Duration
from planner.cli.progress import Progress
from planner.language.translation import tr
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.reading import HowRead, read_measured
from planner.units import US_PER_S


class Zone(click.ParamType[Any]):
    """A time zone such as Europe/Berlin."""

    name = "zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tzinfo):
            return value
        try:
            return ZoneInfo(str(value))
        except (KeyError, ValueError, OSError):
            self.fail(tr("{value!r} is not a time zone; write for example Europe/Berlin", value=value), param, ctx)


class Moment(click.ParamType[Any]):
    """A date such as 2026-03-01 or 2026-03-01T12:00:00Z, in seconds since 1970; else in the zone of the command."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        try:
            found = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(tr("{value!r} is not a date; write for example 2026-03-01T12:00:00Z", value=value), param, ctx)
        zone = (ctx.params.get("zone") if ctx is not None else None) or UTC
        return (found if found.tzinfo else found.replace(tzinfo=zone)).timestamp()


_OPTIONS = (
    click.argument("measured_path", metavar="MEASURED"),
    click.option("--from", "from_s", type=Moment(), metavar="DATE", help="Leave out what was measured before."),
    click.option("--to", "to_s", type=Moment(), metavar="DATE", help="Leave out what was measured later."),
    click.option(
        "--step", "step_us", type=Duration(), metavar="TIME", help="Length of a step; default: that of the series."
    ),
    click.option(
        "--time-zone",
        "zone",
        type=Zone(),
        default="UTC",
        metavar="ZONE",
        is_eager=True,
        help="Zone of times without one, in CSV and in --from and --to.",
    ),
)


def measured_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds MEASURED and how it is read."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_series(path: str, plan: api.Plan, options: Mapping[str, Any]) -> MeasuredCluster:
    """What was measured of a plan. Raises MeasuredProblem."""
    step_s = None if options["step_us"] is None else max(1, options["step_us"] // US_PER_S)
    with Progress() as progress:
        measured = read_measured(
            path, plan, HowRead(step_s, options["zone"]), functools.partial(progress.show_share, tr("reading series"))
        )
    return measured.part(options["from_s"], options["to_s"])
