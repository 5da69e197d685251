"""headroom grow"""

import re
from typing import Any

import click

from planner.cli.experiments.options import PercentageRange, Way, experiment_options
from planner.cli.experiments.session import answered
from planner.cli.options.shared import plan_argument
from planner.cli.plan_files import runnable
from planner.experiments.kinds.grow.grow import grow
from planner.language.translation import tr
from planner.plan.model.experiments.grow import Grow, GrowthEvent

_EVENT = re.compile(r"(?P<name>[^=]*[^=\s])\s*=\s*(?P<month>\d{1,3})\s*:\s*(?P<factor>\d+(\.\d+)?)")


class EventOption(click.ParamType[Any]):
    """A month with another load, such as launch=3:1.5."""

    name = "event"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, GrowthEvent):
            return value
        found = _EVENT.fullmatch(str(value).strip())
        if found is None or not 1 <= int(found["month"]) <= 240 or not 0.0 < float(found["factor"]) <= 1_000.0:
            self.fail(
                tr("{value!r} is not an event; write name=month:factor, as in launch=3:1.5", value=value), param, ctx
            )
        return GrowthEvent(name=found["name"].strip()[:80], month=int(found["month"]), factor=float(found["factor"]))


@click.command(name="grow")
@plan_argument
@click.option("--months", type=click.IntRange(1, 240), default=12, show_default=True, help="How far to look ahead.")
@click.option("--rate", type=PercentageRange(-99, 1_000), default="5%", show_default=True, metavar="P%",
    help="Percent by which the load grows each month.")  # fmt: skip
@click.option("--trend-of", default="", metavar="WORKLOAD", help="Take the rate from its recorded load.")
@click.option("--event", "events", multiple=True, type=EventOption(), metavar="NAME=MONTH:FACTOR",
    help="A month with another load, such as launch=3:1.5; repeat for several.")  # fmt: skip
@click.option("--seeds", type=click.IntRange(1, 1_000), default=3, show_default=True, metavar="N", help="Runs of each.")
@experiment_options
def grow_command(
    plan_path: str, months: int, rate: float, trend_of: str, events: tuple[GrowthEvent, ...], seeds: int, way: Way
) -> int:
    """Let the load of PLAN grow month by month, and see what breaks when.

    The run of the plan stands for a day of each month. Prints what each month costs, and when which SLO, pool, quota or
    budget breaks.
    """
    plan = runnable(plan_path, way.until_us)
    asked = Grow(
        type="grow", name="grow", months=months, rate=rate, trend_of=trend_of, growth_events=events, seeds=seeds
    )
    return answered(plan_path, way, lambda runs: grow(plan, asked, runs))
