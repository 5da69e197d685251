"""Loads a command when it is used, as loading takes longer than most of them.

Each import is written out, so that the packaged program has them all.
"""

import click


def command(name: str) -> click.Command:
    """One of the commands. Raises ValueError for a name that none has."""
    found = _general(name) or _experiment(name) or _of_pools(name)
    if found is None:
        raise ValueError(f"there is no command {name}")
    return found


def _general(name: str) -> click.Command | None:
    match name:
        case "simulate":
            from planner.cli.commands.simulate import simulate as found
        case "validate":
            from planner.cli.commands.validate import validate as found
        case "report":
            from planner.cli.commands.report import report as found
        case "headroom":
            from planner.cli.commands.headroom import headroom as found
        case "get":
            from planner.cli.commands.get import get as found
        case "why":
            from planner.cli.commands.why import why as found
        case "digest":
            from planner.cli.commands.digest import digest as found
        case "import":
            from planner.cli.commands.import_manifests import import_manifests as found
        case "export":
            from planner.cli.commands.export_manifests import export_manifests as found
        case "trace":
            from planner.cli.commands.trace import trace as found
        case "measure":
            from planner.cli.commands.measure import measure_command as found
        case "calibrate":
            from planner.cli.commands.calibrate import calibrate_command as found
        case "backtest":
            from planner.cli.commands.backtest import backtest_command as found
        case "preset":
            from planner.cli.commands.preset import preset as found
        case "runtime":
            from planner.cli.commands.runtime import runtime as found
        case _:
            return None
    return found


def _experiment(name: str) -> click.Command | None:
    match name:
        case "compare":
            from planner.cli.experiments.compare import compare_command as found
        case "replicate":
            from planner.cli.experiments.replicate import replicate_command as found
        case "vary":
            from planner.cli.experiments.vary import vary_command as found
        case "search":
            from planner.cli.experiments.search import search_command as found
        case "stress":
            from planner.cli.experiments.stress import stress_command as found
        case "grow":
            from planner.cli.experiments.grow import grow_command as found
        case "rightsize":
            from planner.cli.experiments.rightsize import rightsize_command as found
        case "experiment":
            from planner.cli.experiments.experiment import experiment_command as found
        case "variant":
            from planner.cli.experiments.variant import variant_command as found
        case "check":
            from planner.cli.experiments.check import check_command as found
        case _:
            return None
    return found


def _of_pools(name: str) -> click.Command | None:
    match name:
        case "machines":
            from planner.cli.pools.machines import machines as found
        case "prices":
            from planner.cli.pools.prices import prices as found
        case "machine":
            from planner.cli.pools.machine import machine as found
        case "machine-types":
            from planner.cli.pools.machine_types import machine_types as found
        case "convert":
            from planner.cli.pools.convert import convert as found
        case _:
            return None
    return found
