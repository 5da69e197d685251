"""Loading and saving plans on the command line; each problem is printed with its file."""

from collections.abc import Callable, Sequence
from pathlib import Path

from planner import api
from planner.cli.terminal import print_line
from planner.errors import PlanProblem, PlanProblems
from planner.plan.edits.presets import PRESETS


def opened(plan_path: str) -> api.Plan:
    """The plan in a file. Raises PlanFileError or PlanProblems."""
    return _placed(plan_path, lambda: api.load_plan(plan_path))


def runnable(plan_path: str, until_us: int | None = None, presets: Sequence[str] = ()) -> api.Plan:
    """The plan in a file, under some presets, checked for a run of that length."""

    def checked() -> api.Plan:
        plan = api.load_plan(plan_path)
        for name in presets:
            plan = PRESETS[name].apply(plan)
        api.check_before_run(plan, until_us)
        return plan

    try:
        return _placed(plan_path, checked)
    except PlanProblem as error:
        if until_us is not None and error.where == f"{plan_path}: simulation.duration":
            raise PlanProblem("--until", error.problem, error.remedy) from error
        raise


def edited(plan_path: str, edit: Callable[[api.Plan], api.Plan]) -> api.Plan:
    """The plan in a file with an edit made; nothing is written."""
    plan = opened(plan_path)
    return _placed(plan_path, lambda: edit(plan))


def save(plan: api.Plan, path: str, what: str) -> None:
    """Write a plan and print `what` after the name of its file."""
    kept = " (the previous version is kept as a ~ file)" if Path(path).exists() else ""
    api.save_plan(plan, path)
    print_line(f"{path}: {what}{kept}")


def _placed(plan_path: str, step: Callable[[], api.Plan]) -> api.Plan:
    """What `step` gives; the file's name is put in front of the place of each problem."""
    try:
        return step()
    except PlanProblems as error:
        raise PlanProblems(_in_file(problem, plan_path) for problem in error.problems) from error
    except PlanProblem as error:
        raise _in_file(error, plan_path) from error


def _in_file(problem: PlanProblem, plan_path: str) -> PlanProblem:
    return PlanProblem(f"{plan_path}: {problem.where}", problem.problem, problem.remedy)
