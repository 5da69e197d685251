"""Checks of workloads whose requests are messages of a queue."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.checks.pods import suggestion
from planner.plan.files.problems import shown
from planner.plan.model.autoscalers.metric_series import WorkloadMeasure, WorkloadValue
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import WorkloadKind

_NOT_OF_QUEUES = {
    "queueLimit": marked("its queue holds any number of messages"),
    "connectionLimit": marked("its pods have no connections of clients"),
    "timeout": marked("a message waits until a pod fetches it"),
    "retries": marked("a message that is lost with a pod is delivered again anyway"),
}
"""Settings of demand, and why a queue needs none."""


def check_queues(plan: Plan) -> Iterator[PlanProblem]:
    """All queues, and the series that read them."""
    serving = frozenset(plan.serving_rows())
    for index, workload in enumerate(plan.workloads):
        if workload.queue is None:
            continue
        where, demand = f"workloads[{index}]", workload.demand
        if workload.queue.shared_with is not None:
            yield from _check_shared(plan, index, workload.queue.shared_with)
        if index not in serving or workload.kind is WorkloadKind.JOB:
            never, a_job = tr("Nothing arrives in its queue."), tr("Pods of a Job serve no requests.")
            problem = never if index not in serving else a_job
            yield PlanProblem(f"{where}.queue", problem, tr("Give it a load or a caller, or remove the queue."))
        if workload.traffic is not None and workload.traffic.clients is not None:
            problem = tr("Closed clients wait for a response, and a queue gives none.")
            yield PlanProblem(f"{where}.traffic.clients", problem, tr("Remove the clients or the queue."))
        values = (demand.queue_limit, demand.connection_limit, demand.timeout or None, demand.retries.attempts or None)
        for (name, reason), value in zip(_NOT_OF_QUEUES.items(), values, strict=True):
            if value is not None:
                problem = tr("It has no meaning with a queue: {reason}.", reason=tr(reason))
                yield PlanProblem(f"{where}.demand.{name}", problem, tr("Remove it, or the queue."))
    yield from _check_series(plan)


def _check_shared(plan: Plan, index: int, owner: str) -> Iterator[PlanProblem]:
    """Its messages are those of another workload, which has a queue of its own."""
    queues = {one.name: one.queue for one in plan.workloads if one.queue is not None}
    own, name = [one for one, queue in queues.items() if queue.shared_with is None], plan.workloads[index].name
    where = f"workloads[{index}].queue.sharedWith"
    if owner not in own:
        problem = tr("{workload} has no queue of its own.", workload=shown(owner))
        yield PlanProblem(where, problem, suggestion(owner, own, tr("Name a workload with a queue of its own.")))
    if plan.workloads[index].traffic is not None:
        problem = tr("Its messages come from the queue of {workload}.", workload=shown(owner))
        yield PlanProblem(f"workloads[{index}].traffic", problem, tr("Add the load to that workload."))
    for caller, item in enumerate(plan.workloads):
        for number, call in enumerate(item.calls):
            if call.workload == name:
                problem = tr("{workload} fetches from the queue of {owner}.", workload=shown(name), owner=shown(owner))
                remedy = tr("Call {owner}.", owner=shown(owner))
                yield PlanProblem(f"workloads[{caller}].calls[{number}].workload", problem, remedy)


def _check_series(plan: Plan) -> Iterator[PlanProblem]:
    queues = {workload.name for workload in plan.workloads if workload.queue is not None}
    for index, series in enumerate(plan.metric_series):
        source = series.source
        is_age = isinstance(source, WorkloadValue) and source.measure is WorkloadMeasure.OLDEST_MESSAGE_AGE
        if is_age and isinstance(source, WorkloadValue) and source.workload not in queues:
            where = f"metricSeries[{index}].source.measure"
            problem = tr("{workload} has no queue whose messages could grow old.", workload=source.workload)
            yield PlanProblem(where, problem, tr("Give it a queue, or choose another measure."))
