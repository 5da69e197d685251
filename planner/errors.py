"""Errors a user may see.

* PlannerError
    + PlanProblem        a value in the plan
    + PlanProblems       several of them, found in one pass
    + PlanFileError      a plan file that cannot be read or written
        + PlanFileChanged    another program wrote it in the meantime
    + ImportProblem      a manifest: file, document number, path
    + ImportProblems     several of them, found in one pass
    + RunStopped         a limit was reached, or the user cancelled
    + ResultFileError    a result or report cannot be written or read
    + MeasuredProblem    measured series that cannot be fetched, read or used
Anything else that escapes is a bug and is shown with its traceback.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.language.phrases import Phrase, joined, said


def problem_and_remedy(message: str) -> tuple[str, str]:
    """The parts of a message "problem; remedy". Translations write two sentences; the remedy may be missing."""
    problem, mark, remedy = message.partition("; ")
    if not mark:
        problem, _, remedy = message.partition(". ")
    return problem, remedy


class PlannerError(Exception):
    """Base of every error whose message is meant for the user."""


@dataclass
class _Located(PlannerError):
    """An error with a place, a problem and a remedy."""

    where: str
    problem: str
    remedy: str

    @property
    def message(self) -> Phrase:
        """All of it, to be put into the reader's language where it is shown."""
        return joined("", (self.where, ": ", self.problem, " " if self.remedy else "", self.remedy))

    def __str__(self) -> str:
        return said(self.message)


@dataclass
class PlanProblem(_Located):
    """A value of the plan that is wrong (`where` is its path in the file's spelling)."""

    __hash__ = Exception.__hash__


@dataclass
class PlanFileError(_Located):
    """A plan file that cannot be read or written (`where` is the file)."""

    __hash__ = Exception.__hash__


@dataclass
class PlanFileChanged(PlanFileError):
    """A plan file that was not written, because another program has changed it since it was read."""

    found: str
    """Its version now (`planner.disk.version`)."""

    __hash__ = Exception.__hash__


@dataclass
class ImportProblem(_Located):
    """A manifest that cannot be understood (`where` is file, document and path)."""

    __hash__ = Exception.__hash__


@dataclass
class ResultFileError(_Located):
    """A result or report that cannot be written or read (`where` is the file or folder)."""

    __hash__ = Exception.__hash__


@dataclass
class MeasuredProblem(_Located):
    """Measured series that cannot be fetched, read or used (`where` is a file, a query or an address)."""

    __hash__ = Exception.__hash__


@dataclass
class RunStopped(_Located):
    """A run that ended before its time: a bound was reached or the user cancelled."""

    cancelled: bool = field(default=False)

    __hash__ = Exception.__hash__


class PlanProblems(PlannerError):
    """All problems of one plan together, in the order of the file; of very many the first ones."""

    def __init__(self, problems: Iterable[PlanProblem], more: int = 0) -> None:
        self.problems = tuple(problems)
        self.more = more
        """How many there are beside those."""
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ImportProblems(PlannerError):
    """All problems of one import together, in the order of the files."""

    def __init__(self, problems: Iterable[ImportProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
