"""The text of a file: its size, its bytes and its encoding, with a clear word for each that is wrong."""

import codecs
import re
import stat
from pathlib import Path
from typing import BinaryIO

from planner.errors import ImportProblem
from planner.kube.files.folders import NO_MANIFEST, STDIN, STDIN_NAME
from planner.kube.files.json_objects import MAX_JSON_BYTES
from planner.kube.files.yaml_text import MAX_YAML_BYTES
from planner.language.translation import tr

_BEGINNING = 4096
_BINARY = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""Control characters that no text file contains."""


def read_text(path: str, stdin: BinaryIO | None = None) -> str:
    """The text of a file or of standard input. Raises ImportProblem."""
    where = tr(STDIN_NAME) if path == STDIN else path
    content = _bytes(path, where, stdin)
    if not content.strip():
        raise ImportProblem(where, tr("The file is empty."), tr("Give a file with manifests."))
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or content[:2] in (b"{\0", b"\0{"):
        raise ImportProblem(where, tr("The file is UTF-16 text."), tr("Save it as UTF-8."))
    _refuse_zeros(where, content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ImportProblem(
            where, tr("Line {line} is not UTF-8 text.", line=line), tr("Save the file as UTF-8.")
        ) from None


def _refuse_zeros(where: str, content: bytes) -> None:
    """Bytes of value 0: a program or an archive has them among other control characters, a damaged text alone."""
    at = content.find(b"\0")
    if at < 0:
        return
    if _BINARY.search(content[:_BEGINNING]):
        raise ImportProblem(where, tr("The file is binary, not a manifest."), tr(NO_MANIFEST))
    line = content[:at].count(b"\n") + 1
    problem = tr("Line {line} contains a NUL byte, so the file is damaged.", line=line)
    raise ImportProblem(where, problem, tr("Write the file again, or remove the NUL bytes."))


def _bytes(path: str, where: str, stdin: BinaryIO | None) -> bytes:
    try:
        if path == STDIN:
            content = b"" if stdin is None else stdin.read(MAX_JSON_BYTES + 1)
        else:
            status = Path(path).stat()
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISFIFO(status.st_mode)):
                raise ImportProblem(where, tr("This is not a regular file."), tr(NO_MANIFEST))
            _refuse_size(where, status.st_size)
            with open(path, "rb") as file:
                content = file.read(MAX_JSON_BYTES + 1)
    except FileNotFoundError:
        raise ImportProblem(where, tr("There is no such file or folder."), tr("Check the path.")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ImportProblem(
            where, tr("The file cannot be read ({reason}).", reason=reason), tr("Check path and permissions.")
        ) from None
    _refuse_size(where, len(content))
    return content


def _refuse_size(where: str, size: int) -> None:
    """Before reading, where the size is known: names decide what a file may hold."""
    if where.lower().endswith((".yaml", ".yml")) and size > MAX_YAML_BYTES:
        problem = tr("The file is larger than {most} MiB, the most for YAML.", most=MAX_YAML_BYTES >> 20)
        raise ImportProblem(where, problem, tr("Split it, or dump as JSON: kubectl get -o json."))
    if size > MAX_JSON_BYTES:
        problem = tr("The file is larger than {most} MiB.", most=MAX_JSON_BYTES >> 20)
        raise ImportProblem(where, problem, tr("Dump namespace by namespace, or leave out kinds that are not needed."))
