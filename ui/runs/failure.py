"""A run that failed: where, why, and what to do about it."""

import traceback
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from planner.errors import PlannerError, PlanProblem, PlanProblems, RunStopped, problem_and_remedy

translate = QCoreApplication.translate


@dataclass
class RunFailure(Exception):
    """A run that did not come to its end."""

    where: str
    problem: str
    remedy: str
    report: str = ""
    """The traceback of an unexpected error, to be copied into a bug report; empty for all others."""
    problems: tuple[PlanProblem, ...] = field(default=())
    """The problems of a plan that cannot be run, the first hundred."""
    more: int = 0
    """How many there are beside those."""

    __hash__ = Exception.__hash__

    def __str__(self) -> str:
        return f"{self.where}: {self.problem} {self.remedy}".strip()


def failure_of(error: BaseException) -> RunFailure:
    """The error of a run in the words of the window."""
    if isinstance(error, PlanProblems):
        first = error.problems[0]
        return RunFailure(first.where, first.problem, first.remedy, problems=error.problems, more=error.more)
    if isinstance(error, PlanProblem | RunStopped):
        own = (error,) if isinstance(error, PlanProblem) else ()
        return RunFailure(error.where, error.problem, error.remedy, problems=own)
    if isinstance(error, MemoryError):
        return RunFailure(
            translate("RunFailure", "the run"),
            translate("RunFailure", "This computer does not have enough memory for the run."),
            translate("RunFailure", "Use fewer nodes and pods, a shorter run or a longer record interval."),
        )
    if isinstance(error, PlannerError):  # processes that are not there, say
        return RunFailure(translate("RunFailure", "the run"), *problem_and_remedy(str(error)))
    report = "".join(traceback.format_exception(error))
    problem = translate("RunFailure", "It ended with an unexpected error ({error}).").format(error=_words_of(error))
    remedy = translate(
        "RunFailure", "This is a bug in Headroom. Your plan is not affected; please copy the report into a bug report."
    )
    return RunFailure(translate("RunFailure", "the run"), problem, remedy, report)


def _words_of(error: BaseException) -> str:
    """Kind and text; only the kind of an error that cannot even say what it is."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}"
    except Exception:
        return kind
