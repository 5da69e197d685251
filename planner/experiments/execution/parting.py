"""Where two runs with one seed part: the first decision that differs, and what was decided more often in one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.experiments.execution.executor import Cancelled
from planner.experiments.execution.work import plan_of
from planner.experiments.variants.runnable_plan import PlanParcel
from planner.language.translation import ENGLISH, LANGUAGES, in_language
from planner.record.decisions import Decision
from planner.record.text.explain import why
from planner.record.text.headline import COMPONENTS, headline
from planner.simulation.run import run_plan
from planner.units import US_PER_S

_MOST_KINDS = 8


@dataclass(frozen=True)
class PartingJob:
    """Two plans to run with one seed."""

    a: PlanParcel
    b: PlanParcel
    seed: int
    until_us: int | None = None


def find_parting(job: PartingJob, cancelled: Cancelled) -> dict[str, Any] | None:
    """{at_s, a, b, differences} as JSON has it; `at_s` is None if all decisions are equal. None: cancelled."""
    decisions = []
    for parcel in (job.a, job.b):
        result = run_plan(plan_of(parcel), seed=job.seed, until_us=job.until_us, cancelled=cancelled)
        if result.stopped is not None and result.stopped.cancelled:
            return None
        decisions.append(result.decisions)
    at = first_difference(*decisions)
    first = [of[at] if at is not None and at < len(of) else None for of in decisions]
    times = [one.time_us for one in first if one is not None]
    return {
        "seed": job.seed,
        "atS": min(times) / US_PER_S if times else None,
        "a": _described(first[0]),
        "b": _described(first[1]),
        "decisions": _counted(*decisions),
    }


def first_difference(a: Sequence[Decision], b: Sequence[Decision]) -> int | None:
    """Position of the first decision that differs; None if all are equal. The number of repeats comes second."""
    for at, (one, other) in enumerate(zip(a, b, strict=False)):
        if _key(one) != _key(other):
            return at
    if len(a) != len(b):
        return min(len(a), len(b))
    return next((at for at, (one, other) in enumerate(zip(a, b, strict=True)) if one.repeats != other.repeats), None)


def _key(decision: Decision) -> tuple[Any, ...]:
    what = decision.time_us, decision.actor, decision.verdict, decision.subject, decision.target, decision.details
    return *what, decision.others


def _described(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    return {
        "timeS": decision.time_us / US_PER_S,
        "actor": COMPONENTS[decision.actor],
        "subject": decision.subject,
        **_words(decision, ENGLISH),
        "said": {code: _words(decision, code) for code in LANGUAGES if code != ENGLISH},
    }


def _counted(a: Sequence[Decision], b: Sequence[Decision]) -> list[dict[str, Any]]:
    """The kinds of decisions whose number differs most, with the first of them in the run that has more."""
    counts = [Counter[tuple[str, str]](), Counter[tuple[str, str]]()]
    for counter, decisions in zip(counts, (a, b), strict=True):
        for one in decisions:
            counter[one.actor, one.verdict] += 1 + one.repeats
    kinds = dict.fromkeys((*counts[0], *counts[1]))
    ranked = sorted(kinds, key=lambda kind: (-abs(counts[1][kind] - counts[0][kind]), kind))
    found = []
    for kind in ranked[:_MOST_KINDS]:
        if counts[0][kind] == counts[1][kind]:
            break
        more = b if counts[1][kind] > counts[0][kind] else a
        example = next(one for one in more if (one.actor, one.verdict) == kind)
        found.append(
            {
                "actor": COMPONENTS[example.actor],
                "verdict": kind[1],
                "a": counts[0][kind],
                "b": counts[1][kind],
                "example": _described(example),
            }
        )
    return found


def _words(decision: Decision, code: str) -> dict[str, str]:
    """What was decided and why, in one language: results outlive the language of their reader."""
    with in_language(code):
        return {"what": headline(decision), "why": why(decision)}
