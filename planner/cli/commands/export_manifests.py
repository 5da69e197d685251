"""headroom export"""

from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.losses import tell_losses
from planner.cli.options.shared import Folder, plan_argument
from planner.cli.output_folder import files_written, make_folder
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_block, print_line, say
from planner.kube.changes.changes_text import changes_text
from planner.kube.changes.helm_values import MappedValue, helm_values, read_mapping
from planner.kube.changes.patch_files import write_changes
from planner.kube.exporter import yaml_text
from planner.language.translation import tr


@click.command(name="export")
@plan_argument
@click.option("-o", "--output", "folder", type=Folder(), metavar="DIR", help="Folder to write into.")
@click.option("--changes", "base_path", metavar="BASE", help="Only what has to change where plan BASE is in place.")
@click.option("--helm", "mapping_path", metavar="FILE", help="With --changes: values of a Helm chart, by this mapping.")
def export_manifests(plan_path: str, folder: Path | None, base_path: str | None, mapping_path: str | None) -> int:
    """Write PLAN as Kubernetes manifests, one YAML file per kind.

    What manifests cannot express is listed on standard error. With --changes, the objects that differ from BASE are
    printed as a diff, with the flags and pool sizes that no manifest holds; -o then writes patches and a kustomization.

    The mapping of --helm has a line for each value of the chart: web.replicaCount: Deployment/shop/web spec.replicas
    """
    if mapping_path is not None and base_path is None:
        raise click.UsageError(tr("--helm goes with --changes."))
    plan = runnable(plan_path)
    if base_path is not None:
        mapping = read_mapping(Path(mapping_path)) if mapping_path is not None else None
        return _changes(runnable(base_path), plan, folder, mapping)
    if folder is None:
        raise click.UsageError(tr("Say with -o which folder to write into."))
    make_folder(folder)
    written, losses = api.export_manifests(plan, folder)
    tell_losses(losses, tr("Not in the manifests"))
    print_line(files_written(len(written), folder))
    return GOOD


def _changes(base: api.Plan, plan: api.Plan, folder: Path | None, mapping: list[MappedValue] | None) -> int:
    changes = changes_text(base, plan)
    print_block(changes.text)
    if changes.own:
        say(tr("Only in the plan, nothing to apply:"))
    for text in changes.own:
        say(f"  {text}")
    found = helm_values(changes.objects, mapping) if mapping is not None else None
    if found is not None:
        print_block(f"# {tr('Values of the Helm chart')}\n{yaml_text([found.values])}".replace("---\n", ""))
        for title in found.others:
            say(tr("{title}: other fields change, too; see its patch", title=title))
    if folder is not None and changes.objects:
        make_folder(folder)
        written = write_changes(changes.objects, folder, None if found is None else found.values)
        print_line(files_written(len(written), folder))
    return GOOD
