"""headroom export"""

from collections.abc import Iterable
from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.losses import tell_losses
from planner.cli.output_folder import make_folder
from planner.cli.parameters import Folder, plan_argument
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_block, print_line, say
from planner.kube.changes.by_hand import autoscaler_flags, own_changes, pool_changes
from planner.kube.changes.object_changes import object_changes
from planner.kube.changes.patch_files import write_changes


@click.command(name="export")
@plan_argument
@click.option("-o", "--output", "folder", type=Folder(), metavar="DIR", help="Folder to write into.")
@click.option("--changes", "base_path", metavar="BASE", help="Only what has to change where plan BASE is in place.")
def export_manifests(plan_path: str, folder: Path | None, base_path: str | None) -> int:
    """Write PLAN as Kubernetes manifests, one YAML file per kind.

    What manifests cannot express is listed on standard error. With --changes, the objects that differ from BASE are
    printed as a diff, with the flags and pool sizes that no manifest holds; -o then writes patches and a kustomization.
    """
    plan = runnable(plan_path)
    if base_path is not None:
        return _changes(runnable(base_path), plan, folder)
    if folder is None:
        raise click.UsageError("Say with -o which folder to write into.")
    make_folder(folder)
    written, losses = api.export_manifests(plan, folder)
    tell_losses(losses, "Not in the manifests")
    print_line(f"Wrote {len(written)} files into {folder}.")
    return GOOD


def _changes(base: api.Plan, plan: api.Plan, folder: Path | None) -> int:
    changes = object_changes(base, plan)
    for change in changes:
        print_line(f"# {change.title}")
        print_block(change.diff())
    _list("Flags of the Cluster Autoscaler", autoscaler_flags(base, plan))
    _list("Node pools, to be changed where they were made", pool_changes(base, plan))
    if not changes:
        print_line("# no object changes")
    own = list(own_changes(base, plan))
    if own:
        say("Only in the plan, nothing to apply:")
    for text in own:
        say(f"  {text}")
    if folder is not None and changes:
        make_folder(folder)
        print_line(f"Wrote {len(write_changes(changes, folder))} files into {folder}.")
    return GOOD


def _list(title: str, lines: Iterable[str]) -> None:
    for number, line in enumerate(lines):
        if number == 0:
            print_line(f"# {title}")
        print_line(line)
