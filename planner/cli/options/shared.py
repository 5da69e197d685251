"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Any

import click

from planner.language.translation import in_english, tr
from planner.plan.edits.presets import PRESETS
from planner.units import US_PER_S, parse_duration_us

_MAX_SEED = 2**53 - 1


class Duration(click.ParamType[Any]):
    """A span of simulated time such as 2h, in microseconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        try:
            span_us = parse_duration_us(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if span_us < US_PER_S:
            self.fail(tr("{value} is too short; give at least 1s", value=value), param, ctx)
        return span_us


class Seed(click.ParamType[Any]):
    """A whole number from which all random draws come."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        if not (str(value).isascii() and str(value).isdigit() and len(value) <= 16 and int(value) <= _MAX_SEED):
            self.fail(tr("{value!r} is not a whole number from 0 to {most}", value=value, most=_MAX_SEED), param, ctx)
        return int(value)


class Folder(click.ParamType[Any]):
    """A folder; an empty name is a variable of the shell that was never set, not this folder."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail(tr('the name is empty; write "." for this folder'), param, ctx)
        return Path(value)


plan_argument = click.argument("plan_path", metavar="PLAN")
seed_option = click.option("--seed", type=Seed(), metavar="N", help="Seed to use instead of the plan's.")
until_option = click.option(
    "--until",
    "until_us",
    type=Duration(),
    metavar="TIME",
    help="Simulated time, such as 2h, instead of the plan's.",
)
at_option = click.option(
    "--at", "at_us", type=Duration(), metavar="TIME", default=None, help="Simulated time; the end if left out."
)
preset_option = click.option(
    "--preset",
    "presets",
    multiple=True,
    type=click.Choice(list(PRESETS)),
    metavar="NAME",
    help="Run under this preset without changing the file; repeat for several. headroom preset --help lists them.",
)


def _for_programs(context: click.Context, _option: click.Parameter, wanted: bool) -> bool:
    """What programs read is in English, whatever the language of who calls them."""
    if wanted:
        context.with_resource(in_english())
    return wanted


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_for_programs, help="Print one JSON object on standard output."
)
new_plan_option = click.option(
    "-o", "--output", "new_path", metavar="PLAN", help="Plan file to write; default: PLAN itself."
)
catalogue_option = click.option(
    "--catalogue",
    "catalogue_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Machine catalogue to use instead of your own or the built-in one.",
)
