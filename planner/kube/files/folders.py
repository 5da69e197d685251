"""Manifest files and tables among paths: files as they are named, folders walked in order of name."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from planner.errors import ImportProblem
from planner.language.translation import marked, tr

STDIN = "-"
STDIN_NAME = marked("standard input")
MANIFEST_ENDINGS = (".yaml", ".yml", ".json")
TABLE_ENDING = ".csv"
NO_MANIFEST = marked("Give files ending in .yaml, .yml or .json, a trace (.csv), or - for standard input.")
MAX_FILES = 50_000
MAX_FOLDER_BYTES = 1 << 30


def _other_ending() -> str:
    known = ", ".join(MANIFEST_ENDINGS)
    return tr("of a folder only {known} and {table} files are read", known=known, table=TABLE_ENDING)


@dataclass
class Found:
    """What the paths lead to."""

    manifests: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    passed_over: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """What is not entered or read by rule: file, folder or link; which one; the reason."""
    problems: list[ImportProblem] = field(default_factory=list)
    """Places inside folders that cannot be read."""
    _bytes: int = 0

    def take(self, path: str) -> None:
        """A file by its ending."""
        (self.tables if path.lower().endswith(TABLE_ENDING) else self.manifests).append(path)

    def take_within(self, path: str) -> None:
        """A file of a folder, unless its ending or the size of all of them speaks against it."""
        if not path.lower().endswith((*MANIFEST_ENDINGS, TABLE_ENDING)):
            ending = os.path.splitext(path)[1].lower()
            self.pass_over("file", f"*{ending}" if ending else tr("without ending"), _other_ending())
            return
        try:
            self._bytes += os.stat(path).st_size
        except OSError as error:
            problem = tr("The file cannot be read ({reason}).", reason=error.strerror)
            self.problems.append(ImportProblem(path, problem, tr("Check path and permissions, and where links lead.")))
            return
        if self._bytes > MAX_FOLDER_BYTES:
            problem = tr(
                "The files before this one have {size} GiB already.",
                size=MAX_FOLDER_BYTES >> 30,
            )
            self.problems.append(ImportProblem(path, problem, tr("Import fewer folders at once.")))
            return
        self.take(path)

    def pass_over(self, what: str, which: str, reason: str) -> None:
        """Something that an import leaves alone."""
        key = (what, which, reason)
        self.passed_over[key] = self.passed_over.get(key, 0) + 1


def find_files(paths: Sequence[str]) -> Found:
    """Files to read. Raises ImportProblem where a path that was given cannot be used."""
    found = Found()
    for path in paths:
        if not path:
            raise ImportProblem("PATH", tr("The name is empty."), tr(NO_MANIFEST))
        if path == STDIN or not os.path.isdir(path):
            found.take(path)
            continue
        before = len(found.manifests) + len(found.tables) + len(found.problems)
        for count, name in enumerate(_walk(path, found)):
            if count >= MAX_FILES:
                problem = tr("The folder contains more than {most} files.", most=MAX_FILES)
                raise ImportProblem(path, problem, tr("Give the folders that contain manifests."))
            found.take_within(name)
        if before == len(found.manifests) + len(found.tables) + len(found.problems):
            raise ImportProblem(path, tr("The folder contains no manifest."), tr(NO_MANIFEST))
    found.manifests = list(dict.fromkeys(found.manifests))
    found.tables = list(dict.fromkeys(found.tables))
    return found


def _walk(folder: str, found: Found) -> Iterator[str]:
    """All files below a folder. Links to folders and hidden folders are not entered, which ends every loop."""

    def note(error: OSError) -> None:
        problem = tr("The folder cannot be read ({reason}).", reason=error.strerror)
        found.problems.append(ImportProblem(str(error.filename), problem, tr("Check permissions.")))

    for place, folders, names in os.walk(folder, onerror=note):
        entered = []
        for name in sorted(folders):
            if name.startswith("."):
                found.pass_over("folder", name, tr("hidden folders are not entered; give the folder itself"))
            elif os.path.islink(os.path.join(place, name)):
                path = os.path.join(place, name)
                found.pass_over("link", path, tr("links to folders are not followed; give the folder itself"))
            else:
                entered.append(name)
        folders[:] = entered
        yield from (os.path.join(place, name) for name in sorted(names))
