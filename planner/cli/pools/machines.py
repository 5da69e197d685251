"""headroom machines"""

import json
from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import BAD_INPUT, GOOD
from planner.cli.options.shared import catalogue_option, json_option
from planner.cli.terminal import print_line, say
from planner.language.translation import tr
from planner.units import format_bytes, format_cpu

_HEAD = ("MACHINE", "PROVIDER", "FAMILY", "ARCH", "CPU", "MEMORY", "PODS", "SCRATCH", "PRICE/H", "SPOT/H", "OTHER")
_GIB = 1 << 30


@click.command()
@click.argument("words", metavar="[WORD]...", nargs=-1)
@json_option
@catalogue_option
@click.option("--keep", is_flag=True, help="Use the FILE of --catalogue from now on.")
def machines(words: tuple[str, ...], as_json: bool, catalogue_path: Path | None, keep: bool) -> int:
    """List the machine catalogue: sizes and example prices.

    With WORDs, only machines whose name, provider, family, architecture or GPU contains all of them. A file
    machines.json in your data folder, in the form that --json prints, replaces the built-in catalogue; --catalogue FILE
    --keep puts one there.
    """
    if keep and catalogue_path is None:
        raise click.UsageError(tr("--keep needs --catalogue FILE."))
    catalogue = api.machine_catalogue(catalogue_path)
    found = catalogue.matching(" ".join(words))
    if not found:
        providers = ", ".join(each.name for each in catalogue.providers)
        say(
            tr(
                "No machine matches {words}. Use fewer words; the providers are {providers}.",
                words=" ".join(words),
                providers=providers,
            )
        )
        return BAD_INPUT
    if keep and catalogue_path is not None:
        api.adopt_catalogue(catalogue_path)
        say(tr("{path} is the machine catalogue from now on.", path=catalogue_path))
    if as_json:
        click.echo(_as_json(catalogue, found))
        return GOOD
    for line in _aligned([_HEAD, *(_cells(machine, catalogue) for machine in found)]):
        print_line(line)
    print_line(catalogue.origin)
    return GOOD


def _as_json(catalogue: api.MachineCatalogue, found: tuple[api.Machine, ...]) -> str:
    """A catalogue of the machines found."""
    names = {machine.provider for machine in found}
    providers = tuple(each for each in catalogue.providers if each.name in names)
    part = catalogue.model_copy(update={"machines": found, "providers": providers})
    data = part.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return json.dumps({"version": catalogue.version} | data, indent=2, ensure_ascii=False)


def _cells(machine: api.Machine, catalogue: api.MachineCatalogue) -> tuple[str, ...]:
    prices = (f"{price:g}" if price else "-" for price in (machine.price_per_hour, machine.spot_price_per_hour))
    other = ", ".join(f"{amount} {name}" for name, amount in machine.extended.items())
    scratch = f"{catalogue.scratch_of(machine) / _GIB:.0f}Gi"
    amounts = (format_cpu(machine.cpu), format_bytes(machine.memory), str(machine.pods), scratch)
    return (machine.name, machine.provider, machine.family, machine.arch, *amounts, *prices, other)


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = ("<", "<", "<", "<", ">", ">", ">", ">", ">", ">", "<")
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in rows
    ]
