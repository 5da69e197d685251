"""What came out, in the sentences that a report begins with."""

import math
from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr, tr_count
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Slo
from planner.plan.values.money import money_text
from planner.record.result import RunResult
from planner.reports.content import wording
from planner.reports.content.key_figures import per_month, value_of, worst_first
from planner.reports.content.report import News, RunVerdict
from planner.units import US_PER_MS, US_PER_S, format_duration

_MOST = 5


def verdict_of(plan: Plan, result: RunResult) -> RunVerdict:
    """Which SLOs are kept, what that costs, and what limits."""
    headline, tone = _headline(plan, result)
    sentences = (
        *_stopped(result), *_missed(plan, result), *_unserved(result), *_limits(result), *_waiting(result),
        *_money(plan, result),
    )  # fmt: skip
    return RunVerdict(headline, tone, sentences)


def objective_text(slo: Slo) -> str:
    """p95 within 250 ms, at most 1 % lost."""
    target = wording.latency(slo.target / US_PER_MS)
    return tr(
        "p{percentile} within {target}, at most {percent} lost",
        percentile=slo.percentile,
        target=target,
        percent=wording.percent(slo.max_error_ratio),
    )


def _headline(plan: Plan, result: RunResult) -> tuple[str, News]:
    with_slo, missed = sum(item.slo is not None for item in plan.workloads), result.slo_missed
    if result.stopped is not None:
        return tr("The run ended before its time."), News.BAD
    if missed:
        return tr("{some} missed.", some=_some(tr("The SLO"), "SLOs", missed, with_slo)), News.BAD
    if not with_slo:
        return tr("No workload of this plan has an SLO to keep."), News.NEUTRAL
    return (
        tr("The SLO is kept.") if with_slo == 1 else tr("All {with_slo} SLOs are kept.", with_slo=with_slo)
    ), News.GOOD


def _some(one: str, many: str, names: tuple[str, ...], total: int) -> str:
    if len(names) == 1:
        return tr("{one} of {names} is", one=one, names=names[0])
    more = tr(" and {count} more", count=len(names) - _MOST) if len(names) > _MOST else ""
    return tr(
        "{count} of {total} {many} ({names}{more}) are",
        count=len(names),
        total=total,
        many=many,
        names=", ".join(names[:_MOST]),
        more=more,
    )


def _stopped(result: RunResult) -> Iterator[str]:
    if result.stopped is not None:
        yield tr(
            "{stopped} All figures are about the first {until_us}.",
            stopped=result.stopped,
            until_us=format_duration(result.until_us),
        )


def _worst_missed(result: RunResult) -> list[str]:
    return [name for name in worst_first(result) if name in result.slo_missed][:_MOST]


def _missed(plan: Plan, result: RunResult) -> Iterator[str]:
    targets = {item.name: item.slo for item in plan.workloads if item.slo is not None}
    for name in _worst_missed(result):
        kept = wording.percent(value_of(result, f"slo_attainment[{name}]"))
        by_requests = wording.percent(value_of(result, f"slo_attainment_by_requests[{name}]"))
        target = f" ({objective_text(targets[name])})" if name in targets else ""
        yield tr(
            "{name} met its target{target} in {kept} of the time, for {by_requests} of its requests.",
            name=name,
            target=target,
            kept=kept,
            by_requests=by_requests,
        )


def _unserved(result: RunResult) -> Iterator[str]:
    """Times in which a workload that missed its target was asked for and had no pod to serve."""
    length_us = np.diff(result.time_us, prepend=0)
    for name in _worst_missed(result):
        series = [result.series.get(f"{figure}[{name}]") for figure in ("replicas_ready_count", "offered_rps")]
        if series[0] is None or series[1] is None:
            continue
        without = (series[0] == 0.0) & (series[1] > 0.0)
        if without.any():
            first = int(without.argmax())
            begin_us = float(result.time_us[first] - length_us[first])  # a row covers the time since the one before
            yield tr(
                "No pod of {name} was ready for {span}, first at {at}, so what was asked of it then was not served.",
                name=name,
                span=wording.span(float(length_us[without].sum()) / US_PER_S),
                at=wording.clock(begin_us / US_PER_S),
            )


def _limits(result: RunResult) -> Iterator[str]:
    yield from (one.sentence for one in result.bottlenecks[:_MOST])
    for row in result.node_groups:
        name, most = row["node_group"], row["nodes_max_count"]
        targets = result.series.get(f"group_nodes_target_count[{name}]")
        grew = row["nodes_created_count"] > 0 and row["nodes_min_count"] < most
        if grew and targets is not None and len(targets) and targets.max() >= most and targets[0] < most:
            at = wording.clock(float(result.time_us[int((targets >= most).argmax())]) / US_PER_S)
            yield tr(
                "Pool {name} reached its maximum of {most} nodes at {at} and could not grow further.",
                name=name,
                most=most,
                at=at,
            )


def _waiting(result: RunResult) -> Iterator[str]:
    peak, reaction = value_of(result, "pods_pending_peak"), value_of(result, "scale_up_to_pod_running_p50")
    if peak > 0:
        text = tr_count(
            "Up to {count} pod waited for a node at one time",
            "Up to {count} pods waited for a node at one time",
            peak,
            count=wording.count(peak),
        )
        late = tr("; a pod that needed a new node ran after {span} (median)", span=wording.span(reaction))
        yield f"{text}{'' if math.isnan(reaction) else late}."


def _money(plan: Plan, result: RunResult) -> Iterator[str]:
    cost, currency = value_of(result, "cost"), plan.costs.currency
    if cost > 0:
        month = money_text(per_month(result, cost), currency)
        yield tr(
            "The run costs {cost}; a month at this rate would cost {month}.",
            cost=money_text(cost, currency),
            month=month,
        )
    elif cost == 0:
        yield tr("No pool of the plan has a price, so nothing is said of its cost.")
