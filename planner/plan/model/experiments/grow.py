"""Grow: the plan under a load that grows from month to month."""

from typing import Literal

from planner.plan.model.experiments.seeded import AnyExperiment
from planner.plan.model.experiments.variants import Title
from planner.plan.values.fields import PlanModel, required, setting


class GrowthEvent(PlanModel):
    """A launch or a sale: some months with another load."""

    name: Title = required("Name", "What happens.")
    month: int = required("Month", "The first month of it; 1 is the first month of the experiment.", ge=1, le=240)
    months: int = setting(1, "Months", "How many months it lasts.", unit="months", ge=1, le=240)
    factor: float = required("Factor", "Multiplies the load in these months.", gt=0, le=1_000)


class RepresentativeDay(PlanModel):
    """A kind of day that is simulated for every month."""

    name: Title = required("Name", "Such as weekday, weekend or sale day.")
    per_month: float = required("Per month", "How many such days a month has.", unit="days", gt=0, le=31)
    factor: float = setting(1.0, "Factor", "Multiplies the load on such days.", gt=0, le=1_000)


class Grow(AnyExperiment):
    """The load grows by month: when does what break, and what does it cost until then?"""

    type: Literal["grow"]
    seeds: int = setting(3, "Seeds", "Runs of each day of each month.", ge=1, le=1_000)
    months: int = setting(12, "Months", "How far to look ahead.", unit="months", ge=1, le=240)
    rate: float = setting(5.0, "Rate", "Growth of the load from month to month.", unit="%", gt=-100, le=1_000)
    trend_of: str = setting(
        "", "Trend of", "A workload whose recorded load gives the rate, and the busiest day of the week, instead."
    )
    growth_events: tuple[GrowthEvent, ...] = setting((), "Events", "Launches, sales and the like.", max_length=100)
    days: tuple[RepresentativeDay, ...] = setting(
        (), "Days", "Kinds of days; empty: all days are like the plan's run.", max_length=31
    )
