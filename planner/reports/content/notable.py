"""The decisions that a reader of the report should know: few, in the order of time."""

from collections.abc import Iterable, Iterator

from planner.language.translation import marked, tr
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.result import RunResult
from planner.record.text.explain import why
from planner.record.text.headline import COMPONENTS, headline
from planner.reports.content import wording
from planner.reports.content.report import ReportTable
from planner.units import US_PER_S

MOST = 40
_MOST_OF_A_KIND = 8
_LONGEST = 300
_KINDS: tuple[tuple[str, frozenset[Verdict], frozenset[Actor]], ...] = (
    (marked("events and faults"), frozenset({Verdict.HAPPENED}), frozenset({Actor.PLAN_EVENT})),
    (marked("OOM kills"), frozenset({Verdict.OOM_KILLED}), frozenset()),
    (marked("failures"), frozenset({Verdict.FAILED, Verdict.UNREACHABLE}), frozenset()),
    (marked("pods that no pool could help"), frozenset({Verdict.NOT_TRIGGERED}), frozenset({Actor.SCALE_UP})),
    (marked("scale-ups"), frozenset({Verdict.TRIGGERED}), frozenset({Actor.SCALE_UP})),
    (marked("launched machines"), frozenset({Verdict.LAUNCHED}), frozenset({Actor.KARPENTER})),
    (marked("interruptions, drift and expiry"), frozenset({Verdict.HAPPENED}), frozenset({Actor.KARPENTER})),
    (marked("preemptions"), frozenset({Verdict.PREEMPTED}), frozenset()),
    (marked("evictions"), frozenset({Verdict.EVICTED}), frozenset()),
    (marked("scale-downs"), frozenset({Verdict.REMOVING}), frozenset({Actor.SCALE_DOWN})),
    (marked("disruptions by Karpenter"), frozenset({Verdict.REMOVING}), frozenset({Actor.KARPENTER})),
    (marked("rescales"), frozenset({Verdict.SCALED}), frozenset({Actor.HPA})),
)
"""Name, verdicts and, where given, actors; what matters most comes first."""


def notable_decisions(result: RunResult) -> ReportTable:
    """A few of each kind, the first ones."""
    chosen, left = list[tuple[int, Decision]](), list[str]()
    for name, places in _by_kind(result.decisions):
        taken = places[: max(0, min(_MOST_OF_A_KIND, MOST - len(chosen)))]
        chosen += taken
        if len(places) > len(taken):
            left.append(f"{tr(name)}: {wording.count(len(places) - len(taken))}")
    rows = tuple(_row(decision) for _, decision in sorted(chosen, key=lambda item: item[0]))
    note = (
        tr("Of each kind the first ones. Left out: {left}; all are in decisions.csv.", left=", ".join(left))
        if left
        else ""
    )
    return ReportTable(
        tr("Decisions of note"), (tr("Time"), tr("By"), tr("About"), tr("What"), tr("Why")), "rllll", rows, note
    )


def _by_kind(decisions: Iterable[Decision]) -> Iterator[tuple[str, list[tuple[int, Decision]]]]:
    """Decisions with their places in the order of the run."""
    found: dict[str, list[tuple[int, Decision]]] = {name: [] for name, _, _ in _KINDS}
    for place, decision in enumerate(decisions):
        for name, verdicts, actors in _KINDS:
            if decision.verdict in verdicts and (not actors or decision.actor in actors):
                found[name].append((place, decision))
                break
    yield from found.items()


def _row(decision: Decision) -> tuple[str, ...]:
    reason = wording.one_line(why(decision))
    short = reason if len(reason) <= _LONGEST else f"{reason[: _LONGEST - 1]}…"
    at = wording.clock(decision.time_us / US_PER_S)
    actor = tr(COMPONENTS.get(decision.actor, str(decision.actor)))
    return at, actor, decision.subject, wording.one_line(headline(decision)), short
