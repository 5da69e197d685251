"""When events of a plan happen."""

from typing import Self

from pydantic import model_validator

from planner.errors import problem_and_remedy
from planner.language.translation import tr
from planner.plan.values.cron import parse_cron
from planner.plan.values.fields import DurationUs, Misfit, PlanModel, setting
from planner.plan.values.zoned_cron import zone_named


class Timed(PlanModel):
    """Once at a time, at random moments, or by a calendar."""

    at: DurationUs = setting("0s", "At", "Time of the run at which it happens.", unit="s")
    per_hour: float = setting(
        0.0,
        "Per hour",
        "Mean number per hour, at random moments from that time on; 0 means once at that time.",
        unit="1/h",
        ge=0,
        le=3_600,
    )
    schedule: str = setting(
        "", "Schedule", "Cron line of its moments from that time on: minute hour day month weekday; empty means none.",
        max_length=200,
    )  # fmt: skip
    time_zone: str = setting("UTC", "Time zone", "Zone of the schedule, for example Europe/Berlin.", max_length=63)

    @model_validator(mode="after")
    def _schedule_is_cron(self) -> Self:
        if self.schedule and self.per_hour:
            problem = tr("an event happens at random moments or by a schedule, not both")
            raise Misfit(("schedule",), problem, tr("remove perHour or the schedule"))
        check_schedule(self.schedule, self.time_zone, "schedule", "time_zone")
        return self


def check_schedule(schedule: str, zone: str, schedule_field: str, zone_field: str) -> None:
    """Raises Misfit at the field whose text is no cron line, or names no time zone; an empty line is none."""
    for field, text, read in ((schedule_field, schedule, parse_cron), (zone_field, zone, zone_named)):
        try:
            if text or field == zone_field:
                read(text)
        except ValueError as error:
            problem, remedy = problem_and_remedy(str(error))
            raise Misfit((field,), problem, remedy) from None
