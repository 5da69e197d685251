"""From a file to its documents: YAML or JSON, Lists split into their items, problems collected one per document."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from planner.errors import ImportProblem
from planner.kube.files.dump_logs import without_logs
from planner.kube.files.file_text import read_text
from planner.kube.files.folders import STDIN, STDIN_NAME
from planner.kube.files.foreign import foreign_problem, is_template, template_problem
from planner.kube.files.json_objects import json_values
from planner.kube.files.source import Source, Unreadable
from planner.kube.files.yaml_text import MAX_YAML_BYTES, yaml_documents
from planner.language.translation import tr

Objects = list[tuple[Source, Any]]
_SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_LINE = re.compile(r"line (\d+)")


def read_documents(path: str, stdin: BinaryIO | None, problems: list[ImportProblem]) -> Objects:
    """Every object of a file with its place. What cannot be read is added to the problems."""
    where = tr(STDIN_NAME) if path == STDIN else path
    try:
        text = without_logs(read_text(path, stdin))
    except ImportProblem as problem:
        problems.append(problem)
        return []
    found: Objects = []
    wrong: list[ImportProblem] = []
    documents = 0
    for number, value in enumerate(_values(text), start=1):
        source = Source(where, number)
        if isinstance(value, Unreadable):
            wrong.append(source.problem(value.place, value.problem, value.remedy))
        else:
            documents += value is not None
            _take(value, source, found, wrong)
    if wrong and is_template(text) and (not _is_json(text) or text.lstrip().startswith("{{")):
        wrong, found = [template_problem(where)], []
    elif not wrong and not documents:
        wrong = [ImportProblem(where, tr("All documents of the file are empty."), tr("Give a file with manifests."))]
    problems.extend(wrong)
    return found


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _values(text: str) -> Iterator[Any]:
    """The value of each document, None for an empty one, Unreadable for what cannot be read.

    JSON where the text begins like it: a dump is far larger than YAML may be. Flow style of YAML begins alike.
    """
    if _is_json(text):
        yield from _json_or_flow_style(text)
    elif len(text) > MAX_YAML_BYTES:
        size = tr("The YAML is larger than {most} MiB.", most=MAX_YAML_BYTES >> 20)
        yield Unreadable("", size, tr("Split it, or dump as JSON: kubectl get -o json."))
    else:
        yield from _yaml_values(text)


def _json_or_flow_style(text: str) -> Iterator[Any]:
    read = 0
    try:
        for value in json_values(text):
            read += 1
            yield value
    except Unreadable as error:
        # A place: the syntax is wrong, not a value.
        documents = _flow_style(text) if error.place and not read else None
        yield from [error] if documents is None else documents


def _flow_style(text: str) -> list[Any] | None:
    """The documents if this is YAML after all; None where the complaint about JSON is the better one."""
    if len(text) > MAX_YAML_BYTES:
        return None
    try:
        return list(yaml_documents(text))
    except Unreadable:
        return None


def _yaml_values(text: str) -> list[Any]:
    """All documents at once; each on its own where one of them is wrong, so that it does not take the others along."""
    try:
        return list(yaml_documents(text))
    except Unreadable as error:
        pieces = _pieces(text)
        if len(pieces) == 1:
            return [error]
    found: list[Any] = []
    for piece, first_line in pieces:
        try:
            found.extend(yaml_documents(piece))
        except Unreadable as error:
            found.append(_moved(error, first_line))
    return found


def _pieces(text: str) -> list[tuple[str, int]]:
    """The text of each document, and the number of lines above it."""
    starts = [match.start() for match in _SEPARATOR.finditer(text)]
    if not starts or not _is_comment(text[: starts[0]]):
        starts.insert(0, 0)
    pieces: list[tuple[str, int]] = []
    line = text.count("\n", 0, starts[0])
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        pieces.append((text[start:end], line))
        line += text.count("\n", start, end)
    return pieces


def _is_comment(text: str) -> bool:
    """Lines that begin no document: empty ones, comments, directives."""
    return all(not line.strip() or line.lstrip().startswith(("#", "%")) for line in text.split("\n"))


def _moved(error: Unreadable, lines: int) -> Unreadable:
    """The same problem in a file with so many lines above the piece."""
    place = _LINE.sub(lambda match: f"line {int(match.group(1)) + lines}", error.place, count=1)
    return Unreadable(place, error.problem, error.remedy)


def _take(value: Any, source: Source, found: Objects, problems: list[ImportProblem]) -> None:
    """The document itself, or the items of a List (`kubectl get`) or of a bare JSON array."""
    if value is None:
        return
    foreign = foreign_problem(value, source)
    if foreign is not None:
        problems.append(foreign)
        return
    if isinstance(value, list):
        items: Any = value
    elif isinstance(value, dict) and isinstance(value.get("kind"), str) and value["kind"].endswith("List"):
        items = value.get("items")
        if items is None:
            return
        if not isinstance(items, list):
            problems.append(source.problem("items", tr("This is not a list."), tr("Write a list of objects.")))
            return
    else:
        found.append((source, value))
        return
    of_list = value.get("kind", "") if isinstance(value, dict) else ""
    for index, item in enumerate(items):
        if isinstance(item, dict) and "kind" not in item and of_list not in ("", "List"):
            item = {"kind": of_list.removesuffix("List"), **item}  # typed lists leave the kind of items out
        found.append((Source(source.file, source.document, index), item))
