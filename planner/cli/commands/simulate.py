"""headroom simulate"""

import json
from pathlib import Path

import click

from planner import api
from planner.cli.interruption import interruptible
from planner.cli.options.shared import Folder, json_option, plan_argument, preset_option, seed_option, until_option
from planner.cli.output_folder import files_written, make_folder
from planner.cli.plan_files import runnable
from planner.cli.progress import Progress
from planner.cli.terminal import print_block, say
from planner.cli.verdict import verdict
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports import folder
from planner.reports.json_report import result_json
from planner.reports.summary import summary_text


@click.command()
@plan_argument
@seed_option
@until_option
@preset_option
@click.option("--out", type=Folder(), metavar="DIR", help="Write the CSV report into this folder.")
@json_option
@click.option("--slo", is_flag=True, help="Exit with 3 if an SLO is missed.")
def simulate(
    plan_path: str,
    seed: int | None,
    until_us: int | None,
    presets: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    slo: bool,
) -> int:
    """Run PLAN and print its key figures.

    Progress goes to standard error. Ctrl-C (or SIGTERM, SIGHUP) ends the run early; what it has found so far is
    printed and written.
    """
    plan = runnable(plan_path, until_us, presets)
    if out is not None:
        make_folder(out)
    with interruptible() as cancelled:
        with Progress() as progress:
            result = api.run_plan(plan, seed=seed, until_us=until_us, on_progress=progress.show, cancelled=cancelled)
        try:
            if out is not None:
                written = folder.write_all(result, out)
                say(files_written(len(written), out))
        finally:  # a full disk must not cost the figures too
            if as_json:
                click.echo(json.dumps(result_json(result), ensure_ascii=False, allow_nan=False))
            else:
                print_block(summary_text(result, LatencyBounds.of(plan, result.until_us)))
        return verdict(result, cancelled, check_slo=slo)
