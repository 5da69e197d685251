"""What sizes do to a plan, from the runs of its variants; what they harm, and which of them is best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.experiments.answers.numbers import number, percent
from planner.experiments.execution.outcome import RunOutcome
from planner.language.phrases import joined, phrase
from planner.plan.values.money import money_text
from planner.units import US_PER_H

_SLOWER = 1.1
"""A worst 95th percentile that grows by more is harm where no SLO says what is too slow."""
_NOTABLE = 1e-3
"""Savings below this share of the cost are none."""


@dataclass(frozen=True)
class Effect:
    """Means over the runs of one variant."""

    name: str
    cost: float
    nodes: float
    cpu_requested: float
    """Cores of the whole cluster."""
    replicas: float
    """Ready pods of the sized workloads."""
    throttled_s: float
    oom_kills: float
    evictions: float
    """By kubelets that lack memory or disk."""
    worst_p95_ms: float | None
    """The slowest sized workload; None without requests."""
    attainment: float | None
    """The lowest share of time in which a workload of the plan met its SLO; None without one."""
    missed: float
    """Share of runs in which an SLO was missed."""

    def as_json(self) -> dict[str, Any]:
        """Its numbers."""
        return {
            "name": self.name, "cost": self.cost, "nodes": self.nodes, "cpuRequested": self.cpu_requested,
            "replicas": self.replicas, "throttledS": self.throttled_s, "oomKills": self.oom_kills,
            "evictions": self.evictions, "worstP95Ms": self.worst_p95_ms, "attainment": self.attainment,
            "missed": self.missed,
        }  # fmt: skip


def effect_of(name: str, outcomes: Sequence[RunOutcome], workloads: Sequence[str]) -> Effect:
    """What the runs of a variant say; `workloads` are those that are sized."""

    def mean(figure: str) -> float:
        return float(np.mean([one.figures[figure].value if figure in one.figures else 0.0 for one in outcomes]))

    p95 = _means(outcomes, [f"latency_p95_worst[{one}]" for one in workloads])
    kept = _means(outcomes, [one for one in outcomes[0].figures if one.startswith("slo_attainment[")])
    hours = float(np.mean([one.until_us for one in outcomes])) / US_PER_H
    return Effect(
        name,
        cost=mean("cost"),
        nodes=mean("node_hours") / hours if hours else 0.0,
        cpu_requested=mean("cpu_requested_mean"),
        replicas=float(np.mean([_replicas(one, workloads) for one in outcomes])),
        throttled_s=sum(mean(f"cpu_throttled_time[{one}]") for one in workloads),
        oom_kills=mean("oom_kills"),
        evictions=mean("pressure_evictions"),
        worst_p95_ms=max(p95, default=None),
        attainment=min(kept, default=None),
        missed=float(np.mean([bool(one.slo_missed) for one in outcomes])),
    )


def _means(outcomes: Sequence[RunOutcome], figures: Sequence[str]) -> list[float]:
    """Means of those figures that every run has."""
    known = [name for name in figures if all(name in one.figures for one in outcomes)]
    return [float(np.mean([one.figures[name].value for one in outcomes])) for name in known]


def _replicas(outcome: RunOutcome, workloads: Sequence[str]) -> float:
    table, names = outcome.series.table(), outcome.series.names
    wanted = frozenset(f"replicas_ready_count[{one}]" for one in workloads)
    return sum(float(np.nanmean(row)) for name, row in zip(names, table, strict=True) if name in wanted)


def harms(before: Effect, after: Effect) -> Iterator[str]:
    """What is worse than with the requests as they are, in words."""
    if after.missed > before.missed:
        yield phrase("misses an SLO in {share} of the runs", share=percent(after.missed))
    elif before.attainment is not None and after.attainment is not None and after.missed:
        if after.attainment < before.attainment - _NOTABLE:
            yield phrase("meets the SLO in {share} of the time", share=percent(after.attainment))
    if after.oom_kills > before.oom_kills:
        yield phrase("{count} OOM kills", count=number(after.oom_kills))
    if after.evictions > before.evictions:
        yield phrase("{count} evictions by kubelets", count=number(after.evictions))
    if before.attainment is None and before.worst_p95_ms and after.worst_p95_ms:
        if after.worst_p95_ms > _SLOWER * before.worst_p95_ms:
            yield phrase("p95 grows by {share}", share=percent(after.worst_p95_ms / before.worst_p95_ms - 1.0))


def best_of(effects: Sequence[Effect]) -> Effect:
    """The cheapest that harms nothing; of equally cheap ones that which requests least. The first is the plan's own."""
    before = effects[0]
    fine = [before, *(one for one in effects[1:] if not any(harms(before, one)))]
    lowest = min(one.cost for one in fine)
    cheap = [one for one in fine if one.cost <= lowest + _NOTABLE * before.cost]
    return min(cheap, key=lambda one: (one.cpu_requested, one.cost))


def effect_table(effects: Sequence[Effect], best: Effect, currency: str) -> Iterator[tuple[str, ...]]:
    """A row for each variant; the first row is the heading."""
    yield (
        phrase("Sizes"), phrase("Verdict"), phrase("Cost"), phrase("Nodes"),
        phrase("CPU requested (cores)"), phrase("Replicas"), phrase("Throttled (s)"), phrase("OOM kills"),
        phrase("Worst p95 (ms)"), phrase("SLO met"),
    )  # fmt: skip
    for one in effects:
        found = joined(", ", harms(effects[0], one))
        verdict = (
            phrase("best")
            if one is best
            else phrase("as it is")
            if one is effects[0]
            else found or phrase("harms nothing")
        )
        yield (
            one.name,
            verdict,
            money_text(one.cost, currency),
            number(one.nodes),
            number(one.cpu_requested),
            number(one.replicas),
            number(one.throttled_s),
            number(one.oom_kills),
            "–" if one.worst_p95_ms is None else number(one.worst_p95_ms),
            "–" if one.attainment is None else percent(one.attainment),
        )


def sentence_of(effects: Sequence[Effect], best: Effect, requests: Mapping[str, str], currency: str) -> str:
    """The answer in one sentence; `requests`: by variant what its pods request, empty where that is too much to say."""
    before = effects[0]
    if best is before:
        return phrase("Keep the requests as they are: no rule saves anything without harm.")
    said = f" ({requests[best.name]})" if requests.get(best.name) else ""
    less = phrase(
        "{cores} cores are requested instead of {before}",
        cores=number(best.cpu_requested),
        before=number(before.cpu_requested),
    )
    saved = before.cost - best.cost
    if saved > _NOTABLE * before.cost:
        share = f"{-saved / before.cost:+.1%}".replace("%", " %")
        less = phrase(
            "the plan costs {cost} instead of {before} ({share}), {less}",
            cost=money_text(best.cost, currency),
            before=money_text(before.cost, currency),
            share=share,
            less=less,
        )
    else:
        less = phrase("{less} at the same cost", less=less)
    return phrase("{name}{requests} is best: {less}, and nothing gets worse.", name=best.name, requests=said, less=less)
