"""Imports manifests as a plan: reads every file, maps every object, joins related ones, and checks the result."""

import contextlib
import gc
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from planner.errors import ImportProblem, ImportProblems
from planner.kube.assembly import assemble
from planner.kube.draft.checked import checked_plan
from planner.kube.draft.draft import Draft
from planner.kube.draft.left_out import Losses
from planner.kube.draft.unread import tell_unread
from planner.kube.files.documents import STDIN, STDIN_NAME, find_files, read_documents
from planner.kube.files.field import Field, shown
from planner.kube.files.source import Source
from planner.kube.kinds.registry import KINDS, READING_ORDER
from planner.kube.traces.registry import read_trace
from planner.plan.model.plan import Plan

MAX_PROBLEMS = 100
_UNKNOWN = "this kind is not part of a plan"


@dataclass(frozen=True)
class Imported:
    """A plan, and what it could not hold."""

    plan: Plan
    losses: Losses


def import_paths(paths: Sequence[str], stdin: BinaryIO | None = None) -> Imported:
    """The plan of manifests (files, folders, "-" for `stdin`) or of a public trace.

    Raises ImportProblem or ImportProblems with file, document, path, problem and remedy.
    """
    with _without_collector():
        return _import(paths, stdin)


def _import(paths: Sequence[str], stdin: BinaryIO | None) -> Imported:
    manifests, tables = find_files(paths)
    title = _title(paths)
    if tables and not manifests:
        plan, losses = read_trace(tables, title)
        return Imported(plan, losses)
    draft = Draft()
    for table in tables:
        draft.losses.add("table", table, "tables can only be imported as a trace, without manifests")
    problems: list[ImportProblem] = []
    objects: list[tuple[Source, Any]] = []
    for path in manifests:
        try:
            objects.extend(read_documents(path, stdin))
        except ImportProblem as problem:
            problems.append(problem)
    count = _read_all(objects, draft, problems)
    if problems:
        raise ImportProblems(problems[:MAX_PROBLEMS])
    if count == 0:
        found = f"None of the {len(objects)} objects is of a kind that a plan can contain."
        where = ", ".join(STDIN_NAME if path == STDIN else path for path in manifests)
        raise ImportProblem(where[:200], found, f"Known kinds: {', '.join(KINDS)}.")
    assembled = assemble(draft, title)
    return Imported(checked_plan(assembled.data, assembled.sources, draft.losses), draft.losses)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """A dump is millions of small values without cycles; looking for cycles among them takes longer than reading."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _title(paths: Sequence[str]) -> str:
    names = [STDIN_NAME if path == STDIN else os.path.basename(path.rstrip("/")) for path in paths]
    return f"Import of {', '.join(names)}".encode(errors="replace").decode()[:200]


def _read_all(objects: Iterable[tuple[Source, Any]], draft: Draft, problems: list[ImportProblem]) -> int:
    """Maps all objects, controllers before pods; how many were of a known kind."""
    known: list[tuple[int, str, Field]] = []
    for source, value in objects:
        try:
            kind = _kind(value, source)
        except ImportProblem as problem:
            problems.append(problem)
            continue
        if kind in KINDS and _group(value) in (None, *KINDS[kind].GROUPS):
            known.append((READING_ORDER[kind], kind, Field(value, source)))
        else:
            group = _group(value)
            draft.losses.add(f"{kind} ({group})" if group else kind, "", _UNKNOWN)
    for _order, kind, manifest in sorted(known, key=lambda entry: entry[0]):
        try:
            KINDS[kind].read(manifest, draft)
            tell_unread(manifest, kind, draft.losses)
        except ImportProblem as problem:
            problems.append(problem)
    return len(known)


def _kind(value: Any, source: Source) -> str:
    if not isinstance(value, dict):
        raise source.problem("", f"{shown(value)} is not an object.", "A manifest needs apiVersion and kind.")
    kind = Field(value, source).at("kind")
    text = kind.text()
    if not text:
        raise kind.problem("The field is missing.", "A manifest needs apiVersion and kind.")
    return text[:100]


def _group(value: Any) -> str | None:
    """API group of an object; None where it names none at all."""
    version = value.get("apiVersion")
    if not isinstance(version, str):
        return None
    return version.rpartition("/")[0]
