"""Reads measured series from files and folders, whatever their form."""

import gzip
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, tzinfo
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO, cast

from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.collecting import Collector
from planner.measured.formats.exposition import read_exposition
from planner.measured.formats.grafana_table import read_table
from planner.measured.formats.prometheus_answer import read_answer
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.measured.raw_series import RawSeries
from planner.plan.model.plan import Plan

ENDINGS = (".json", ".csv", ".txt", ".prom", ".om", ".openmetrics", ".dump")
_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 4096
_MOST_NAMED = 3
_WORDS: tuple[tuple[Quantity, re.Pattern[str]], ...] = (
    (Quantity.LATENCY_P50, re.compile(r"p50|median")),
    (Quantity.LATENCY_P95, re.compile(r"p95|latency")),
    (Quantity.GIVEN_UP, re.compile(r"given[ _-]?up")),
    (Quantity.RETRIES, re.compile(r"retr(y|ies)")),
    (Quantity.REQUESTS, re.compile(r"requests?(?![a-z])|rps|qps|load|traffic")),
    (Quantity.THROTTLED, re.compile(r"throttl")),
    (Quantity.CPU, re.compile(r"cpu")),
    (Quantity.MEMORY, re.compile(r"memory|working[ _-]?set")),
    (Quantity.READY, re.compile(r"ready")),
    (Quantity.REPLICAS, re.compile(r"replicas|pods|desired")),
    (Quantity.NODE_LAUNCH, re.compile(r"node[ _-]?(launch|provision)")),
    (Quantity.NODE_BOOT, re.compile(r"node[ _-]?boot")),
    (Quantity.NODES, re.compile(r"nodes")),
)
OnRead = Callable[[int, int], None]
"""Called with the bytes that were read and those that there are."""


class HowRead(NamedTuple):
    """What the user says about files of series."""

    step_s: int | None = None
    """Length of a step in seconds; None: that of the first series, at least a minute."""
    zone: tzinfo = UTC
    """Of times that have no offset."""


def read_measured(
    path: str | Sequence[str], plan: Plan, how: HowRead | None = None, on_read: OnRead | None = None
) -> MeasuredCluster:
    """What the files of a path, or of several, say about a plan. Raises MeasuredProblem with place and remedy."""
    paths = (path,) if isinstance(path, str) else path
    how = how or HowRead()
    files = [file for one in paths for file in _files(one)]
    source = ", ".join(Path(one).name for one in paths[:_MOST_NAMED]) + (", ..." if len(paths) > _MOST_NAMED else "")
    collector = Collector(plan, source, how.step_s)
    total, done = sum(_size(file) for file in files), 0
    for file in files:
        with _opened(file) as (text, raw):
            for series in _series(text, file, how.zone):
                collector.take(series, hinted_quantity(Path(file).name))
                if on_read is not None:
                    on_read(done + raw.tell(), total)
        done += _size(file)
    return collector.measured()


def hinted_quantity(file_name: str) -> Quantity | None:
    """What a file of this name holds, unless the names of its metrics say otherwise."""
    name = file_name.lower()
    return next((quantity for quantity, pattern in _WORDS if pattern.search(name)), None)


def _files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    found = 0
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            if name.removesuffix(".gz").endswith(ENDINGS):
                found += 1
                yield os.path.join(folder, name)
    if not found:
        problem = tr("The folder has no file of measured series.")
        raise MeasuredProblem(path, problem, tr("Their names end with one of {endings}.", endings=", ".join(ENDINGS)))


def _size(file: str) -> int:
    try:
        return os.path.getsize(file)
    except OSError as error:
        raise _unreadable(file, error) from error


class _opened:
    """Text of a file, unpacked if it is packed, and the file below it, whose position tells how far it was read."""

    def __init__(self, file: str) -> None:
        self._file = file

    def __enter__(self) -> tuple[TextIO, BinaryIO]:
        try:
            self._raw = open(self._file, "rb")
            packed = self._raw.read(2) == _GZIP
            self._raw.seek(0)
        except OSError as error:
            raise _unreadable(self._file, error) from error
        inner = cast(BinaryIO, gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
        self._text = io.TextIOWrapper(inner, encoding="utf-8-sig", newline=None)
        return self._text, self._raw

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> None:
        self._text.close()
        self._raw.close()
        if isinstance(error, UnicodeDecodeError):
            raise MeasuredProblem(
                self._file, tr("The file is no text."), tr("Give JSON, CSV or OpenMetrics.")
            ) from error
        if isinstance(error, OSError | EOFError):
            raise _unreadable(self._file, error) from error


def _series(text: TextIO, file: str, zone: tzinfo) -> Iterator[RawSeries]:
    head = text.read(_HEAD_BYTES)
    if not head.strip():
        raise MeasuredProblem(file, tr("The file is empty."), tr("Save the series again."))
    whole = cast(TextIO, _Rejoined(head, text))
    first = head.lstrip()[0]
    if first in "[<" or (first == "{" and not re.match(r"\{\s*[a-zA-Z_]\w*\s*=", head.lstrip())):
        return read_answer(whole, file)
    line = next(line for line in head.splitlines() if line.strip())
    if line.startswith(("#", "{")) or re.match(r"[a-zA-Z_:][\w:]*(\{.*\})?\s+[-+\d.NI]\S*(\s|$)", line):
        return read_exposition(whole, file)
    return read_table(whole, file, zone)


class _Rejoined(io.TextIOBase):
    """A text whose head was read already."""

    def __init__(self, head: str, rest: TextIO) -> None:
        self._head = io.StringIO(head)
        self._rest = rest

    def read(self, size: int | None = -1, /) -> str:
        """Up to so many characters, of the head first."""
        return self._head.read(size) or self._rest.read(size if size is not None else -1)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """The next line, which may begin in the head."""
        line = self._head.readline()
        return line if line.endswith("\n") else line + self._rest.readline()


def _unreadable(file: str, error: BaseException) -> MeasuredProblem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return MeasuredProblem(
        file, tr("The file cannot be read ({reason}).", reason=reason), tr("Check the name and the file.")
    )
