"""Hints on calendars: times that a change of clocks skips or doubles during the run."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.autoscalers.scaled_object import CronTrigger
from planner.plan.model.plan import Plan
from planner.plan.values.cron import parse_cron
from planner.plan.values.job_calendar import parse_job_calendar
from planner.plan.values.zoned_cron import ZonedCron, clock_changes, parse_zoned_fields, zone_named


def schedule_hints(plan: Plan) -> Iterator[Hint]:
    """Of events, Jobs and triggers, in the order of the file."""
    since_us = plan.simulation.starts_at
    until_us = since_us + plan.simulation.duration
    for where, line in _calendars(plan):
        for day, twice in clock_changes(line.schedule, line.zone, since_us, until_us):
            text = tr("Clocks change on {day}: one of its times happens twice.", day=day.isoformat())
            if not twice:
                text = tr("Clocks change on {day}: one of its times does not happen.", day=day.isoformat())
            yield Hint(where, text, tr("Choose a time outside the hours in which clocks change, or UTC."))


def _calendars(plan: Plan) -> Iterator[tuple[str, ZonedCron]]:
    """Place and line of each that is not in UTC."""
    for index, workload in enumerate(plan.workloads):
        cron = workload.job.cron
        if cron is not None and cron.time_zone != "UTC":
            calendar = parse_job_calendar(cron.schedule, cron.time_zone)
            if isinstance(calendar, ZonedCron):
                yield f"workloads[{index}].job.cron.schedule", calendar
    for index, event in enumerate(plan.events):
        if event.schedule and event.time_zone != "UTC":
            yield f"events[{index}].schedule", ZonedCron(parse_cron(event.schedule), zone_named(event.time_zone))
    for index, scaled in enumerate(plan.scaled_objects):
        for position, trigger in enumerate(scaled.triggers):
            if isinstance(trigger, CronTrigger):
                for key, text in (("start", trigger.start), ("end", trigger.end)):
                    line = parse_zoned_fields(text, trigger.timezone)
                    if line.zone.key != "UTC":
                        yield f"scaledObjects[{index}].triggers[{position}].{key}", line
