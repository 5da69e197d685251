"""Options that the commands of experiments share."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from planner.cli.options.shared import Folder, json_option, until_option
from planner.language.translation import tr
from planner.plan.model.experiments.seeded import MOST_SEEDS

USUAL_SEEDS, _UNTIL_WIDTH = 20, 200
"""Runs of each plan, where nothing else is said, and at most where they go on until a half-width is reached."""
Option = Callable[[Callable[..., int]], Callable[..., int]]


class Percentage(click.ParamType[Any]):
    """A percentage such as 2% or 2."""

    name = "percentage"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        try:
            number = float(str(value).strip().removesuffix("%"))
        except ValueError:
            number = -1.0
        if not 0.0 < number <= 1000.0:
            self.fail(tr("{value!r} is not a percentage above 0; write for example 2%", value=value), param, ctx)
        return number


class PercentageRange(click.FloatRange):
    """A percentage between two bounds, such as 30% or 30."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number: Any = value.strip().removesuffix("%") if isinstance(value, str) else value
        return super().convert(number, param, ctx)


@dataclass(frozen=True)
class Way:
    """How an experiment is run and shown."""

    jobs: int | None
    scheduler: str | None
    until_us: int | None
    as_json: bool = False
    markdown: bool = False
    out: Path | None = None


jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 1024), metavar="N", help="Processes to use; default: one a processor."
)
_OPTIONS = (
    jobs_option,
    click.option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster at this address."),
    until_option,
    json_option,
    click.option("--markdown", is_flag=True, help="Print Markdown."),
    click.option(
        "-o",
        "--out",
        type=Folder(),
        metavar="DIR",
        help="Also write answer.json, answer.md and answer.csv into this folder.",
    ),
)


def experiment_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of `Way`, which the command receives as `way`."""

    @functools.wraps(command)
    def with_way(
        *arguments: Any,
        jobs: int | None,
        scheduler: str | None,
        until_us: int | None,
        as_json: bool,
        markdown: bool,
        out: Path | None,
        **others: Any,
    ) -> int:
        if as_json and markdown:
            raise click.UsageError(tr("--json and --markdown exclude each other."))
        return command(*arguments, way=Way(jobs, scheduler, until_us, as_json, markdown, out), **others)

    for option in reversed(_OPTIONS):
        with_way = option(with_way)
    return with_way


def seeds_option_of(usual: int) -> Option:
    """--seeds of a command that makes so many runs of each plan by itself."""
    return click.option(
        "--seeds",
        type=click.IntRange(1, MOST_SEEDS),
        metavar="N",
        help=f"Runs of each plan; with --until-width the most. Default: {usual}, then {_UNTIL_WIDTH}.",
    )


seeds_option = seeds_option_of(USUAL_SEEDS)
width_option = click.option(
    "--until-width",
    "half_width",
    type=Percentage(),
    metavar="P%",
    help="Add runs until the intervals reach this far to either side, in percent of the mean.",
)
figures_option = click.option(
    "--figure", "figures", multiple=True, metavar="NAME", help="A figure to look at first; repeat for several."
)
confidence_option = click.option(
    "--confidence",
    type=Percentage(),
    default="95%",
    show_default=True,
    metavar="P%",
    help="Confidence of the intervals.",
)


def seeded(
    seeds: int | None,
    half_width: float | None,
    figures: tuple[str, ...],
    confidence: float,
    usual: int = USUAL_SEEDS,
) -> dict[str, object]:
    """The settings that every experiment has."""
    most = seeds if seeds is not None else (usual if half_width is None else _UNTIL_WIDTH)
    return {"seeds": most, "half_width": half_width, "figures": figures, "confidence": min(confidence, 99.99)}
