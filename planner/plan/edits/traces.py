"""Recorded load or use as that of a workload."""

from pathlib import Path

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.load import check_loads
from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import TraceLoad, Traffic
from planner.plan.model.use import TraceKind, UseOverTime
from planner.plan.recordings.recording import ReadAs, Recording, read_recording


def read_trace(path: str, how: ReadAs | None = None) -> Recording:
    """Recorded load or use from a CSV file, or from the JSON of a Prometheus range query. Raises PlanProblem."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise PlanProblem(
            path, tr("The trace cannot be read ({reason}).", reason=reason), tr("Check the name and the file.")
        ) from error
    return read_recording(text, path, how)


def workload_row(plan: Plan, workload: str) -> int:
    """Position of the workload with this name. Raises PlanProblem if there is none."""
    names = [item.name for item in plan.workloads]
    if workload not in names:
        remedy = (
            tr("Choose one of {names}.", names=", ".join(names[:20])) if names else tr("Add a workload to the plan.")
        )
        raise PlanProblem("workloads", tr("There is no workload {name!r}.", name=workload), remedy)
    return names.index(workload)


def with_trace(plan: Plan, workload: str, trace: TraceLoad, kind: TraceKind = TraceKind.LOAD) -> Plan:
    """The plan with a recorded load of one of its workloads, whose noise goes, or use of each of its pods.

    Raises PlanProblem.
    """
    row = workload_row(plan, workload)
    if kind is TraceKind.LOAD:
        after = replace_at(plan, ("workloads", row, "traffic"), Traffic(profile=trace))
    else:
        use = (plan.workloads[row].use or UseOverTime()).model_copy(update={str(kind): trace})
        after = replace_at(plan, ("workloads", row, "use"), use)
    known = list(check_loads(plan))
    for problem in check_loads(after):
        if problem not in known:
            raise problem
    return after
