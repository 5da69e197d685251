"""Reads manifests beside the window, and tells them from plan files."""

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from planner import api
from planner.errors import PlannerError
from planner.language.translation import tr
from ui.process.latest_work import LatestWork

if TYPE_CHECKING:
    from planner.api import Imported

_SUFFIXES = frozenset((".yaml", ".yml", ".json", ".list", ".csv", ".gz", ".txt"))
_PLAN_SUFFIX = ".headroom"
_LOOK_BYTES = 4_096
_PASTED = "-"


def is_manifest_file(path: Path) -> bool:
    """Whether a file or folder is for the import: everything in a known format that is no plan file."""
    if path.is_dir():
        return True
    if path.suffix.lower() not in _SUFFIXES:
        return False
    try:
        with path.open("rb") as file:
            return b'"schemaVersion"' not in file.read(_LOOK_BYTES)
    except OSError:
        return False  # opening it says what is wrong


def is_manifest_text(text: str) -> bool:
    """Whether a text on the clipboard is one or more manifests, as YAML or JSON."""
    head = text[:200_000]
    return "apiVersion" in head and "kind" in head and "\t" not in head.split("\n", 1)[0]


class ManifestReading(QObject):
    """Imports files, folders or a text; only the latest request counts."""

    begun = Signal(str)
    """What is read, in words."""
    done = Signal(object)
    """An `Imported`."""
    failed = Signal(object)
    """A PlannerError that says what is wrong and what to do."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = LatestWork("import", self)

    def read_paths(self, paths: Sequence[Path]) -> None:
        """Read files and folders together, as one cluster."""
        names = ", ".join(path.name for path in paths[:3])
        words = (
            names if len(paths) <= 3 else self.tr("{names} and {count} more").format(names=names, count=len(paths) - 3)
        )
        self._start(words, partial(api.import_plan, [str(path) for path in paths]))

    def read_text(self, text: str) -> None:
        """Read a text that was pasted."""
        self._start(self.tr("the pasted text"), partial(api.import_plan, [_PASTED], BytesIO(text.encode())))

    def cancel(self) -> None:
        """What is being read is no longer wanted."""
        self._work.forget()

    def _start(self, words: str, read: Callable[[], "Imported"]) -> None:
        self.begun.emit(words)
        self._work.start(partial(_read, read), self._take)

    def _take(self, found: "Imported | PlannerError") -> None:
        if isinstance(found, PlannerError):
            self.failed.emit(found)
        else:
            self.done.emit(found)


def with_paste(text: str) -> str:
    """What the command line reads from standard input, the window has from the clipboard."""
    from planner.kube.files.folders import NO_MANIFEST, STDIN_NAME  # late, as all of manifests

    text = text.replace(
        tr(NO_MANIFEST), tr("Choose files ending in .yaml, .yml or .json, a trace (.csv), or paste text.")
    )
    return text.replace(tr(STDIN_NAME), tr("pasted text"))


def _read(read: Callable[[], "Imported"]) -> "Imported | PlannerError":
    """Called in a thread: uses no Qt."""
    try:
        return read()
    except PlannerError as error:
        return error
