"""headroom backtest"""

import json
import math
from pathlib import Path
from typing import Any

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.options.measured import measured_options, read_series
from planner.cli.options.shared import json_option, plan_argument
from planner.cli.plan_files import runnable
from planner.cli.progress import Progress
from planner.cli.terminal import print_line, say
from planner.language.translation import marked, tr
from planner.measured.backtest.backtest import BackTest, Comparison, back_test
from planner.measured.backtest.courses_table import save_courses
from planner.measured.backtest.errors import CourseErrors
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity

_UNITS = {
    Quantity.READY: "pods",
    Quantity.REPLICAS: "pods",
    Quantity.NODES: "nodes",
    Quantity.PENDING: "pods",
    Quantity.CPU: "cores",
    Quantity.MEMORY: "bytes",
    Quantity.LATENCY_P50: "s",
    Quantity.LATENCY_P95: "s",
}
_TITLES = {
    Quantity.READY: marked("ready pods"),
    Quantity.REPLICAS: marked("desired pods"),
    Quantity.NODES: marked("nodes"),
    Quantity.PENDING: marked("pending pods"),
    Quantity.CPU: "CPU",
    Quantity.MEMORY: marked("memory"),
    Quantity.LATENCY_P50: marked("latency p50"),
    Quantity.LATENCY_P95: marked("latency p95"),
}


@click.command(name="backtest")
@plan_argument
@measured_options
@click.option(
    "--seeds",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    metavar="N",
    help="Runs with different seeds.",
)
@click.option(
    "--courses",
    "table",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write every measured and simulated course into a CSV file.",
)
@json_option
def backtest_command(
    plan_path: str, measured_path: str, seeds: int, table: Path | None, as_json: bool, **options: Any
) -> int:
    """Play the measured load of a cluster in PLAN and print how far the run is from what happened.

    MEASURED is what `headroom calibrate` reads. Replicas, nodes, CPU, memory and latency are compared step by step,
    beside a simple rule: as many pods as the load of each moment needs.
    """
    plan = runnable(plan_path)
    measured = read_series(measured_path, plan, options)
    found = back_test(plan, measured, seeds, _run)
    if table is not None:
        save_courses(found, table)
    if as_json:
        click.echo(json.dumps(_as_json(measured, found), ensure_ascii=False, allow_nan=False))
    else:
        _print(measured, found)
    return GOOD


def _run(plan: api.Plan, seed: int) -> api.RunResult:
    with Progress() as progress:
        return api.run_plan(plan, seed=seed, on_progress=progress.show)


def _print(measured: MeasuredCluster, found: BackTest) -> None:
    print_line(measured.heading)
    for quantity, title in ((Quantity.READY, marked("Replicas")), (Quantity.NODES, marked("Nodes"))):
        error, naive = found.mape(quantity), found.mape(quantity, naive=True)
        if not math.isnan(error):
            beside = "" if math.isnan(naive) else tr("; load x cost / target: within {naive:.1%}", naive=naive)
            print_line(
                tr(
                    "{title} within {error:.1%} on {days:.3g} days, {count} seeds{beside}",
                    title=tr(title),
                    error=error,
                    days=found.days,
                    count=len(found.seeds),
                    beside=beside,
                )
            )
    for item in found.comparisons:
        print_line(
            tr(
                "{title} of {name}: {item}",
                title=tr(_TITLES[item.subject.quantity]),
                name=item.subject.name,
                item=_in_words(item),
            )
        )
    for note in found.notes:
        say(tr("note: {note}", note=note))


def _in_words(item: Comparison) -> str:
    errors, unit = item.errors, _UNITS[item.subject.quantity]
    parts = [
        tr(
            "off by {mae:.3g} {unit} ({mape}), p50 {p50:.3g}, p95 {p95:.3g}",
            mae=errors.mae,
            unit=unit,
            mape=_percent(errors.mape),
            p50=errors.p50,
            p95=errors.p95,
        )
    ]
    parts.append(f"bias {_percent(errors.bias)}")
    if unit in ("pods", "nodes"):
        parts.append(f"{unit[:-1]}-hours {errors.simulated_hours:.1f} of {errors.measured_hours:.1f}")
    parts.append(f"lag {errors.lag_s:.0f} s")
    if not math.isnan(errors.coverage):
        parts.append(tr("{coverage:.0%} of the steps in the 5-95 % band", coverage=errors.coverage))
    if item.actions is not None:
        parts.append(
            tr(
                "{matched} of {measured} scalings matched ({simulated} simulated)",
                matched=item.actions.matched,
                measured=item.actions.measured,
                simulated=item.actions.simulated,
            )
        )
    if item.naive is not None:
        parts.append(
            tr(
                "load x cost / target: off by {mae:.3g} {unit} ({mape})",
                mae=item.naive.mae,
                unit=unit,
                mape=_percent(item.naive.mape),
            )
        )
    return "; ".join(parts)


def _percent(ratio: float) -> str:
    return "unknown" if math.isnan(ratio) else f"{ratio:.1%}"


def _as_json(measured: MeasuredCluster, found: BackTest) -> dict[str, Any]:
    """The answer as one object; what is unknown is null."""
    return {
        "kind": "backtest",
        "source": measured.source,
        "window": measured.window,
        "stepSeconds": measured.step_s,
        "steps": measured.steps,
        "seeds": list(found.seeds),
        "figures": {
            "replica_mape": _figure(found.mape(Quantity.READY)),
            "replica_mape_naive": _figure(found.mape(Quantity.READY, naive=True)),
            "node_mape": _figure(found.mape(Quantity.NODES)),
        },
        "comparisons": [
            {"quantity": str(item.subject.quantity), "name": item.subject.name, "unit": _UNITS[item.subject.quantity]}
            | _errors(item.errors)
            | {"naive": None if item.naive is None else _errors(item.naive)}
            | {"actions": None if item.actions is None else item.actions._asdict()}
            for item in found.comparisons
        ],
        "notes": list(found.notes),
    }


def _figure(value: float) -> dict[str, Any]:
    return {"value": None if math.isnan(value) else value, "unit": "ratio"}


def _errors(errors: CourseErrors) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in errors._asdict().items()
    }
