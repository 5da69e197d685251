"""When events of a plan happen, and until when those of two plans are the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import count, zip_longest
from typing import NamedTuple

from planner.engine.draws import Draws, PurposeDraws, key_of, key_within
from planner.plan.model.events.on_workloads import CreateWorkload, Rollout
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.values.cron import parse_cron
from planner.plan.values.zoned_cron import day_of, due_between, zone_named
from planner.units import US_PER_H

_KNOWN_FROM_THE_START = (CreateWorkload, Rollout)
"""What a run prepares for when it begins: what is not there yet, and the resources that later pods request."""


class Occurrence(NamedTuple):
    """One occurrence of an event."""

    at_us: int
    number: int
    """Of the event in the plan."""
    occurrence: int
    """How often it has happened before."""


class RunCalendar(NamedTuple):
    """The start of a run on the calendar, since 1970, and the holidays that schedules heed."""

    starts_us: int = 0
    holidays: frozenset[date] = frozenset()

    @classmethod
    def of(cls, settings: SimulationSettings) -> "RunCalendar":
        """That of a plan."""
        return cls(settings.starts_at, frozenset(map(date.fromisoformat, settings.holidays)))


FROM_1970 = RunCalendar()


def moments_of(planned: Sequence[PlanEvent], until_us: int, calendar: RunCalendar, draws: Draws) -> list[Occurrence]:
    """All occurrences, event by event."""
    gaps, keys = draws.of("events/gap"), event_keys(planned)
    return [
        Occurrence(at_us, number, occurrence)
        for number, event in enumerate(planned)
        for occurrence, at_us in enumerate(occurrences_us(event, until_us, gaps, keys[number], calendar))
    ]


def moments_of_plan(plan: Plan, seed: int) -> list[Occurrence]:
    """Those of the events of a plan."""
    return moments_of(plan.events, plan.simulation.duration, RunCalendar.of(plan.simulation), Draws(seed))


def alike_until_us(a: Plan, b: Plan, seed: int) -> int:
    """The moment of the first event that only one of two plans has, which are equal but for their events.

    0 where a run prepares for such an event when it begins. Without any, the moment is behind the end of both plans.
    """
    different = [event for event in (*a.events, *b.events) if (event in a.events) != (event in b.events)]
    if any(isinstance(event, _KNOWN_FROM_THE_START) for event in different):
        return 0
    of_a, of_b = _in_time(a, seed), _in_time(b, seed)
    for one, other in zip_longest(of_a, of_b):
        if one != other:
            return min(each[0].at_us for each in (one, other) if each is not None)
    return max(a.simulation.duration, b.simulation.duration) + 1


def _in_time(plan: Plan, seed: int) -> list[tuple[Occurrence, PlanEvent, int]]:
    keys = event_keys(plan.events)
    moments = sorted(moments_of_plan(plan, seed), key=lambda one: one.at_us)
    return [(one, plan.events[one.number], keys[one.number]) for one in moments]


def event_keys(planned: Sequence[PlanEvent]) -> list[int]:
    """What draws of events are keyed by: kind, subject, and place among the events alike in both."""
    seen: Counter[tuple[str, str]] = Counter()
    keys = []
    for event in planned:
        alike = (event.type, subject_of(event))
        keys.append(key_within(key_of(*alike), seen[alike]))
        seen[alike] += 1
    return keys


def occurrences_us(
    event: PlanEvent, until_us: int, draws: PurposeDraws, key: int, calendar: RunCalendar = FROM_1970
) -> Iterator[int]:
    """When an event happens: once at its time, or from then on by a calendar or at the moments of a Poisson process."""
    if event.schedule:
        yield from _by_schedule(event, until_us, calendar)
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


def _by_schedule(event: PlanEvent, until_us: int, calendar: RunCalendar) -> Iterator[int]:
    zone, starts_us = zone_named(event.time_zone), calendar.starts_us
    for due_us in due_between(parse_cron(event.schedule), zone, starts_us + event.at - 1, starts_us + until_us):
        if event.on_holidays.applies(day_of(due_us, zone) in calendar.holidays):
            yield due_us - starts_us


def subject_of(event: PlanEvent) -> str:
    """Name of what an event is about."""
    if isinstance(event, PlanChangeEvent):
        return "plan"
    for field in ("node_group", "workload", "zone", "controller"):
        name = getattr(event, field, None)
        if name is not None:
            return str(name)
    return "metrics"
