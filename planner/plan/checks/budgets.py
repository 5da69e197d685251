"""Checks of disruption budgets."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.pods import repeated
from planner.plan.checks.selectors import check_labels
from planner.plan.files.problems import shown
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.plan import Plan


def check_budgets(plan: Plan) -> Iterator[PlanProblem]:
    """All budgets of a plan."""
    budgets = plan.pod_disruption_budgets
    for index, key in repeated([f"{budget.namespace}/{budget.name}" for budget in budgets]):
        where = f"podDisruptionBudgets[{index}].name"
        yield PlanProblem(where, tr("There is another budget {key}.", key=shown(key)), tr("Choose another name."))
    for index, budget in enumerate(budgets):
        where = f"podDisruptionBudgets[{index}]"
        yield from check_labels(budget.selector.match_labels, f"{where}.selector.matchLabels")
        yield from _check_portions(budget, where)


def _check_portions(budget: PodDisruptionBudget, where: str) -> Iterator[PlanProblem]:
    given = [budget.max_unavailable is not None, budget.min_available is not None]
    if all(given):
        problem = tr("A budget has either maxUnavailable or minAvailable.")
        yield PlanProblem(f"{where}.minAvailable", problem, tr("Remove one of the two."))
    elif not any(given):
        problem = tr("Neither maxUnavailable nor minAvailable is given, so no pod could ever be evicted.")
        yield PlanProblem(f"{where}.maxUnavailable", problem, tr("Give one of them, for example maxUnavailable 1."))
