"""headroom machines"""

import json

import click

from planner import api
from planner.cli.exit_codes import BAD_INPUT, GOOD
from planner.cli.parameters import json_option
from planner.cli.terminal import print_line, say
from planner.units import format_bytes, format_cpu

_HEAD = ("MACHINE", "PROVIDER", "CPU", "MEMORY", "PODS", "PRICE/H", "SPOT/H", "OTHER")


@click.command()
@click.argument("words", metavar="[WORD]...", nargs=-1)
@json_option
def machines(words: tuple[str, ...], as_json: bool) -> int:
    """List the machine catalogue: sizes and example prices.

    With WORDs, only machines whose name or provider contains all of them. A file machines.json in your data folder, in
    the form that --json prints, replaces the built-in catalogue.
    """
    catalogue = api.machine_catalogue()
    found = catalogue.matching(" ".join(words))
    if not found:
        providers = ", ".join(dict.fromkeys(machine.provider for machine in catalogue.machines))
        say(f"No machine matches {' '.join(words)}. Use fewer words; the providers are {providers}.")
        return BAD_INPUT
    if as_json:
        part = catalogue.model_copy(update={"machines": found})
        data = part.model_dump(mode="json", by_alias=True, exclude_unset=True)
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return GOOD
    for line in _aligned([_HEAD, *map(_cells, found)]):
        print_line(line)
    print_line(catalogue.origin)
    return GOOD


def _cells(machine: api.Machine) -> tuple[str, ...]:
    spot = f"{machine.spot_price_per_hour:g}" if machine.spot_price_per_hour else "-"
    other = ", ".join(f"{amount} {name}" for name, amount in machine.extended.items())
    amounts = (format_cpu(machine.cpu), format_bytes(machine.memory), str(machine.pods))
    return (machine.name, machine.provider, *amounts, f"{machine.price_per_hour:g}", spot, other)


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = ("<", "<", ">", ">", ">", ">", ">", "<")
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]
