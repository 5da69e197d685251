"""Load of a workload: profile over simulated time, noise, what a request costs, and the objective.

Rates are requests per second, or units of whatever else a profile gives, such as cores or bytes; times are counted
from the start of the run.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner import units
from planner.language.translation import tr
from planner.plan.values.fields import DurationUs, Misfit, PlanModel, required, setting

MAX_RATE = 1e9
"""Most requests per second of a load."""
MAX_VALUE = 1e15
"""Most that a profile may give of anything."""
MAX_FACTOR = 1e6
MAX_POINTS = 100_000
MAX_PARTS = 64
MAX_DEPTH = 8
_PER_SECOND = "requests/s"


class ConstantLoad(PlanModel):
    """The same rate all the time."""

    type: Literal["constant"]
    rate: float = required("Rate", "Requests per second.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)


class StepLoad(PlanModel):
    """One rate before a moment, another from that moment on."""

    type: Literal["step"]
    from_rate: float = required("From", "Rate before the step.", unit=_PER_SECOND, ge=0, le=MAX_VALUE, alias="from")
    to_rate: float = required("To", "Rate from the step on.", unit=_PER_SECOND, ge=0, le=MAX_VALUE, alias="to")
    at: DurationUs = required("At", "Time of the step.", unit="s")


class RampLoad(PlanModel):
    """A straight line from one rate to another."""

    type: Literal["ramp"]
    from_rate: float = required("From", "Rate before the ramp.", unit=_PER_SECOND, ge=0, le=MAX_VALUE, alias="from")
    to_rate: float = required("To", "Rate after the ramp.", unit=_PER_SECOND, ge=0, le=MAX_VALUE, alias="to")
    start: DurationUs = required("Start", "Time at which the rate begins to change.", unit="s")
    duration: DurationUs = required("Duration", "Length of the ramp; 0 makes it a step.", unit="s")


class DiurnalLoad(PlanModel):
    """A daily wave: mean + amplitude * cos(2 pi (t - phase) / period), never below 0."""

    type: Literal["diurnal"]
    mean: float = required("Mean", "Mean rate of a weekday.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    amplitude: float = required("Amplitude", "Peak minus mean.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    period: DurationUs = setting(units.US_PER_DAY, "Period", "Length of one wave.", unit="s", ge=units.US_PER_S)
    phase: DurationUs = setting(0, "Peak time", "Time of the first peak.", unit="s")
    weekend_factor: float = setting(
        1.0, "Weekend factor", "Factor on days 6 and 7 of each week; the run starts on day 1 at 0:00.",
        ge=0, le=MAX_FACTOR,
    )  # fmt: skip
    weekday_factors: tuple[Annotated[float, Field(ge=0, le=MAX_FACTOR)], ...] = setting(
        (), "Weekday factors", "Seven factors, one for each day of the week from day 1 on; instead of the weekend "
        "factor.", max_length=7,
    )  # fmt: skip
    holiday_factor: float | None = setting(
        None, "Holiday factor", "Factor on the holidays of the simulation, in place of that of the day of the week; "
        "empty means that they are days like any other.", ge=0, le=MAX_FACTOR,
    )  # fmt: skip

    @model_validator(mode="after")
    def _whole_week(self) -> Self:
        count = len(self.weekday_factors)
        if count not in (0, 7):
            problem = tr("there are {count} factors for 7 days", count=count)
            raise Misfit(("weekday_factors",), problem, tr("give seven, or none"))
        if count and self.weekend_factor != 1.0:
            problem = tr("the weekday factors replace the weekend factor")
            raise Misfit(("weekend_factor",), problem, tr("remove one of them"))
        return self


class SineLoad(PlanModel):
    """A wave: mean + amplitude * sin(2 pi (t - phase) / period), never below 0."""

    type: Literal["sine"]
    mean: float = required("Mean", "Mean rate.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    amplitude: float = required("Amplitude", "Peak minus mean.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    period: DurationUs = required("Period", "Length of one wave.", unit="s", ge=units.US_PER_S)
    phase: DurationUs = setting(0, "Phase", "Time at which the wave first rises through its mean.", unit="s")


class SpikeLoad(PlanModel):
    """A flash crowd: base, linear rise to the peak, hold, linear decay to the base."""

    type: Literal["spike"]
    base: float = required("Base", "Rate before and after.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    peak: float = required("Peak", "Rate at the peak.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    start: DurationUs = required("Start", "Time at which the rise begins.", unit="s")
    rise: DurationUs = setting(0, "Rise", "Time from base to peak.", unit="s")
    hold: DurationUs = required("Hold", "Time at the peak.", unit="s")
    decay: DurationUs = setting(0, "Decay", "Time from peak to base.", unit="s")


class LoadPoint(PlanModel):
    """One corner of a points profile."""

    at: DurationUs = required("At", "Time of the point.", unit="s")
    rate: float = required("Rate", "Rate at that time.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)


def _check_order(points: tuple[LoadPoint, ...]) -> None:
    for index, (before, after) in enumerate(zip(points, points[1:], strict=False)):
        if after.at <= before.at:
            earlier, later = units.format_duration(before.at), units.format_duration(after.at)
            problem = tr("the point at {later} follows the one at {earlier}", later=later, earlier=earlier)
            raise Misfit(("points", index + 1, "at"), problem, tr("put the points in order of time, each time once"))


class PointsLoad(PlanModel):
    """Given points; before the first and after the last the rate is constant."""

    type: Literal["points"]
    points: tuple[LoadPoint, ...] = required(
        "Points", "Times and rates, in order of time.", min_length=1, max_length=MAX_POINTS
    )
    interpolation: Literal["linear", "step"] = setting(
        "linear", "Between points", "Straight lines, or each rate until the next point."
    )

    @model_validator(mode="after")
    def _times_increase(self) -> Self:
        _check_order(self.points)
        return self


class TraceLoad(PlanModel):
    """A recorded load, read from a file by `headroom trace`; it begins with the rate of its first point."""

    type: Literal["trace"]
    source: str = setting("", "Source", "File that the trace was read from.", max_length=500)
    points: tuple[LoadPoint, ...] = required(
        "Points",
        "Times since the start of the trace, and rates, in order of time.",
        min_length=1,
        max_length=MAX_POINTS,
    )
    interpolation: Literal["linear", "step"] = setting(
        "linear", "Between points", "Straight lines, or each rate until the next point."
    )
    scale: float = setting(1.0, "Scale", "Multiplier of the rates.", ge=0, le=MAX_FACTOR)
    skip: DurationUs = setting(0, "Skip", "The run starts this long after the start of the trace.", unit="s")
    shift: DurationUs = setting(0, "Shift", "The trace starts this long after the start of the run.", unit="s")
    at_end: Literal["hold", "repeat"] = setting(
        "hold",
        "At its end",
        "hold: the last rate continues; repeat: the trace starts again one step after its last point.",
    )

    @model_validator(mode="after")
    def _times_increase(self) -> Self:
        _check_order(self.points)
        if self.skip and self.shift:
            raise Misfit(("shift",), tr("a trace is skipped into or shifted, not both"), tr("remove one of them"))
        if self.at_end == "repeat" and len(self.points) == 1:
            raise Misfit(("at_end",), tr("one point has no length to repeat"), tr("use hold, or give more points"))
        return self

    @property
    def length_us(self) -> int:
        """From its first point to where a repetition starts: the last point and one more step like the last."""
        times = [point.at for point in self.points[-2:]]
        return 2 * times[-1] - times[0] - self.points[0].at


class SumLoad(PlanModel):
    """Several profiles added."""

    type: Literal["sum"]
    profiles: tuple["LoadProfile", ...] = required("Profiles", "The parts.", min_length=1, max_length=MAX_PARTS)


class ScaleLoad(PlanModel):
    """A profile multiplied by a factor."""

    type: Literal["scale"]
    profile: "LoadProfile" = required("Profile", "What is scaled.")
    factor: float = required("Factor", "Multiplier of the rate.", ge=0, le=MAX_FACTOR)


class ClipLoad(PlanModel):
    """A profile kept between two rates."""

    type: Literal["clip"]
    profile: "LoadProfile" = required("Profile", "What is clipped.")
    min: float = setting(0.0, "Minimum", "Never below this.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)
    max: float = setting(MAX_VALUE, "Maximum", "Never above this.", unit=_PER_SECOND, ge=0, le=MAX_VALUE)

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        if self.min > self.max:
            problem = tr("the minimum ({least:g}) is above the maximum ({most:g})", least=self.min, most=self.max)
            raise Misfit(("min",), problem, tr("lower it to {most:g} or raise the maximum", most=self.max))
        return self


LoadProfile = Annotated[
    ConstantLoad
    | StepLoad
    | RampLoad
    | SineLoad
    | DiurnalLoad
    | SpikeLoad
    | PointsLoad
    | TraceLoad
    | SumLoad
    | ScaleLoad
    | ClipLoad,
    Field(discriminator="type"),
]
"""Requests per second as a function of simulated time."""

SumLoad.model_rebuild()
ScaleLoad.model_rebuild()
ClipLoad.model_rebuild()


class Noise(PlanModel):
    """Multiplicative log-normal noise of mean 1 on top of the profile."""

    cv: float = setting(0.0, "Variation", "Standard deviation divided by the mean; 0 means no noise.", ge=0, le=10)
    correlation_time: DurationUs = setting(
        60 * units.US_PER_S, "Correlation time", "Time after which the correlation has dropped to 1/e.", unit="s"
    )


def _depth(profile: LoadProfile) -> int:
    if isinstance(profile, SumLoad):
        return 1 + max(_depth(part) for part in profile.profiles)
    if isinstance(profile, ScaleLoad | ClipLoad):
        return 1 + _depth(profile.profile)
    return 1


def check_depth(profile: LoadProfile | None, field: str) -> None:
    """Raises Misfit at `field` if profiles are nested too deep."""
    if profile is not None and _depth(profile) > MAX_DEPTH:
        problem = tr("the profiles are nested more than {most} deep", most=MAX_DEPTH)
        raise Misfit((field,), problem, tr("put the parts of nested sums into one sum"))


class Clients(PlanModel):
    """Closed clients: each waits for a response, thinks, and sends its next request."""

    think_time: DurationUs = required(
        "Think time", "From a response to the next request of the same client; 0s for a load generator.", unit="s"
    )


class Traffic(PlanModel):
    """The load that reaches a workload."""

    profile: LoadProfile = required(
        "Profile", "Requests per second over time; with closed clients their number over time."
    )
    clients: Clients | None = setting(
        None,
        "Closed clients",
        "The load comes from so many users or connections as the profile says, each with one request at a time; empty "
        "means that requests come whether or not earlier ones are done.",
    )
    noise: Noise = setting(Noise(), "Noise", "Random deviation from the profile.")
    arrival_cv: float = setting(
        1.0, "Variability of arrivals", "Standard deviation of the time between requests over its mean: 1 for many "
        "independent clients, 0 for evenly spaced requests.", ge=0, le=20,
    )  # fmt: skip

    @model_validator(mode="after")
    def _not_too_deep(self) -> Self:
        check_depth(self.profile, "profile")
        return self


class Slo(PlanModel):
    """The service level objective of a workload."""

    percentile: Literal[50, 90, 95, 99] = setting(
        95, "Percentile", "Percentile of latency to which the target applies."
    )
    target: DurationUs = required("Target", "Largest latency allowed at that percentile.", unit="s")
    end_to_end_target: DurationUs | None = setting(
        None, "Target with calls", "Largest latency allowed at that percentile, including the calls it waits for; "
        "empty means that it is not checked.", unit="s",
    )  # fmt: skip
    max_error_ratio: float = setting(
        0.01, "Error ratio", "Share of requests that may be rejected or time out.", ge=0, le=1
    )
