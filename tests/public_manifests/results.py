"""What an import of a set gave, and the page of all of them."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from planner.errors import ImportProblem, ImportProblems
from planner.kube.importer import Imported, import_paths
from tests.public_manifests.manifest_sets import ManifestSet

_HEAD = """# Imported manifests

What `headroom import` makes of manifests of public repositories, each at the named commit.
`python -m tests.public_manifests --write` brings them with git and writes this page; `--mirror DIR` takes them from
local copies. None of them is part of this project.

*Left out*: settings and objects that a plan has no place for; the import lists and counts them. *Skipped*: files,
documents and objects that could not be read; the import lists them with place, reason and cure. The reasons are counted
below.

| Repository | Commit | Path | Files | Nodes | Workloads | Scalers | Left out | Skipped |
|---|---|---|---:|---:|---:|---:|---:|---:|
"""
_FIELD = re.compile(r"[a-z][\w.\[\]]*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\[\d+\]")
_QUOTED = re.compile(r'"[^"]*"|`[^`]*`|\([^()]*\)|\'[^\']*\'')


class SetResult(NamedTuple):
    """One row."""

    wanted: ManifestSet
    files: int
    imported: Imported | None
    refused: str
    """Why nothing was imported; empty otherwise."""


def imported_set(wanted: ManifestSet, path: Path) -> SetResult:
    """The set after its import."""
    files = 1 if path.is_file() else sum(one.is_file() for one in path.rglob("*"))
    try:
        return SetResult(wanted, files, import_paths([str(path)]), "")
    except (ImportProblem, ImportProblems) as problem:
        return SetResult(wanted, files, None, str(problem).splitlines()[0])


def page(results: Sequence[SetResult]) -> str:
    """The whole page."""
    rows = "\n".join(row(result) for result in results)
    reasons = Counter(
        _reason(problem)
        for result in results
        if result.imported is not None
        for problem in result.imported.losses.skipped
    )
    refused = sum(result.imported is None for result in results)
    lines = [f"| {count} | {reason} |" for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))]
    total = f"{len(results)} sets of {len({result.wanted.repository for result in results})} repositories"
    found = f"{total}; refused: {refused or 'none'}."
    return (
        f"{_HEAD}{rows}\n\n{found}\n\n## Why something was skipped\n| Times | Reason |\n|---:|---|\n"
        + "\n".join(lines)
        + "\n"
    )


def row(result: SetResult) -> str:
    """A line of the table."""
    wanted = result.wanted
    first = f"| {wanted.repository} | `{wanted.commit[:12]}` | `{wanted.path}` | {result.files} |"
    if result.imported is None:
        return f"{first} | | | | refused: {result.refused} |"
    plan, losses = result.imported.plan, result.imported.losses
    nodes = sum(group.initial_size for group in plan.node_groups)
    pools = len(plan.karpenter.node_pools)
    scalers = len(plan.horizontal_pod_autoscalers) + len(plan.scaled_objects) + len(plan.scaled_jobs)
    scalers += len(plan.vertical_pod_autoscalers) + len(plan.proportional_autoscalers)
    shown = f"{nodes}" + (f" and {pools} pools of Karpenter" if pools else "")
    left_out = sum(loss.count for loss in losses)
    return f"{first} {shown} | {len(plan.workloads)} | {scalers} | {left_out} | {len(losses.skipped)} |"


def _reason(problem: ImportProblem) -> str:
    """The reason without what only this one file has, after the field of the manifest if one is named."""
    field = problem.where.rpartition("document ")[2].partition(": ")[2]
    named = f"`{_ITEM.sub('[]', field)}`: " if _FIELD.match(field) else ""
    return named + _QUOTED.sub("...", problem.problem).replace("|", "\\|")
