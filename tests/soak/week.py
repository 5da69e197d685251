"""A run of a large cluster as the window sees it, measured in a separate process.

`python -m tests.soak.week DAYS FOLDER` runs it, opens it as the window does, writes its report into the folder, and
prints what that took as JSON.
"""

import json
import sys
import time
from pathlib import Path

from planner.api import RunView, run_plan
from planner.plan.edits.edit import replace_at
from planner.reports.folder import write_all
from planner.units import US_PER_H
from tests.bench.cases.days import plan_of
from tests.bench.runner import peak_mib
from ui.runs.run_data import RunData, RunState
from ui.runs.thread.feed import Feed


class Onlooker:
    """Hands what is new to the window's own copy of the run, every simulated hour."""

    def __init__(self, run: RunData) -> None:
        self._run, self._next_us = run, 0

    def begin(self, view: RunView) -> None:
        self._feed = Feed(view)
        self._run.begin(self._feed.started())

    def before(self, at_us: int, phase: int) -> None:
        if at_us >= self._next_us:
            self._next_us = at_us + US_PER_H
            self._run.append(self._feed.chunk(at_us))


def main() -> None:
    days, folder = float(sys.argv[1]), Path(sys.argv[2])
    plan = replace_at(plan_of(1000, 200), ("simulation", "duration"), int(days * 24 * US_PER_H))
    run, measured = RunData(1, "week", plan, 1), {}
    started = time.process_time()
    result = run_plan(plan, watch=Onlooker(run))
    measured["run_cpu_s"], measured["run_peak_mib"] = time.process_time() - started, peak_mib()
    run.finish(result, RunState.FINISHED)
    measured["sum"] = sum(float(run.series(name)[-1]) for name in run.names if "replicas_ready" in name)
    measured["rows"], measured["series"], measured["decisions"], measured["pods"] = (
        len(run.time_s), len(run.names), len(result.decisions), len(result.pods),
    )  # fmt: skip
    started = time.process_time()
    written = write_all(result, folder)
    measured["export_cpu_s"], measured["export_peak_mib"] = time.process_time() - started, peak_mib()
    measured["export_mib"] = sum(path.stat().st_size for path in written) / 2**20
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
