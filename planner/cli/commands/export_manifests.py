"""headroom export"""

from pathlib import Path

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.losses import tell_losses
from planner.cli.output_folder import make_folder
from planner.cli.parameters import Folder, plan_argument
from planner.cli.plan_files import runnable
from planner.cli.terminal import print_line


@click.command(name="export")
@plan_argument
@click.option("-o", "--output", "folder", type=Folder(), metavar="DIR", required=True, help="Folder to write into.")
def export_manifests(plan_path: str, folder: Path) -> int:
    """Write PLAN as Kubernetes manifests, one YAML file per kind.

    What manifests cannot express is listed on standard error.
    """
    plan = runnable(plan_path)
    make_folder(folder)
    written, losses = api.export_manifests(plan, folder)
    tell_losses(losses, "Not in the manifests")
    print_line(f"Wrote {len(written)} files into {folder}.")
    return GOOD
