"""What breaks in a run, and when first: SLOs, full pools, quotas and the budget."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from planner.language.phrases import phrase
from planner.language.translation import marked
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Slo
from planner.record.decisions import Actor, Verdict
from planner.record.result import RunResult
from planner.units import US_PER_MS, US_PER_S

BUDGET = marked("the budget")
_SLO, _POOL, _QUOTA, _WAITING = (
    marked("the SLO of {name}"), marked("pool {name} (full while pods wait)"), marked("a quota for {name}"),
    marked("pods without a node until the end"),
)  # fmt: skip


@dataclass(frozen=True)
class SloBreak:
    """The first recorded moment at which an SLO was missed."""

    workload: str
    at_us: int | None
    """To the record interval; None if it was missed only between two recorded moments."""


@dataclass(frozen=True)
class Break:
    """Something that broke in a run."""

    what: str
    """In words, such as "the SLO of shop"."""
    at_s: float
    """Since the start of the run."""
    subject: str = ""
    """Workload, pool or namespace."""


def kept_break(what: str, at_s: float, subject: str) -> Break:
    """A break as a file of results has it, with its words as they can be translated."""
    found = (phrase(text, name=subject) for text in (_SLO, _POOL, _QUOTA, _WAITING, BUDGET))
    return Break(next((words for words in found if words == what), what), at_s, subject)


def first_break(plan: Plan, result: RunResult) -> SloBreak | None:
    """The SLO that was missed first; of several at one moment, the first in the plan."""
    if not result.slo_missed:
        return None
    seen = list(_missed(plan, result))
    if not seen:
        return SloBreak(result.slo_missed[0], None)
    at_us = min(at for at, _ in seen)
    return SloBreak(next(name for at, name in seen if at == at_us), at_us)


def breaks_of(plan: Plan, result: RunResult) -> tuple[Break, ...]:
    """What broke, the first one first. What was never seen at a recorded moment counts from the end of the run."""
    end_us = result.until_us
    seen = {name: at_us for at_us, name in _missed(plan, result)}
    found = [(seen.get(name, end_us), phrase(_SLO, name=name), name) for name in result.slo_missed]
    found += [(at_us, phrase(_POOL, name=name), name) for at_us, name in _full(result)]
    found += [(at_us, phrase(_QUOTA, name=name), name) for at_us, name in _refused(result)]
    found += [(at_us, phrase(_WAITING), "") for at_us in _waiting_at_end(result)]
    budget = result.figures.get("budget_used")
    if budget is not None and budget.value > 1.0:
        found.append((end_us, phrase(BUDGET), ""))
    return tuple(Break(what, at_us / US_PER_S, subject) for at_us, what, subject in sorted(found, key=lambda of: of[0]))


def _missed(plan: Plan, result: RunResult) -> Iterator[tuple[int, str]]:
    """First recorded moment of a miss and its workload, in the order of the plan."""
    for workload in plan.workloads:
        if workload.slo is not None and workload.name in result.slo_missed:
            at_us = _first_us(result, workload.name, workload.slo)
            if at_us is not None:
                yield at_us, workload.name


def _first_us(result: RunResult, name: str, slo: Slo) -> int | None:
    is_broken = np.zeros(len(result.time_us), dtype=bool)
    own, whole_ms = f"slo_missed_ratio[{name}]", f"latency_end_to_end_p{slo.percentile}_ms[{name}]"
    if own in result.series:
        is_broken |= result.series[own] > 0.5  # nan before the first load step
    if slo.end_to_end_target is not None and whole_ms in result.series:
        is_broken |= result.series[whole_ms] > slo.end_to_end_target / US_PER_MS  # nan where it waits for no call
    rows = np.flatnonzero(is_broken)
    return int(result.time_us[rows[0]]) if len(rows) else None


def _waiting_at_end(result: RunResult) -> Iterator[int]:
    """Since when pods fit nowhere, if some still do not at the end and no node is coming."""
    waiting, booting = (result.series.get(name) for name in ("pods_unschedulable_count", "nodes_booting_count"))
    if waiting is not None and booting is not None and len(waiting) and waiting[-1] > 0.0 and booting[-1] == 0.0:
        calm = np.flatnonzero(waiting == 0.0)
        yield int(result.time_us[calm[-1] + 1 if len(calm) else 0])


def _full(result: RunResult) -> Iterator[tuple[int, str]]:
    """First recorded moment at which a group was at its maximum while pods fitted nowhere and no node was coming."""
    waiting, booting = (result.series.get(name) for name in ("pods_unschedulable_count", "nodes_booting_count"))
    if waiting is None or booting is None:
        return
    is_stuck = (waiting > 0.0) & (booting == 0.0)
    if not is_stuck.any():
        return
    for row in result.node_groups:
        target = result.series.get(f"group_nodes_target_count[{row['node_group']}]")
        if target is not None:
            rows = np.flatnonzero(is_stuck & (target >= row["nodes_max_count"]))
            if len(rows):
                yield int(result.time_us[rows[0]]), str(row["node_group"])


def _refused(result: RunResult) -> Iterator[tuple[int, str]]:
    """First refusal of a workload's pods by a quota of its namespace."""
    seen = set[str]()
    for decision in result.decisions:
        if decision.actor is Actor.CONTROLLER and decision.verdict is Verdict.REFUSED and decision.subject not in seen:
            seen.add(decision.subject)
            yield decision.time_us, decision.subject
