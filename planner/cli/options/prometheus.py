"""Options of commands that ask a Prometheus."""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from planner import api
from planner.cli.options.measured import Moment
from planner.cli.options.shared import Duration
from planner.cli.progress import Progress
from planner.cli.terminal import print_line, say
from planner.language.translation import tr
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.prometheus.access import access_from
from planner.measured.prometheus.fetching import Wanted, fetched
from planner.measured.prometheus.server import PrometheusServer
from planner.measured.saving import save_measured
from planner.units import US_PER_DAY, US_PER_MIN, US_PER_S

_OPTIONS = (
    click.option("--since", "since_us", type=Duration(), metavar="TIME", default=14 * US_PER_DAY,
                 help="How far to look back; default: 14d."),
    click.option("--from", "from_s", type=Moment(), metavar="DATE", help="Begin of the window, instead of --since."),
    click.option("--to", "to_s", type=Moment(), metavar="DATE", help="End of the window; default: now."),
    click.option("--step", "step_us", type=Duration(), metavar="TIME", default=US_PER_MIN,
                 help="Length of a step; default: 1m."),
    click.option("--requests", metavar="METRIC", default="",
                 help="Metric that counts requests, or a query for requests per second with a label of the workload."),
)  # fmt: skip


def prometheus_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the window, the step and the metric of requests."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def measure(url: str, plan: api.Plan, path: Path, options: Mapping[str, Any]) -> MeasuredCluster:
    """Ask the server at an address about a plan and save the answers. Raises MeasuredProblem or ResultFileError."""
    server = PrometheusServer(url, access_from())
    wanted = Wanted(
        options["since_us"] / US_PER_S,
        max(1, options["step_us"] // US_PER_S),
        options["from_s"],
        options["to_s"],
        options["requests"],
    )
    with Progress() as progress:
        measured = fetched(server, plan, wanted, functools.partial(progress.show_share, f"asking {server.name}"))
    save_measured(measured, plan, path)
    workloads = len({subject.name for subject in measured.courses})
    print_line(
        tr(
            "{path}: {count} series of {workloads} workloads and pools, {window}, steps of {step_s} s",
            path=path,
            count=len(measured.courses),
            workloads=workloads,
            window=measured.window,
            step_s=measured.step_s,
        )
    )
    for note in measured.notes:
        say(tr("note: {note}", note=note))
    return measured
