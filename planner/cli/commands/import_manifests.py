"""headroom import"""

import contextlib
import functools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from planner import api
from planner.cli.exit_codes import GOOD
from planner.cli.losses import tell_losses
from planner.cli.options.prometheus import measure, prometheus_options
from planner.cli.options.shared import Folder
from planner.cli.output_folder import make_folder
from planner.cli.plan_files import save
from planner.cli.progress import Progress
from planner.cli.terminal import print_block, print_line, say
from planner.kube.draft.left_out import Losses
from planner.kube.live.calls import ClusterCall, cluster_calls
from planner.kube.live.kubectl import PROGRAM, dump_cluster
from planner.language.translation import tr, tr_count
from planner.measured.saving import ENDING
from planner.reports.fit_summary import fit_summary


@click.command(name="import")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("-o", "--output", "plan_path", metavar="PLAN", help="Plan file to write (*.headroom).")
@click.option("--place", is_flag=True, help="Place all pods at once and report which did not fit, and why.")
@click.option("--strict", is_flag=True, help="Refuse everything if a file, document or object cannot be read.")
@click.option("--from-cluster", is_flag=True, help="Read a running cluster with your kubectl, which is only asked.")
@click.option("--context", metavar="NAME", default="", help="Context of kubectl; default: its current one.")
@click.option("--namespace", "namespaces", multiple=True, metavar="NAME", help="Read only this one; repeat for more.")
@click.option("--dump", type=Folder(), metavar="DIR", help="Also keep what the cluster answered in this folder.")
@click.option("--dry-run", is_flag=True, help="Print the calls of kubectl and make none of them.")
@click.option("--prometheus", "url", metavar="URL", help="Also measure the workloads, as headroom measure does.")
@prometheus_options
def import_manifests(paths: tuple[str, ...], plan_path: str | None, url: str | None, **options: Any) -> int:
    """Turn Kubernetes manifests or a known trace into a plan.

    PATH is a file, a folder, or - for standard input; with --from-cluster none is needed. What cannot be read, what a
    plan cannot express, and what you have to fill in, is listed on standard error.
    """
    calls = _calls(paths, options)
    if options["dry_run"]:
        for call in calls:
            print_line(call.text(PROGRAM))
        return GOOD
    if plan_path is None:
        raise click.UsageError(tr("Say with -o which plan file to write."))
    with _places(paths, calls, options) as places:
        imported = api.import_plan(places, None if sys.stdin is None else sys.stdin.buffer, strict=options["strict"])
    tell_losses(imported.losses, tr("Left out"))
    plan = imported.plan
    kept = sum(sum(workload.starts_on.values()) for workload in plan.workloads)
    save(plan, plan_path, _content(plan) + (tr(", {kept} of them on their current nodes", kept=kept) if kept else ""))
    if url is not None:
        measure(url, plan, Path(plan_path).with_suffix(ENDING), options)
    if options["place"]:
        print_block(fit_summary(api.place_plan(plan)))
    return GOOD


def _content(plan: api.Plan) -> str:
    """How much of everything the plan has."""
    pools = len(plan.node_groups) + len(plan.karpenter.node_pools)
    nodes, workloads, pods = _nodes(plan), len(plan.workloads), sum(workload.replicas for workload in plan.workloads)
    return ", ".join(
        (
            tr_count("{count} node pool", "{count} node pools", pools, count=pools),
            tr_count("{count} node", "{count} nodes", nodes, count=nodes),
            tr_count("{count} workload", "{count} workloads", workloads, count=workloads),
            tr_count("{count} pod", "{count} pods", pods, count=pods),
        )
    )


def _nodes(plan: api.Plan) -> int:
    """Nodes when the run begins."""
    begun = sum(some.count for pool in plan.karpenter.node_pools for some in pool.initial_nodes)
    return begun + sum(group.initial_size for group in plan.node_groups)


def _calls(paths: tuple[str, ...], options: dict[str, Any]) -> list[ClusterCall]:
    """The calls of kubectl, none without --from-cluster. Raises UsageError for options that do not fit each other."""
    if options["from_cluster"]:
        if paths:
            raise click.UsageError(tr("--from-cluster takes no PATH."))
        return cluster_calls(options["context"], options["namespaces"])
    if not paths:
        raise click.UsageError(tr("Give a PATH, or --from-cluster."))
    for name in ("context", "namespaces", "dump", "dry_run"):
        if options[name]:
            raise click.UsageError(tr("--context, --namespace, --dump and --dry-run go with --from-cluster."))
    return []


@contextlib.contextmanager
def _places(paths: tuple[str, ...], calls: list[ClusterCall], options: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """What to read: the paths, or a folder with what the cluster answers."""
    if not calls:
        yield paths
        return
    with tempfile.TemporaryDirectory(prefix="headroom-") as parent:
        folder = options["dump"] or Path(parent) / (options["context"].replace("/", "-") or "cluster")
        make_folder(folder)
        say(tr("Asking the cluster; every call only reads:"))
        for call in calls:
            say(f"  {call.text(PROGRAM)}")
        losses = Losses()
        with Progress() as progress:
            dump_cluster(calls, folder, losses, functools.partial(progress.show_share, tr("asking the cluster")))
        tell_losses(losses, tr("Not in the cluster"))
        yield (str(folder),)
