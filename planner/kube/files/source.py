"""The place of an object, by file and document, as errors name it."""

from typing import NamedTuple

from planner.errors import ImportProblem
from planner.language.translation import tr


class Source(NamedTuple):
    """A document of a file; objects of a `List` are numbered separately."""

    file: str
    document: int
    """Counted from 1."""
    item: int | None = None
    """Position in a List, counted from 0."""

    def __str__(self) -> str:
        found = tr("{file}, document {document}", file=self.file, document=self.document)
        return found if self.item is None else f"{found}, items[{self.item}]"

    def problem(self, path: str, problem: str, remedy: str) -> ImportProblem:
        """An error at a field of this document."""
        return ImportProblem(f"{self}: {path}" if path else str(self), problem, remedy)


class Unreadable(Exception):
    """A text that is no document: where in it, the problem and the remedy."""

    def __init__(self, place: str, problem: str, remedy: str) -> None:
        super().__init__(place, problem, remedy)
        self.place, self.problem, self.remedy = place, problem, remedy
