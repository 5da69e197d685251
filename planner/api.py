"""The public face of the core: load a plan, run it, read the result."""

from collections.abc import Callable

from planner.errors import PlanProblems
from planner.plan.edit import replace_at
from planner.plan.io import load_plan, save_plan
from planner.plan.plan import Plan
from planner.plan.validate import check_plan
from planner.record.result import RunResult
from planner.simulation import run as simulation_run
from planner.simulation.watch import RunView, RunWatch

__all__ = ["Plan", "RunResult", "RunView", "RunWatch", "check_before_run", "load_plan", "run_plan", "save_plan"]


def check_before_run(plan: Plan, until_us: int | None = None) -> None:
    """Raise PlanProblems with everything that keeps the plan from being run for that long."""
    if until_us is not None:
        plan = replace_at(plan, ("simulation", "duration"), until_us)
    problems = list(check_plan(plan))
    if problems:
        raise PlanProblems(problems)


def run_plan(
    plan: Plan,
    seed: int | None = None,
    until_us: int | None = None,
    on_progress: Callable[..., None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    watch: RunWatch | None = None,
) -> RunResult:
    """Run a plan from its start.

    `seed` and `until_us` (simulated microseconds) stand in for the plan's own. `watch` looks on and sets the pace;
    it never changes what happens. A cancelled run, or one that
    reached a bound, returns what it has recorded with `stopped` set. Raises PlanProblems if the plan cannot
    be run.
    """
    check_before_run(plan, until_us)
    return simulation_run.run_plan(
        plan, seed=seed, until_us=until_us, on_progress=on_progress, cancelled=cancelled, watch=watch
    )
