"""From paths to documents: files, folders and standard input, in YAML or JSON, with Lists split into their items."""

import codecs
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from planner.errors import ImportProblem
from planner.kube.files.json_objects import MAX_JSON_BYTES, json_value
from planner.kube.files.source import Source, Unreadable
from planner.kube.files.yaml_text import MAX_YAML_BYTES, yaml_documents

STDIN = "-"
STDIN_NAME = "standard input"
MANIFEST_ENDINGS = (".yaml", ".yml", ".json")
TABLE_ENDING = ".csv"
_NO_MANIFEST = "Give files ending in .yaml, .yml or .json, a trace (.csv), or - for standard input."
_READ_AT_ONCE = 1 << 20


def find_files(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Manifest files and tables among files and folders, folders walked in order of name. Raises ImportProblem."""
    manifests: list[str] = []
    tables: list[str] = []
    for path in paths:
        if not path:
            raise ImportProblem("PATH", "The name is empty.", _NO_MANIFEST)
        if path != STDIN and os.path.isdir(path):
            found = [name for name in _walk(path) if name.lower().endswith((*MANIFEST_ENDINGS, TABLE_ENDING))]
            if not found:
                raise ImportProblem(path, "The folder contains no manifest.", _NO_MANIFEST)
        else:
            found = [path]
        for name in found:
            (tables if name.lower().endswith(TABLE_ENDING) else manifests).append(name)
    return list(dict.fromkeys(manifests)), list(dict.fromkeys(tables))


def _walk(folder: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise ImportProblem(str(error.filename), f"The folder cannot be read ({error.strerror}).", "Check permissions.")

    for place, folders, names in os.walk(folder, onerror=refuse):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names))


def read_documents(path: str, stdin: BinaryIO | None) -> Iterator[tuple[Source, Any]]:
    """Every object of a file with its place. Raises ImportProblem."""
    where = STDIN_NAME if path == STDIN else path
    text = read_text(path, stdin)
    number = 1
    try:
        for number, value in enumerate(_values(text), start=1):
            yield from _objects(value, Source(where, number))
            number += 1
    except Unreadable as error:
        place = Source(where, number)
        raise place.problem(error.place, error.problem, error.remedy) from None


def _values(text: str) -> Iterator[Any]:
    """JSON where the text begins like it: a dump is far larger than YAML may be. Flow style of YAML begins alike."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield json_value(text)
            return
        except Unreadable as error:
            documents = _flow_style(text) if error.place else None  # a place: the syntax is wrong, not a value
            if documents is None:
                raise error from None
            yield from documents
            return
    if len(text) > MAX_YAML_BYTES:
        size = f"The YAML is larger than {MAX_YAML_BYTES >> 20} MiB."
        raise Unreadable("", size, "Split it, or dump as JSON: kubectl get -o json.")
    yield from yaml_documents(text)


def _flow_style(text: str) -> list[Any] | None:
    """The documents if this is YAML after all; None where the complaint about JSON is the better one."""
    if len(text) > MAX_YAML_BYTES:
        return None
    try:
        return list(yaml_documents(text))
    except Unreadable:
        return None


def _objects(value: Any, source: Source) -> Iterator[tuple[Source, Any]]:
    """The document itself, or the items of a List (`kubectl get`) or of a bare JSON array."""
    if value is None:
        return
    if isinstance(value, list):
        items: Any = value
    elif isinstance(value, dict) and isinstance(value.get("kind"), str) and value["kind"].endswith("List"):
        items = value.get("items")
        if items is None:
            return
        if not isinstance(items, list):
            raise source.problem("items", "This is not a list.", "Write a list of objects.")
    else:
        yield source, value
        return
    of_list = value.get("kind", "") if isinstance(value, dict) else ""
    for index, item in enumerate(items):
        if isinstance(item, dict) and "kind" not in item and of_list not in ("", "List"):
            item = {"kind": of_list.removesuffix("List"), **item}  # typed lists leave the kind of items out
        yield Source(source.file, source.document, index), item


def read_text(path: str, stdin: BinaryIO | None = None) -> str:
    """The text of a file or of standard input. Raises ImportProblem."""
    where = STDIN_NAME if path == STDIN else path
    content = _bytes(path, where, stdin)
    if not content.strip():
        raise ImportProblem(where, "The file is empty.", "Give a file with manifests.")
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or content[:2] in (b"{\0", b"\0{"):
        raise ImportProblem(where, "The file is UTF-16 text.", "Save it as UTF-8.")
    if b"\0" in content[:_READ_AT_ONCE]:
        raise ImportProblem(where, "The file is binary, not a manifest.", _NO_MANIFEST)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ImportProblem(where, f"Line {line} is not UTF-8 text.", "Save the file as UTF-8.") from None


def _bytes(path: str, where: str, stdin: BinaryIO | None) -> bytes:
    try:
        if path == STDIN:
            content = b"" if stdin is None else stdin.read(MAX_JSON_BYTES + 1)
        else:
            status = Path(path).stat()
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
                raise ImportProblem(where, "This is not a regular file.", _NO_MANIFEST)
            _refuse_size(where, status.st_size)
            with open(path, "rb") as file:
                content = file.read(MAX_JSON_BYTES + 1)
    except FileNotFoundError:
        raise ImportProblem(where, "There is no such file or folder.", "Check the path.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ImportProblem(where, f"The file cannot be read ({reason}).", "Check path and permissions.") from None
    _refuse_size(where, len(content))
    return content


def _refuse_size(where: str, size: int) -> None:
    """Before reading, where the size is known: names decide what a file may hold."""
    if where.lower().endswith((".yaml", ".yml")) and size > MAX_YAML_BYTES:
        problem = f"The file is larger than {MAX_YAML_BYTES >> 20} MiB, the most for YAML."
        raise ImportProblem(where, problem, "Split it, or dump as JSON: kubectl get -o json.")
    if size > MAX_JSON_BYTES:
        problem = f"The file is larger than {MAX_JSON_BYTES >> 20} MiB."
        raise ImportProblem(where, problem, "Dump namespace by namespace, or leave out kinds that are not needed.")
