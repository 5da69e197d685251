"""Triggers the events of a plan: once at their time, or at random moments."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType

from planner.engine.draws import Draws, PurposeDraws, key_of, key_within
from planner.engine.phases import Phase
from planner.plan.model import faults
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import due_between, zone_named
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.work import PlanEventEffect
from planner.simulation.plan_events import (
    control_plane,
    maintenance,
    node_faults,
    provisioning_faults,
    workload_events,
)
from planner.simulation.plan_events.scene import EffectEnds, Effects, Reach, Scene
from planner.units import US_PER_H

EFFECTS: Effects = MappingProxyType(
    {
        **node_faults.EFFECTS,
        **provisioning_faults.EFFECTS,
        **maintenance.EFFECTS,
        **workload_events.EFFECTS,
        **control_plane.EFFECTS,
    }
)
"""Of all kinds of events."""


@dataclass(frozen=True, slots=True)
class PlanEventDue:
    """An event of the plan happens; its number in the plan, and how often it has happened before."""

    number: int
    occurrence: int


def event_keys(planned: Sequence[faults.PlanEvent]) -> list[int]:
    """What draws of events are keyed by: kind, subject, and place among the events alike in both."""
    seen: Counter[tuple[str, str]] = Counter()
    keys = []
    for event in planned:
        alike = (event.type, _subject(event))
        keys.append(key_within(key_of(*alike), seen[alike]))
        seen[alike] += 1
    return keys


def occurrences_us(
    event: faults.PlanEvent, until_us: int, draws: PurposeDraws, key: int, starts_us: int = 0
) -> Iterator[int]:
    """When an event happens: once at its time, or from then on by a calendar or at the moments of a Poisson process.

    `starts_us`: the start of the run on the calendar, since 1970.
    """
    if event.schedule:
        zone, since_us = zone_named(event.time_zone), starts_us + event.at - 1
        for due_us in due_between(parse_cron(event.schedule), zone, since_us, starts_us + until_us):
            yield due_us - starts_us
        return
    if event.per_hour <= 0:
        if event.at <= until_us:
            yield event.at
        return
    at_us: float = event.at
    for number in count():
        at_us += draws.exponential(key, number) * US_PER_H / event.per_hour
        if at_us > until_us:
            return
        yield round(at_us / 1000) * 1000


class PlanEvents:
    """The events of a run."""

    def __init__(
        self,
        planned: tuple[faults.PlanEvent, ...],
        reach: Reach,
        draws: Draws,
        decide: Callable[[Decision], None],
    ) -> None:
        self._planned, self._keys = planned, event_keys(planned)
        self._scene = Scene(reach, draws)
        self._decide = decide

    def start(self, until_us: int, starts_us: int) -> None:
        """Put all occurrences into the queue; `starts_us`: the start of the run on the calendar, since 1970."""
        gaps = self._scene.draws.of("events/gap")
        for number, event in enumerate(self._planned):
            moments = occurrences_us(event, until_us, gaps, self._keys[number], starts_us)
            for occurrence, at_us in enumerate(moments):
                self._scene.reach.events.push(at_us, Phase.PLAN_ACTIONS, PlanEventDue(number, occurrence))

    def on_due(self, due: PlanEventDue) -> None:
        """An event happens; what it hit is recorded."""
        event = self._planned[due.number]
        before, after = self._replicas(event) if isinstance(event, faults.SetReplicas) else (None, None)
        scene = replace(self._scene, key=key_within(self._keys[due.number], due.occurrence), number=due.number)
        hit = EFFECTS[type(event)](scene, event)
        missing = tuple(name for name in getattr(event, "nodes", ()) if name not in hit)
        details = PlanEventEffect(event.type, tuple(hit), missing, before, after)
        now_us, name = self._scene.reach.events.now_us, _subject(event)
        self._decide(Decision(now_us, Actor.PLAN_EVENT, Verdict.HAPPENED, name, details=details))

    def _replicas(self, event: faults.SetReplicas) -> tuple[int, int]:
        """Of the workload, before and after."""
        reach = self._scene.reach
        return int(reach.cluster.workloads.desired[reach.workload_rows[event.workload]]), event.replicas

    def on_ends(self, ends: EffectEnds) -> None:
        """Undo what an event did."""
        ends.end()


def _subject(event: faults.PlanEvent) -> str:
    """Name of what an event is about."""
    if isinstance(event, PlanChangeEvent):
        return "plan"
    for field in ("node_group", "workload", "zone", "controller"):
        name = getattr(event, field, None)
        if name is not None:
            return str(name)
    return "metrics"
