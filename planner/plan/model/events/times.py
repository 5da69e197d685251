"""When events of a plan happen."""

from collections.abc import Callable
from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.errors import problem_and_remedy
from planner.language.translation import tr
from planner.plan.values.cron import parse_cron
from planner.plan.values.fields import DurationUs, Misfit, PlanModel, setting
from planner.plan.values.zoned_cron import zone_named


class OnHolidays(StrEnum):
    """What a schedule does on the holidays of the plan."""

    AS_USUAL = "asUsual"
    SKIP = "skip"
    """It is not due."""
    ONLY = "only"
    """It is due on no other day."""

    def applies(self, is_holiday: bool) -> bool:
        """Whether the schedule is due on such a day."""
        return self is OnHolidays.AS_USUAL or is_holiday is (self is OnHolidays.ONLY)


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

    on_holidays: OnHolidays = setting(
        OnHolidays.AS_USUAL,
        "On holidays",
        "skip: the schedule is not due on the holidays of the simulation; only: it is due on no other day.",
    )

    @model_validator(mode="after")
    def _schedule_is_cron(self) -> Self:
        if self.schedule and self.per_hour:
            problem = tr("an event happens at random moments or by a schedule, not both")
            raise Misfit(("schedule",), problem, tr("remove perHour or the schedule"))
        check_schedule(self.schedule, self.time_zone, "schedule", "time_zone")
        if self.on_holidays is not OnHolidays.AS_USUAL and not self.schedule:
            problem = tr("holidays matter to a schedule only")
            remedy = tr('give a schedule such as "0 8 * * 1-5", or remove onHolidays')
            raise Misfit(("on_holidays",), problem, remedy)
        return self


def check_holidays(dates: tuple[str, ...], field: str) -> None:
    """Raises Misfit at the text that is no date, or that was given before."""
    for at, text in enumerate(dates):
        try:
            date.fromisoformat(text)
        except ValueError:
            problem = tr("{text!r} is not a date", text=text)
            raise Misfit((field, at), problem, tr("write for example 2026-12-25")) from None
        if text in dates[:at]:
            raise Misfit((field, at), tr("{text} is given twice", text=text), tr("remove one of them"))


def check_schedule(
    schedule: str, zone: str, schedule_field: str, zone_field: str, parse: Callable[[str], object] = parse_cron
) -> None:
    """Raises Misfit at the field that `parse` refuses, or that names no time zone; an empty line is none."""
    for field, text, read in ((schedule_field, schedule, parse), (zone_field, zone, zone_named)):
        try:
            if text or field == zone_field:
                read(text)
        except ValueError as error:
            problem, remedy = problem_and_remedy(str(error))
            raise Misfit((field,), problem, remedy) from None
