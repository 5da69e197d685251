"""headroom calibrate"""

import functools
import json
from typing import Any

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.measured import measured_options, read_series
from planner.cli.options.shared import json_option, new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.progress import Progress
from planner.cli.terminal import print_line, say
from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.calibration.calibration import Calibration, calibrate, path_of, with_fits
from planner.measured.calibration.fit import Fit
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.measured_load import with_measured_load
from planner.plan.derived.named_values import named_value


@click.command(name="calibrate")
@plan_argument
@measured_options
@new_plan_option
@click.option("--only", "parts", multiple=True, metavar="TEXT", help="Take only values whose path contains TEXT.")
@click.option("--load", "with_load", is_flag=True, help="Also give the workloads their measured load, as traces.")
@click.option("--dry-run", is_flag=True, help="Print what was fitted and write no plan.")
@json_option
def calibrate_command(plan_path: str, measured_path: str, new_path: str | None, **options: Any) -> int:
    """Fit values of PLAN to the measured series of a cluster.

    The values are what requests cost, what pods use and how long they take to start.

    MEASURED is a file or folder of measured series: answers of Prometheus, OpenMetrics, or CSV of Grafana. Each number
    is printed with its 95 % interval, its samples and its residual, and the plan remembers where it comes from.
    """
    source = PlanToEdit(plan_path)
    measured = read_series(measured_path, source.plan, options)
    with Progress() as progress:
        found = calibrate(source.plan, measured, functools.partial(progress.show_share, tr("fitting")))
    chosen = tuple(fit for fit in found.fits if _is_chosen(options["parts"], path_of(fit)))
    if not found.fits and not found.left_out:
        problem = tr("Nothing was measured that tells a value of the plan.")
        raise MeasuredProblem(measured_path, problem, tr("Measure requests, CPU or memory of its workloads."))
    if options["as_json"]:
        click.echo(json.dumps(_as_json(source.plan, measured, found, chosen), ensure_ascii=False, allow_nan=False))
    else:
        _print_fits(source.plan, measured, found, chosen)
    if (chosen or options["with_load"]) and not options["dry_run"]:
        plan = source.edited(lambda plan: with_fits(plan, chosen, measured))
        what = tr("{count} values fitted to {source}", count=len(chosen), source=measured.source)
        if options["with_load"]:
            plan, count = with_measured_load(plan, measured)
            what += tr(", measured load of {count} workloads", count=count)
        source.save(plan, new_path, what, aside=options["as_json"])
    return GOOD


def _is_chosen(parts: tuple[str, ...], path: str) -> bool:
    """Whether a path is chosen; without a choice all are."""
    return not parts or any(part in path for part in parts)


def _as_json(plan: api.Plan, measured: MeasuredCluster, found: Calibration, chosen: tuple[Fit, ...]) -> dict[str, Any]:
    """The answer as one object."""
    return {
        "kind": "calibration",
        "source": measured.source,
        "window": measured.window,
        "stepSeconds": measured.step_s,
        "fits": [
            {
                "path": path_of(fit),
                "before": named_value(plan, path_of(fit)),
                "value": fit.estimate.value,
                "low": fit.estimate.low,
                "high": fit.estimate.high,
                "unit": fit.spelling.unit,
                "samples": fit.estimate.samples,
                "residual": fit.estimate.residual,
                "remark": fit.remark,
                "taken": fit in chosen,
            }
            for fit in found.fits
        ],
        "leftOut": [{"name": item.name, "what": item.what, "why": item.why} for item in found.left_out],
        "notes": list(measured.notes),
    }


def _print_fits(plan: api.Plan, measured: MeasuredCluster, found: Calibration, chosen: tuple[Fit, ...]) -> None:
    print_line(measured.heading)
    for fit in found.fits:
        text, estimate = fit.spelling.to_text, fit.estimate
        remark = f"; {fit.remark}" if fit.remark else ""
        kept = "" if fit in chosen else tr(" (not taken)")
        print_line(
            tr(
                "{path}: {before} -> {value}{kept}, 95 % {low} to {high} {unit}; {samples} samples, residual "
                "{residual:.1%}{remark}",
                path=path_of(fit),
                before=named_value(plan, path_of(fit)) or tr("nothing"),
                value=text(estimate.value),
                kept=kept,
                low=text(estimate.low),
                high=text(estimate.high),
                unit=fit.spelling.unit,
                samples=estimate.samples,
                residual=estimate.residual,
                remark=remark,
            )
        )
    for item in found.left_out:
        print_line(tr("not fitted: {what} of {name}: {why}", what=item.what, name=item.name, why=item.why))
    for note in measured.notes:
        say(tr("note: {note}", note=note))
