"""Checks of changes that a plan makes to its own numbers during a run."""

from collections.abc import Iterator

from planner.errors import PlanProblem, PlanProblems
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.plan import Plan
from planner.plan.variants.scheduled import changed_during_run


def check_plan_changes(plan: Plan) -> Iterator[PlanProblem]:
    """All of them, each with what the plan becomes."""
    for index, event in enumerate(plan.events):
        if isinstance(event, PlanChangeEvent):
            for line, text in enumerate(event.changes):
                where = f"events[{index}].changes[{line}]"
                try:
                    changed_during_run(plan, (text,))
                except PlanProblem as problem:
                    yield PlanProblem(where, f"{problem.where}: {problem.problem}", problem.remedy)
                except PlanProblems as error:
                    for one in error.problems:
                        yield PlanProblem(where, f"{one.where}: {one.problem}", one.remedy)
