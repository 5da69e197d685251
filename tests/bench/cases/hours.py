"""The two speed inputs of the recorded whole runs: wall seconds for an hour with reference timing.

The files are next to the conformance vectors: `<vectors>/../speed/speed-*.json.gz`.
"""

import gzip
import json
import time
from collections.abc import Callable

from planner.plan.model.plan import Plan
from planner.simulation.run import run_plan
from tests.bench.runner import BenchProblem
from tests.conformance.timeline.plan import plan_of
from tests.conformance.timeline.run import AS_RECORDED
from tests.conformance.vectors import default_folder

SMALL, _LARGE = "speed-20-nodes-200-pods", "speed-200-nodes-3000-pods"


def speed_input(name: str) -> Plan:
    """The plan of a speed input. Raises BenchProblem."""
    path = default_folder().resolve().parent / "speed" / f"{name}.json.gz"
    if not path.exists():
        raise BenchProblem(f"{path} is missing: the speed inputs come with the conformance vectors.")
    with gzip.open(path) as file:
        case = json.load(file)
    return plan_of(case.get("input", case))


def _hour(name: str, figure: str) -> Callable[[], dict[str, float]]:
    def measure() -> dict[str, float]:
        plan = speed_input(name)
        started = time.perf_counter()
        run_plan(plan, options=AS_RECORDED)
        return {figure: time.perf_counter() - started}

    return measure


CASES = {"hour_20": _hour(SMALL, "hour_20"), "hour_200": _hour(_LARGE, "hour_200")}
UNITS = {"hour_20": "s", "hour_200": "s"}
