"""What the guide to a first plan wants to know. Every answer has a default."""

import re
from dataclasses import dataclass
from enum import StrEnum

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.edits.runtimes import RUNTIMES
from planner.plan.model.traffic import MAX_RATE

_NAME = re.compile(r"[a-z]([a-z0-9-]{0,48}[a-z0-9])?")


class Pattern(StrEnum):
    """How the load changes in the course of a day."""

    DAY = "day"
    EVENING = "evening"
    OFFICE = "office"
    STEADY = "steady"
    FLASH = "flash"


@dataclass(frozen=True)
class Answers:
    """About one service and what it runs on."""

    service: str = "web"
    peak_rate: float = 200.0
    """Requests per second at the busiest time."""
    runtime: str = "thread-per-request"
    """One of `RUNTIMES`."""
    cpu_ms: float = 20.0
    """CPU of a request, in milliseconds of one core."""
    pattern: Pattern = Pattern.DAY
    machine: str = "m6i.xlarge"
    """A machine of the catalogue."""
    target_ms: float = 400.0
    """95 of 100 requests are answered within this."""
    budget_per_month: float = 0.0
    """What the nodes may cost, in the currency of the catalogue; 0 means no budget."""


def rate_of_users(users: float, seconds_between: float) -> float:
    """Requests per second of users who send a request every so many seconds."""
    return users / seconds_between


def check_answers(answers: Answers) -> None:
    """Raises PlanProblem at the first answer that no plan can be made of."""
    _check(
        _NAME.fullmatch(answers.service) is not None,
        tr("Name of the service"),
        tr("A name has lower-case letters, digits and hyphens, and begins with a letter."),
        tr("Enter one, for example web."),
    )
    _check(
        0 < answers.peak_rate <= MAX_RATE,
        tr("Load"),
        tr("The load must be above 0 and at most {most:g} requests/s.", most=MAX_RATE),
        tr("Enter the requests per second of the busiest time."),
    )
    _check(
        0.001 <= answers.cpu_ms <= 36_000_000,
        tr("CPU of a request"),
        tr("A request needs some CPU, at least 0.001 ms."),
        tr("Enter the milliseconds of CPU time, for example 20."),
    )
    _check(
        answers.runtime in RUNTIMES,
        tr("Runtime"),
        tr("There is no runtime {name}.", name=answers.runtime),
        tr("Choose one of the list."),
    )
    _check(
        answers.budget_per_month >= 0,
        tr("Budget"),
        tr("A budget below 0 cannot be kept."),
        tr("Enter an amount, or 0 for no budget."),
    )


def _check(holds: bool, where: str, problem: str, remedy: str) -> None:
    if not holds:
        raise PlanProblem(where, problem, remedy)
