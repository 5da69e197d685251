"""The figures of the first page, in plain words."""

import math
from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from planner.record.result import RunResult
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from planner.reports.content import wording
from planner.reports.content.report import KeyFact, News
from planner.units import US_PER_H

_MOST_SERVICES = 4


def key_facts(plan: Plan, result: RunResult) -> tuple[KeyFact, ...]:
    """Service first, then what it took, then what it cost."""
    parts = (
        _objectives(plan, result),
        _requests(result),
        _pods(result),
        _nodes(result),
        _use(result),
        _cost(plan, result),
    )
    return tuple(fact for part in parts for fact in part)


def value_of(result: RunResult, name: str) -> float:
    """A key figure; not a number where the run has none of that name."""
    figure = result.figures.get(name)
    return math.nan if figure is None else figure.value


def per_month(result: RunResult, cost: float) -> float:
    """A cost of the run at the same rate for a month of 730 hours."""
    return cost / (result.until_us / US_PER_H) * HOURS_PER_MONTH if result.until_us else math.nan


def worst_first(result: RunResult) -> list[str]:
    """Workloads with an SLO, the least kept one first."""
    kept = {subject_of(name): figure.value for name, figure in result.figures.items() if _is_attainment(name)}
    return sorted(kept, key=lambda name: (kept[name], name))


def _is_attainment(name: str) -> bool:
    return name.startswith("slo_attainment[")


def _objectives(plan: Plan, result: RunResult) -> Iterator[KeyFact]:
    for name in worst_first(result)[:_MOST_SERVICES]:
        share = value_of(result, f"slo_attainment[{name}]")
        missed = name in result.slo_missed
        note = tr("missed: share of time within the target") if missed else tr("kept all the time")
        yield KeyFact(tr("SLO of {name}", name=name), wording.percent(share), note, News.BAD if missed else News.GOOD)
    for name in worst_first(result)[:1]:
        worst = value_of(result, f"latency_p95_worst[{name}]")
        if not math.isnan(worst):
            at = wording.clock(value_of(result, f"latency_p95_worst_at[{name}]"))
            lost = tr("more than 5 % of the requests lost, ") if math.isinf(worst) else ""
            yield KeyFact(
                tr("Slowest answers of {name}", name=name),
                LatencyBounds.of(plan, result.until_us).text(name, worst),
                tr("worst p95 latency, {lost}at {at}", lost=lost, at=at),
            )


def _requests(result: RunResult) -> Iterator[KeyFact]:
    offered = sum(one.value for name, one in result.figures.items() if name.startswith("requests_offered["))
    if offered > 0:
        lost = value_of(result, "requests_lost")
        note = tr(
            "{count} of {count_2}, rejected or timed out", count=wording.count(lost), count_2=wording.count(offered)
        )
        yield KeyFact(
            tr("Requests lost"), wording.percent(lost / offered), note, News.BAD if lost >= 1.0 else News.GOOD
        )


def _pods(result: RunResult) -> Iterator[KeyFact]:
    waiting = value_of(result, "pods_pending_peak")
    if not math.isnan(waiting):
        total = wording.span(value_of(result, "pending_pod_time"))
        yield KeyFact(
            tr("Pods without a node"),
            tr("{count} at most", count=wording.count(waiting)),
            tr("{total} of waiting, all pods together", total=total),
        )
    start = value_of(result, "pod_start_p95")
    if not math.isnan(start):
        yield KeyFact(tr("Start of a pod"), wording.span(start), tr("95 of 100 pods were ready within that time"))
    gone = {
        "preemptions": tr("{count} preempted", count=wording.count(value_of(result, "preemptions"))),
        "evictions": tr("{count} evicted", count=wording.count(value_of(result, "evictions"))),
        "oom_kills": tr("{count} out of memory", count=wording.count(value_of(result, "oom_kills"))),
    }
    texts = [text for name, text in gone.items() if _some(result, name)]
    if texts:
        yield KeyFact(tr("Pods disturbed"), ", ".join(texts), tr("removed for others, by drains, or killed"))


def _some(result: RunResult, name: str) -> bool:
    return value_of(result, name) > 0


def _nodes(result: RunResult) -> Iterator[KeyFact]:
    ready = result.series.get("nodes_ready_count")
    if ready is None or not len(ready):
        return
    start, peak, end = (wording.count(float(value)) for value in (ready[0], ready.max(), ready[-1]))
    added, removed = (wording.count(value_of(result, name)) for name in ("nodes_added", "nodes_removed"))
    yield KeyFact(
        tr("Nodes"),
        f"{start} → {peak} → {end}",
        tr("start, peak, end; {added} added, {removed} removed", added=added, removed=removed),
    )


def _use(result: RunResult) -> Iterator[KeyFact]:
    offered, asked, used = (value_of(result, f"cpu_{kind}_mean") for kind in ("allocatable", "requested", "used"))
    if offered > 0:
        note = tr(
            "of {number} cores on average; really used {percent}",
            number=wording.number(offered),
            percent=wording.percent(used / offered),
        )
        yield KeyFact(tr("CPU requested"), wording.percent(asked / offered), note)


def _cost(plan: Plan, result: RunResult) -> Iterator[KeyFact]:
    cost, currency = value_of(result, "cost"), plan.costs.currency
    if math.isnan(cost):
        return
    month = per_month(result, cost)
    note = tr("{month} a month at this rate", month=money_text(month, currency)) if math.isfinite(month) else ""
    budget = plan.costs.budget_per_month
    tone = News.NEUTRAL
    if budget > 0:
        tone = News.BAD if month > budget else News.GOOD
        note += tr("; the budget is {budget}", budget=money_text(budget, currency))
    yield KeyFact(tr("Cost of the run"), money_text(cost, currency), note, tone)
    idle = value_of(result, "cost_idle")
    if cost > 0 and idle > 0:
        yield KeyFact(
            tr("Paid but not requested"),
            wording.percent(idle / cost),
            tr("{idle} of the cost", idle=money_text(idle, currency)),
        )
