"""headroom measure"""

from pathlib import Path
from typing import Any

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.prometheus import measure, prometheus_options
from planner.cli.options.shared import plan_argument


@click.command(name="measure")
@plan_argument
@click.argument("url", metavar="URL")
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE", required=True,
    help="File to write, for example week.measured.json.gz.",
)  # fmt: skip
@prometheus_options
def measure_command(plan_path: str, url: str, path: Path, **options: Any) -> int:
    """Ask a Prometheus what it knows of PLAN, and save it for calibrate and backtest.

    Requests, latency, CPU, memory and replicas of all workloads and the nodes of all pools are asked for at once. A
    login is taken from HEADROOM_PROMETHEUS_TOKEN, or from HEADROOM_PROMETHEUS_USER and HEADROOM_PROMETHEUS_PASSWORD;
    with _FILE behind the name, from a file. HEADROOM_PROMETHEUS_CA, _CERT and _KEY name certificates.
    """
    measure(url, api.load_plan(plan_path), path, options)
    return GOOD
