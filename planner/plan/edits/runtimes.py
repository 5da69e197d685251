"""Presets of how a service runs its requests, by its runtime: workers, variability and the burst of its start.

The bursts are of the size that such runtimes show when they load code; they are starting points for a measurement.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.model.plan import Plan
from planner.plan.model.serving import Discipline
from planner.plan.model.workloads import Workload
from planner.units import US_PER_S


@dataclass(frozen=True)
class Runtime:
    """One way to run requests."""

    name: str
    title: str
    description: str
    workers: Callable[[Workload, int], int | None]
    """Requests at once: of a workload, and for pools of a size."""
    discipline: Discipline
    cv: float
    startup_milli: int
    startup_s: int

    def apply(self, workload: Workload, processes: int) -> Workload:
        """The workload with pods of this runtime; `processes` is the size of pools."""
        chosen = {"workers": self.workers(workload, processes), "discipline": self.discipline, "cv": self.cv}
        return workload.model_copy(
            update={
                "demand": workload.demand.model_copy(update=chosen),
                "startup_cpu": self.startup_milli,
                "startup_cpu_time": self.startup_s * US_PER_S,
            }
        )


def _one(_workload: Workload, _processes: int) -> int | None:
    return 1


def _pool(_workload: Workload, processes: int) -> int | None:
    return processes


def _unbounded(_workload: Workload, _processes: int) -> int | None:
    return None


def _whole_cores_of_limit(workload: Workload, _processes: int) -> int | None:
    """Processors that a runtime sees which rounds the limit up, as Go since 1.25 and Java do; none without a limit."""
    limit = workload.pod.containers[0].limits.cpu
    return None if limit is None else max(1, -(-limit // 1000))


RUNTIMES: Mapping[str, Runtime] = MappingProxyType({
    runtime.name: runtime
    for runtime in (
        Runtime(
            "event-loop", marked("Event loop (Node.js, asyncio)"),
            marked("One thread takes one request after the other; its pods cannot use a second core."),
            _one, Discipline.QUEUE, 0.3, 1000, 2,
        ),
        Runtime(
            "thread-per-request", marked("Thread per request"),
            marked("Each request has a thread, and all share the cores of the node until the quota is used "
"up."),
            _unbounded, Discipline.SHARING, 0.5, 0, 0,
        ),
        Runtime(
            "pre-fork", marked("Pool of processes (PHP-FPM, Gunicorn, Puma)"),
            marked("A fixed number of processes, each with one request."),
            _pool, Discipline.QUEUE, 0.3, 500, 3,
        ),
        Runtime(
            "processors-by-limit", marked("Go or JVM with processors by limit"),
            marked("Requests share as many cores as the CPU limit rounded up, as GOMAXPROCS and the JVM set "
"it."),
            _whole_cores_of_limit, Discipline.SHARING, 0.5, 2000, 10,
        ),
        Runtime(
            "consumer", marked("Single-threaded consumer"),
            marked("One message after the other, as queue workers without threads do."),
            _one, Discipline.QUEUE, 0.5, 0, 0,
        ),
    )
})  # fmt: skip
"""All runtimes by name, in the order of lists."""


def with_runtime(plan: Plan, name: str, runtime: Runtime, processes: int) -> Plan:
    """The plan with one workload of that runtime. Raises PlanProblem if there is none of that name."""
    if name not in {workload.name for workload in plan.workloads}:
        raise PlanProblem("workloads", tr("There is no workload named {name}.", name=name), tr("Name one of the plan."))
    changed = (runtime.apply(one, processes) if one.name == name else one for one in plan.workloads)
    return plan.model_copy(update={"workloads": tuple(changed)})
