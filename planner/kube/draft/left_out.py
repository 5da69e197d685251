"""What an import or export leaves out, and why: counted by kind and field."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planner.errors import ImportProblem


@dataclass(frozen=True, order=True)
class LeftOut:
    """One kind of loss."""

    kind: str
    """Kind of the objects, or the format of a trace."""
    path: str
    """Field path with [] for every list item; empty means whole objects."""
    reason: str
    count: int

    def __str__(self) -> str:
        place = f"{self.kind} {self.path}".rstrip()
        times = "" if self.count == 1 else f" ({self.count} times)"
        return f"{place}{times}: {self.reason}"


class Losses:
    """Collects losses and remarks in the order of their first appearance."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str], int] = {}
        self._remarks: dict[str, None] = {}
        self._skipped: list[ImportProblem] = []
        self._taken: dict[str, None] = {}

    def add(self, kind: str, path: str, reason: str, count: int = 1) -> None:
        """Something that the plan cannot hold."""
        key = (kind, path, reason)
        self._counts[key] = self._counts.get(key, 0) + count

    def take(self, text: str) -> None:
        """Something that comes from another place than a reader of the manifest would expect."""
        self._taken[text] = None

    @property
    def taken(self) -> tuple[str, ...]:
        """What living pods and the rules of their namespace say instead of the templates."""
        return tuple(self._taken)

    def remark(self, text: str) -> None:
        """Something the user should know or fill in."""
        self._remarks[text] = None

    def skip(self, problems: Iterable[ImportProblem]) -> None:
        """Files, documents and objects that could not be read, each with its place and the reason."""
        self._skipped.extend(problems)

    @property
    def skipped(self) -> tuple[ImportProblem, ...]:
        """What was skipped, in the order of the files."""
        return tuple(self._skipped)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What should be known or filled in."""
        return tuple(self._remarks)

    def __iter__(self) -> Iterator[LeftOut]:
        for (kind, path, reason), count in self._counts.items():
            yield LeftOut(kind, path, reason, count)
