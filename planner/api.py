"""The public face of the core: load or import a plan, run it, read the result."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from planner.errors import PlanProblems
from planner.kube.exporter import export_plan
from planner.kube.importer import Imported, import_paths
from planner.kube.left_out import Losses
from planner.plan.edit import replace_at
from planner.plan.io import load_plan, save_plan
from planner.plan.plan import Plan
from planner.plan.validate import check_plan
from planner.record.result import RunResult
from planner.simulation import run as simulation_run
from planner.simulation.watch import RunView, RunWatch
from planner.units import US_PER_S

__all__ = [
    "Imported",
    "Losses",
    "Plan",
    "RunResult",
    "RunView",
    "RunWatch",
    "check_before_run",
    "export_manifests",
    "import_plan",
    "load_plan",
    "place_plan",
    "run_plan",
    "save_plan",
]


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


def import_plan(paths: Sequence[str], stdin: BinaryIO | None = None) -> Imported:
    """A plan from manifests (files, folders, "-" for `stdin`) or a public trace, and what it could not hold.

    Raises ImportProblem or ImportProblems.
    """
    return import_paths(paths, stdin)


def place_plan(plan: Plan) -> RunResult:
    """The first moment of a run: every pod placed or refused, without load, scaling or events to come."""
    calm = plan.cluster_autoscaler.model_copy(update={"enabled": False})
    still = plan.model_copy(update={"cluster_autoscaler": calm, "events": ()})
    return run_plan(still, until_us=US_PER_S)


def export_manifests(plan: Plan, folder: Path) -> tuple[list[Path], Losses]:
    """Write a plan as manifests into a folder; the files, and what they do not hold. Raises ResultFileError."""
    return export_plan(plan, folder)
