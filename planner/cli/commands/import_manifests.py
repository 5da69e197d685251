"""headroom import"""

import sys

import click

from planner import api, reports
from planner.cli.exit_codes import GOOD
from planner.cli.losses import tell_losses
from planner.cli.plan_files import save
from planner.cli.terminal import print_block


@click.command(name="import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-o", "--output", "plan_path", metavar="PLAN", required=True, help="Plan file to write (*.headroom).")
@click.option("--place", is_flag=True, help="Place all pods at once and report which did not fit, and why.")
@click.option("--strict", is_flag=True, help="Refuse everything if a file, document or object cannot be read.")
def import_manifests(paths: tuple[str, ...], plan_path: str, place: bool, strict: bool) -> int:
    """Turn Kubernetes manifests or a known trace into a plan.

    PATH is a file, a folder, or - for standard input. What cannot be read, what a plan cannot express, and what you
    have to fill in, is listed on standard error.
    """
    imported = api.import_plan(paths, None if sys.stdin is None else sys.stdin.buffer, strict=strict)
    tell_losses(imported.losses, "Left out")
    plan = imported.plan
    nodes, pods = sum(group.initial_size for group in plan.node_groups), sum(w.replicas for w in plan.workloads)
    content = f"{len(plan.node_groups)} node pools, {nodes} nodes, {len(plan.workloads)} workloads, {pods} pods"
    kept = sum(sum(workload.starts_on.values()) for workload in plan.workloads)
    save(plan, plan_path, content + (f", {kept} of them on their current nodes" if kept else ""))
    if place:
        print_block(reports.fit_summary(api.place_plan(plan)))
    return GOOD
