"""Checks of load and use: rates within bounds, memory described only once, requests that fit time and machines."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.derived.holidays import waves_of
from planner.plan.derived.load_extremes import lowest_and_highest
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import MAX_RATE
from planner.plan.model.workloads import Workload
from planner.units import format_duration


def check_loads(plan: Plan) -> Iterator[PlanProblem]:
    """Traffic, demand and use over time of all workloads."""
    largest = max((group.cpu for group in plan.node_groups), default=0) // 1000
    for index, workload in enumerate(plan.workloads):
        where = f"workloads[{index}]"
        if workload.traffic is not None:
            waves = waves_of(workload.traffic.profile)
            if not plan.simulation.holidays and any(wave.holiday_factor is not None for wave in waves):
                remedy = tr("Give simulation.holidays some dates, or remove holidayFactor.")
                yield PlanProblem(f"{where}.traffic.profile", tr("The plan has no holidays."), remedy)
            highest = lowest_and_highest(workload.traffic.profile)[1]
            if highest > MAX_RATE:
                what = tr("requests per second") if workload.traffic.clients is None else "clients"
                problem = tr("The load may reach {highest:g} {what}.", highest=highest, what=what)
                yield PlanProblem(
                    f"{where}.traffic.profile", problem, tr("Stay at or below {MAX_RATE:g}.", MAX_RATE=MAX_RATE)
                )
        yield from _check_demand(workload, f"{where}.demand", largest)
        described_twice = workload.use is not None and workload.use.memory is not None
        if described_twice and workload.memory_use is not None and workload.memory_use.start is not None:
            problem = tr("The working set is given twice: by use.memory and by memoryUse.start.")
            yield PlanProblem(f"{where}.memoryUse.start", problem, tr("Remove one of them."))


def _check_demand(workload: Workload, where: str, largest_cores: int) -> Iterator[PlanProblem]:
    demand = workload.demand
    if demand.timeout and demand.latency_floor >= demand.timeout:
        floor, timeout = format_duration(demand.latency_floor), format_duration(demand.timeout)
        problem = tr(
            "The latency floor ({floor}) alone reaches the timeout ({timeout}): every request would be lost.",
            floor=floor,
            timeout=timeout,
        )
        yield PlanProblem(
            f"{where}.latencyFloor", problem, tr("Lower it below {timeout} or raise the timeout.", timeout=timeout)
        )
    if largest_cores and demand.parallelism > max(1, largest_cores):
        problem = tr(
            "No node has {parallelism} cores for a single request; the largest has {largest_cores}.",
            parallelism=demand.parallelism,
            largest_cores=largest_cores,
        )
        yield PlanProblem(f"{where}.parallelism", problem, tr("Set it to at most {max}.", max=max(1, largest_cores)))
