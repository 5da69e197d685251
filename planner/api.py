"""The public face of the core: load or import a plan, run it, read the result."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from planner.engine.loop import cancelled_at, never
from planner.errors import PlanProblem, PlanProblems, RunStopped
from planner.plan.checks.validate import checks
from planner.plan.edits.edit import replace_at
from planner.plan.edits.machine_catalogue import (
    Machine,
    MachineCatalogue,
    adopt_catalogue,
    find_machine,
    machine_catalogue,
)
from planner.plan.edits.machines import has_prices_for, with_machine
from planner.plan.edits.traces import read_trace, with_trace, workload_row
from planner.plan.files.io import load_plan, load_version, save_plan
from planner.plan.files.listed import listed
from planner.plan.files.saving import Saved
from planner.plan.model.experiments.experiment import Compare, Experiment, Replicate
from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import Plan
from planner.plan.variants.application import with_changes
from planner.units import US_PER_S

if TYPE_CHECKING:
    from planner.experiments.answers.answer import ExperimentAnswer
    from planner.experiments.answers.answer_json import answer_json
    from planner.experiments.execution.breaks import SloBreak
    from planner.experiments.kinds.stress.load_headroom import LoadHeadroom, OnTried, Progress
    from planner.experiments.kinds.stress.tried_load import TriedLoad
    from planner.experiments.runs import Progress as RunsProgress
    from planner.kube.draft.left_out import Losses
    from planner.kube.importer import Imported
    from planner.record.result import RunResult
    from planner.simulation.run import RunView, RunWatch

__all__ = [
    "Compare",
    "ExperimentAnswer",
    "Grow",
    "Imported",
    "LoadHeadroom",
    "Losses",
    "Machine",
    "MachineCatalogue",
    "Plan",
    "Replicate",
    "Rightsize",
    "RunResult",
    "RunView",
    "RunWatch",
    "Saved",
    "Search",
    "SloBreak",
    "Stress",
    "TriedLoad",
    "Variant",
    "Vary",
    "adopt_catalogue",
    "answer_json",
    "check_before_run",
    "export_manifests",
    "find_machine",
    "has_prices_for",
    "import_plan",
    "load_headroom",
    "load_plan",
    "load_version",
    "machine_catalogue",
    "place_plan",
    "read_trace",
    "run_experiment",
    "run_plan",
    "save_plan",
    "with_changes",
    "with_machine",
    "with_trace",
    "workload_row",
]

# Loading takes longer than most commands: what only some of them need is loaded when it is used.
_LATE = {
    "ExperimentAnswer": "planner.experiments.answers.answer",
    "Imported": "planner.kube.importer",
    "LoadHeadroom": "planner.experiments.kinds.stress.load_headroom",
    "Losses": "planner.kube.draft.left_out",
    "RunResult": "planner.record.result",
    "RunView": "planner.simulation.run",
    "RunWatch": "planner.simulation.run",
    "SloBreak": "planner.experiments.execution.breaks",
    "TriedLoad": "planner.experiments.kinds.stress.tried_load",
    "answer_json": "planner.experiments.answers.answer_json",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATE[name]), name)


def check_before_run(plan: Plan, until_us: int | None = None, cancelled: Callable[[], bool] | None = None) -> None:
    """Raise PlanProblems with everything that keeps the plan from being run for that long.

    Raises RunStopped when `cancelled()` turns true.
    """
    if until_us is not None:
        other = replace_at(plan, ("simulation", "duration"), until_us)  # refuses a length that is no duration
        plan = other if until_us > plan.simulation.duration else plan  # events after an earlier end are no problem

    def problems() -> Iterator[PlanProblem]:
        for check in checks(plan):
            yield from check
            if cancelled is not None and cancelled():
                raise cancelled_at(0)

    first, more = listed(problems())
    if first:
        raise PlanProblems(first, more)


def run_plan(
    plan: Plan,
    seed: int | None = None,
    until_us: int | None = None,
    on_progress: Callable[..., None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    watch: "RunWatch | None" = None,
) -> "RunResult":
    """Run a plan from its start.

    `seed` and `until_us` (simulated microseconds) stand in for the plan's own. `watch` looks on and sets the pace;
    it never changes what happens. A cancelled run, or one that
    reached a bound, returns what it has recorded with `stopped` set. Raises PlanProblems if the plan cannot
    be run.
    """
    from planner.simulation import run as simulation_run

    try:
        check_before_run(plan, until_us, cancelled)
    except RunStopped as reason:
        return simulation_run.not_begun(plan, seed, reason)
    return simulation_run.run_plan(
        plan, seed=seed, until_us=until_us, on_progress=on_progress, cancelled=cancelled, watch=watch
    )


def import_plan(paths: Sequence[str], stdin: BinaryIO | None = None, *, strict: bool = False) -> "Imported":
    """A plan from manifests (files, folders, "-" for `stdin`) or a public trace, and what it could not hold.

    `strict` refuses what would otherwise be skipped and listed. Raises ImportProblem or ImportProblems.
    """
    from planner.kube.importer import import_paths

    return import_paths(paths, stdin, strict=strict)


def place_plan(plan: Plan) -> "RunResult":
    """The first moment of a run: every pod placed or refused, without load, scaling or events to come."""
    calm = plan.cluster_autoscaler.model_copy(update={"enabled": False})
    still = plan.model_copy(update={"cluster_autoscaler": calm, "events": ()})
    return run_plan(still, until_us=US_PER_S)


def export_manifests(plan: Plan, folder: Path) -> "tuple[list[Path], Losses]":
    """Write a plan as manifests into a folder; the files, and what they do not hold. Raises ResultFileError."""
    from planner.kube.exporter import export_plan

    return export_plan(plan, folder)


def load_headroom(
    plan: Plan,
    seed: int | None = None,
    until_us: int | None = None,
    on_progress: "Progress | None" = None,
    cancelled: Callable[[], bool] | None = None,
    on_tried: "OnTried | None" = None,
) -> "LoadHeadroom":
    """How much more load a plan bears before an SLO breaks. Raises PlanProblems if the plan cannot be run."""
    from planner.experiments.kinds.stress import load_headroom as load_search

    try:
        check_before_run(plan, until_us, cancelled)
    except RunStopped as reason:
        return load_search.LoadHeadroom(0.0, None, (), 0, reason)
    return load_search.load_headroom(plan, seed, until_us, on_progress, cancelled, on_tried=on_tried)


def run_experiment(
    plan: Plan,
    experiment: Experiment | str,
    results: Path | None = None,
    jobs: int = 1,
    on_progress: "RunsProgress | None" = None,
    cancelled: Callable[[], bool] = never,
) -> "ExperimentAnswer":
    """Answer an experiment, or the one of that name in the plan; `answer_json` makes maps and lists of the answer.

    `results`: a file in which runs are kept and found again. With several `jobs`, other processes run the plan: a
    script that does so begins under `if __name__ == "__main__":`. `on_progress(done, known_to_be_needed)` is called
    after each run. A cancelled experiment answers from what was finished, with `stopped` set. Raises PlanProblem,
    PlanProblems, ResultFileError and ExecutorLost.
    """
    from planner import __version__
    from planner.experiments.execution.opening import executor_for
    from planner.experiments.kinds import registry
    from planner.experiments.results.results_file import ResultsFile
    from planner.experiments.runs import Runs, unseen

    asked = registry.experiment_named(plan, experiment) if isinstance(experiment, str) else experiment
    kept = ResultsFile(results, __version__)
    try:
        executor = executor_for(jobs, None)
        try:
            return registry.run_experiment(plan, asked, Runs(executor, kept, on_progress or unseen, cancelled))
        finally:
            executor.close()
    finally:
        kept.close()
