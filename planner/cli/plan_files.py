"""Loading and saving plans on the command line; each problem is printed with its file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from planner import api
from planner.cli.terminal import print_line, say
from planner.errors import PlanFileChanged, PlanFileError, PlanProblem, PlanProblems
from planner.language.translation import tr
from planner.plan.edits.presets import PRESETS

_Step = TypeVar("_Step")


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


class PlanToEdit:
    """The plan in a file that a command changes. Raises PlanFileError or PlanProblems."""

    def __init__(self, plan_path: str) -> None:
        self.path = plan_path
        self.plan, self._version = _placed(plan_path, lambda: api.load_version(plan_path))

    def check(self, rule: Callable[[api.Plan], object]) -> None:
        """Raises what the rule raises about the plan, with the file's name in front of the place."""
        _placed(self.path, lambda: rule(self.plan))

    def edited(self, edit: Callable[[api.Plan], api.Plan]) -> api.Plan:
        """The plan with an edit made; nothing is written."""
        return _placed(self.path, lambda: edit(self.plan))

    def save(self, plan: api.Plan, new_path: str | None, what: str, *, aside: bool = False) -> None:
        """Write the plan to `new_path`, else to its own file if that is still as it was read.

        `aside`: say so on standard error, as standard output holds something else.
        """
        path = new_path or self.path
        own = Path(path).resolve() == Path(self.path).resolve()
        try:
            saved = api.save_plan(plan, path, expected=self._version if own else None)
        except PlanFileChanged as error:
            raise PlanFileError(path, error.problem, tr("Run the command again.")) from error
        _say_saved(path, what, saved, say if aside else print_line)


def save(plan: api.Plan, path: str, what: str) -> None:
    """Write a plan, whatever the file holds, and print `what` after the name of its file."""
    _say_saved(path, what, api.save_plan(plan, path), print_line)


def _say_saved(path: str, what: str, saved: api.Saved, tell: Callable[[str], None]) -> None:
    kept = tr(" (the previous version is kept as {name})", name=saved.backup.name) if saved.backup is not None else ""
    tell(f"{path}: {what}{kept}")


def _placed(plan_path: str, step: Callable[[], _Step]) -> _Step:
    """What `step` gives; the file's name is put in front of the place of each problem."""
    try:
        return step()
    except PlanProblems as error:
        raise PlanProblems((_in_file(problem, plan_path) for problem in error.problems), error.more) from error
    except PlanProblem as error:
        raise _in_file(error, plan_path) from error


def _in_file(problem: PlanProblem, plan_path: str) -> PlanProblem:
    return PlanProblem(f"{plan_path}: {problem.where}", problem.problem, problem.remedy)
