"""Which pods were placed and which were not, and why: shown after an import."""

from planner.language.translation import marked, tr
from planner.record.decisions import Verdict
from planner.record.result import RunResult
from planner.record.text.explain import why

MAX_LINES = 40
_NOT_TRIED = marked("no scheduler has tried it: it has a scheduling gate or names another scheduler")


def fit_summary(result: RunResult) -> str:
    """A head line, then pods that wait at the end, those with the same reason together; no final newline."""
    waiting = [row for row in result.pods if row["scheduled_s"] is None and row["ended_s"] is None]
    lines = [
        tr("{count} of {count_2} pods found a node", count=len(result.pods) - len(waiting), count_2=len(result.pods))
    ]
    refusals = (decision for decision in result.decisions if decision.verdict is Verdict.UNSCHEDULABLE)
    last = {name: decision for decision in refusals for name in (decision.subject, *decision.others)}
    groups: dict[tuple[str, str], int] = {}
    for row in waiting:
        decision = last.get(row["pod"])
        reason = tr(_NOT_TRIED) if decision is None else why(decision._replace(others=()))
        key = (str(row["workload"]), reason)
        groups[key] = groups.get(key, 0) + 1
    ranked = sorted(groups.items(), key=lambda item: -item[1])
    lines += [
        tr("  {count} of {workload}: {reason}", count=count, workload=workload, reason=reason)
        for (workload, reason), count in ranked[:MAX_LINES]
    ]
    if len(ranked) > MAX_LINES:
        rest = sum(count for _, count in ranked[MAX_LINES:])
        lines.append(
            tr("  and {rest} more pods, for {count} further reasons", rest=rest, count=len(ranked) - MAX_LINES)
        )
    return "\n".join(lines)
