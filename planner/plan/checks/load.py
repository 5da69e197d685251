"""Checks of load and use: rates within bounds, and memory described only once."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import MAX_RATE


def check_loads(plan: Plan) -> Iterator[PlanProblem]:
    """Traffic and use over time of all workloads."""
    for index, workload in enumerate(plan.workloads):
        where = f"workloads[{index}]"
        if workload.traffic is not None:
            highest = lowest_and_highest(workload.traffic.profile)[1]
            if highest > MAX_RATE:
                problem = f"The load may reach {highest:g} requests per second."
                yield PlanProblem(f"{where}.traffic.profile", problem, f"Stay at or below {MAX_RATE:g}.")
        described_twice = workload.use is not None and workload.use.memory is not None
        if described_twice and workload.memory_use is not None and workload.memory_use.start is not None:
            problem = "The working set is given twice: by use.memory and by memoryUse.start."
            yield PlanProblem(f"{where}.memoryUse.start", problem, "Remove one of them.")
