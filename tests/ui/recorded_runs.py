"""Runs as the window knows them, without running anything."""

from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.units import US_PER_H
from ui.runs.messages import RunStarted
from ui.runs.run_data import RunData, RunState


def a_started_run(
    plan: Plan, names: tuple[str, ...] = (), number: int = 1, state: RunState = RunState.RUNNING, until_us=US_PER_H
) -> RunData:
    """A started run with these series and no data yet."""
    run = RunData(number, f"run {number}", plan, 1)
    run.begin(RunStarted(names, until_us))
    run.set_state(state)
    return run


def a_finished_run(plan: Plan, result: RunResult, number: int = 1) -> RunData:
    """A run that has ended with this result."""
    run = RunData(number, f"run {number}", plan, 1)
    run.begin(RunStarted(tuple(result.series), result.until_us))
    run.finish(result, RunState.FINISHED)
    return run
