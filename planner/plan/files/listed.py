"""Of very many problems the first ones, and the number of the others."""

from collections.abc import Iterable
from itertools import islice

from planner.errors import PlanProblem
from planner.plan.files.nearest import without_suggestions
from planner.plan.files.problems import MOST_LISTED


def listed(problems: Iterable[PlanProblem]) -> tuple[tuple[PlanProblem, ...], int]:
    """The first hundred, and the number of the others."""
    found = iter(problems)
    first = tuple(islice(found, MOST_LISTED))
    with without_suggestions():
        return first, sum(1 for _ in found)
