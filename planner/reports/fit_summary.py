"""Which pods were placed and which were not, and why: shown after an import."""

from planner.record.decisions import Verdict
from planner.record.result import RunResult
from planner.record.text.explain import why

MAX_LINES = 40
_NOT_TRIED = "no scheduler has tried it: it has a scheduling gate or names another scheduler"


def fit_summary(result: RunResult) -> str:
    """A head line, then pods that wait at the end, those with the same reason together; no final newline."""
    waiting = [row for row in result.pods if row["scheduled_s"] is None and row["ended_s"] is None]
    lines = [f"{len(result.pods) - len(waiting)} of {len(result.pods)} pods found a node"]
    last = {decision.subject: decision for decision in result.decisions if decision.verdict is Verdict.UNSCHEDULABLE}
    groups: dict[tuple[str, str], int] = {}
    for row in waiting:
        decision = last.get(row["pod"])
        reason = _NOT_TRIED if decision is None else why(decision)
        key = (str(row["workload"]), reason)
        groups[key] = groups.get(key, 0) + 1
    ranked = sorted(groups.items(), key=lambda item: -item[1])
    lines += [f"  {count} of {workload}: {reason}" for (workload, reason), count in ranked[:MAX_LINES]]
    if len(ranked) > MAX_LINES:
        rest = sum(count for _, count in ranked[MAX_LINES:])
        lines.append(f"  and {rest} more pods, for {len(ranked) - MAX_LINES} further reasons")
    return "\n".join(lines)
