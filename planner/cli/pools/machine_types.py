"""headroom machine-types"""

from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import BAD_INPUT, GOOD
from planner.cli.options.shared import catalogue_option, new_plan_option, plan_argument
from planner.cli.plan_files import PlanToEdit
from planner.cli.terminal import say
from planner.language.translation import tr
from planner.plan.edits.karpenter.instance_types_file import read_instance_types
from planner.plan.edits.karpenter.machine_types import with_machine_types, with_types


@click.command()
@plan_argument
@click.argument("words", metavar="[WORD]...", nargs=-1)
@new_plan_option
@click.option(
    "--zone", "zones", metavar="ZONE", multiple=True, help="Zone in which they are offered; repeat for several."
)
@click.option(
    "--from",
    "types_path",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read them from a file in the form of Karpenter's instance_types.json, or from a table (.csv).",
)
@catalogue_option
def machine_types(
    plan_path: str,
    words: tuple[str, ...],
    new_path: str | None,
    zones: tuple[str, ...],
    types_path: Path | None,
    catalogue_path: Path | None,
) -> int:
    """Give Karpenter in PLAN machine types to choose from.

    They come from the machine catalogue: all whose name, provider, family, architecture or GPU contains every WORD
    (headroom machines lists them), with what the managed service reserves on them, the labels of Karpenter's provider,
    and prices on demand and spot in each zone. With --from they come from a file. Types of the same name are replaced.
    """
    if (types_path is None) == (not words):
        raise click.UsageError(tr("Give words that the catalogue's machines contain, or --from FILE."))
    source = PlanToEdit(plan_path)
    if types_path is not None:
        types = read_instance_types(types_path)
        plan = source.edited(lambda plan: with_types(plan, types))
        count = len(types)
    else:
        catalogue = api.machine_catalogue(catalogue_path)
        found = catalogue.matching(" ".join(words))
        if not found:
            say(tr("No machine matches {words}. headroom machines lists the catalogue.", words=" ".join(words)))
            return BAD_INPUT
        plan = source.edited(lambda plan: with_machine_types(plan, found, catalogue, zones))
        say(tr("hint: {hint}", hint=catalogue.origin))
        count = len(found)
    source.save(
        plan,
        new_path,
        tr(
            "{count} machine types; Karpenter has {total} to choose from",
            count=count,
            total=len(plan.karpenter.instance_types),
        ),
    )
    return GOOD
