"""Checks of calls between workloads: unknown names, repeated calls, and cycles."""

from collections.abc import Iterator

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.checks.pods import suggestion
from planner.plan.files.problems import shown
from planner.plan.model.plan import Plan


def check_calls(plan: Plan) -> Iterator[PlanProblem]:
    """Calls to unknown workloads, twice to the same one, and cycles."""
    names = [item.name for item in plan.workloads]
    known = frozenset(names)
    for index, item in enumerate(plan.workloads):
        seen = set[str]()
        for position, call in enumerate(item.calls):
            where = f"workloads[{index}].calls[{position}].workload"
            if call.workload not in known:
                remedy = suggestion(call.workload, names, tr("Name a workload of the plan."))
                yield PlanProblem(where, tr("There is no workload {workload}.", workload=shown(call.workload)), remedy)
            elif call.workload in seen:
                yield PlanProblem(
                    where,
                    tr("{workload} is already called.", workload=shown(call.workload)),
                    tr("Put both into one entry."),
                )
            seen.add(call.workload)
    cycle = _cycle(plan)
    if cycle:
        index = names.index(cycle[0])
        problem = tr("The calls form a cycle: {value}.", value=" -> ".join((*cycle, cycle[0])))
        yield PlanProblem(f"workloads[{index}].calls", problem, tr("Remove one of these calls."))


def _cycle(plan: Plan) -> tuple[str, ...]:
    """The first cycle of calls in order of the plan; empty if there is none."""
    callees = {item.name: [call.workload for call in item.calls] for item in plan.workloads}
    for item in plan.workloads:  # what others do with its messages follows from them as its own calls do
        if item.queue is not None and item.queue.shared_with in callees.keys() - {item.name}:
            callees[item.queue.shared_with].append(item.name)
    done = set[str]()
    for start in callees:
        path: list[str] = [start]
        ways = [iter(callees[start])]
        while path:
            following = next(ways[-1], None)
            if following is None:
                done.add(path.pop())
                ways.pop()
            elif following in path:
                return tuple(path[path.index(following) :])
            elif following in callees and following not in done:
                path.append(following)
                ways.append(iter(callees[following]))
    return ()
