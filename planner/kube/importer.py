"""Imports manifests as a plan: reads every file, maps every object, joins related ones, and checks the result."""

import contextlib
import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, BinaryIO

from planner.errors import ImportProblem, ImportProblems
from planner.kube.assembly import assemble
from planner.kube.draft.ages import note_times
from planner.kube.draft.checked import checked_plan
from planner.kube.draft.draft import Draft
from planner.kube.draft.left_out import Losses
from planner.kube.draft.unread import tell_unread
from planner.kube.files.documents import Objects, read_documents
from planner.kube.files.doubles import SeenObjects
from planner.kube.files.field import Field, shown
from planner.kube.files.folders import STDIN, STDIN_NAME, Found, find_files
from planner.kube.files.generated_names import named
from planner.kube.files.source import Source
from planner.kube.kinds.registry import KINDS, READING_ORDER
from planner.kube.kinds.workloads import pod
from planner.kube.traces.registry import read_trace
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan

MAX_PROBLEMS = 100
MAX_ATTEMPTS = 20
"""Readings of the objects that are left; problems that appear one after the other end there."""
_UNKNOWN = marked("this kind is not part of a plan")


@dataclass(frozen=True)
class Imported:
    """A plan, and what it could not hold."""

    plan: Plan
    losses: Losses


def import_paths(paths: Sequence[str], stdin: BinaryIO | None = None, *, strict: bool = False) -> Imported:
    """The plan of manifests (files, folders, "-" for `stdin`) or of a public trace.

    What cannot be read is skipped and listed in `losses.skipped`; `strict` refuses it instead. Raises ImportProblem or
    ImportProblems with file, document, path, problem and remedy; without `strict` only if nothing could be read.
    """
    with _without_collector():
        return _import(paths, stdin, strict)


def _import(paths: Sequence[str], stdin: BinaryIO | None, strict: bool) -> Imported:
    found = find_files(paths)
    title = _title(paths)
    if found.tables and not found.manifests:
        plan, losses = read_trace(found.tables, title)
        return Imported(plan, losses)
    problems = list(found.problems)
    objects: Objects = []
    for path in found.manifests:
        objects.extend(read_documents(path, stdin, problems))
    return _import_objects(named(objects), problems, found, title, strict)


def _import_objects(
    objects: Objects, problems: list[ImportProblem], found: Found, title: str, strict: bool
) -> Imported:
    """The plan of the objects; without `strict` the ones with a problem are skipped and the others read afresh."""
    for _attempt in range(MAX_ATTEMPTS):
        draft = Draft()
        _note_files(found, draft.losses)
        wrong: list[ImportProblem] = []
        count = _read_all(objects, draft, wrong)
        if (strict and (problems or wrong)) or (problems and not count):
            break
        if not wrong:
            if not count:
                raise _nothing_known(found.manifests, objects)
            draft.losses.skip(problems)
            try:
                assembled = assemble(draft, title)
                return Imported(checked_plan(assembled.data, assembled.sources, draft.losses), draft.losses)
            except ImportProblems as error:
                wrong = list(error.problems)
            except ImportProblem as error:
                wrong = [error]
        kept = _without_places(objects, wrong)
        if strict or len(kept) == len(objects):
            break
        problems, objects = [*problems, *wrong], kept
    raise ImportProblems([*problems, *wrong][:MAX_PROBLEMS])


def _without_places(objects: Objects, problems: Iterable[ImportProblem]) -> Objects:
    """The objects that none of the problems is about."""
    places: dict[str, None] = {}
    for problem in problems:
        steps = problem.where.split(": ")
        places.update((": ".join(steps[:count]), None) for count in range(1, len(steps) + 1))
    return [(source, value) for source, value in objects if str(source) not in places]


def _note_files(found: Found, losses: Losses) -> None:
    for table in found.tables:
        losses.add("table", table, tr("tables can only be imported as a trace, without manifests"))
    for (what, which, reason), count in found.passed_over.items():
        losses.add(what, which, reason, count)


def _nothing_known(manifests: Sequence[str], objects: Objects) -> ImportProblem:
    problem = tr("None of the {count} objects is of a kind that a plan can contain.", count=len(objects))
    where = ", ".join(tr(STDIN_NAME) if path == STDIN else path for path in manifests)
    return ImportProblem(where[:200], problem, tr("Known kinds: {kinds}.", kinds=", ".join(KINDS)))


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


def _read_all(objects: Objects, draft: Draft, problems: list[ImportProblem]) -> int:
    """Maps all objects, controllers before pods; how many were of a known kind."""
    known: list[tuple[tuple[int, str], str, Source, Any]] = []
    seen = SeenObjects()
    for source, value in objects:
        try:
            kind = _kind(value, source)
        except ImportProblem as problem:
            problems.append(problem)
            continue
        if kind in KINDS and _is_of_plans(kind, _version(value)):
            double = seen.double(kind, value)
            if double is not None:
                draft.losses.add(kind, "", tr("{double} is defined twice; the first one is used", double=double))
                continue
            note_times(value, draft)
            known.append(((READING_ORDER[kind], _created(kind, value)), kind, source, value))
        else:
            group = _group(_version(value))
            draft.losses.add(f"{kind} ({group})" if group else kind, "", tr(_UNKNOWN))
    for _order, kind, source, value in sorted(known, key=itemgetter(0)):
        if kind == pod.KIND and pod.read_plain(value, source, draft):
            continue
        manifest = Field(value, source)
        try:
            KINDS[kind].read(manifest, draft)
            if not manifest.is_taken_whole:
                tell_unread(manifest, kind, draft.losses)
        except ImportProblem as problem:
            problems.append(problem)
    return len(known)


def _created(kind: str, value: Mapping[str, Any]) -> str:
    """When a pod was created; the order of pods without that is the order of the files.

    The scheduler's queue takes pods of equal priority in the order in which it saw them.
    """
    metadata = value.get("metadata") if kind == "Pod" else None
    created = metadata.get("creationTimestamp") if isinstance(metadata, dict) else None
    return created if isinstance(created, str) else ""


def _kind(value: Any, source: Source) -> str:
    if not isinstance(value, dict):
        raise source.problem(
            "", tr("{value} is not an object.", value=shown(value)), tr("A manifest needs apiVersion and kind.")
        )
    plain = value.get("kind")
    if isinstance(plain, str) and plain in KINDS:  # nearly all objects of a dump, so without any detour
        return plain
    kind = Field(value, source).at("kind")
    text = kind.text()
    if not text:
        raise kind.problem(tr("The field is missing."), tr("A manifest needs apiVersion and kind."))
    return text[:100]


@lru_cache(maxsize=1024)
def _is_of_plans(kind: str, version: str | None) -> bool:
    group = _group(version)
    return group is None or group in KINDS[kind].GROUPS


def _group(version: str | None) -> str | None:
    """API group of an object; None where it names none at all."""
    return None if version is None else version.rpartition("/")[0]


def _version(value: Mapping[str, Any]) -> str | None:
    version = value.get("apiVersion")
    return version if isinstance(version, str) else None
