"""Metrics besides CPU and memory that horizontal pod autoscalers follow: where their values come from."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from planner.plan.fields import DurationUs, Name, PlanModel, required, setting
from planner.plan.traffic import LoadProfile
from planner.units import US_PER_H, US_PER_S


class WorkloadMeasure(StrEnum):
    """What is measured of a workload's load."""

    REQUESTS_PER_SECOND = "requestsPerSecond"
    """Requests that arrive."""
    REQUESTS_IN_FLIGHT = "requestsInFlight"
    """Requests that wait or are worked on: the length of its queue."""


class WorkloadValue(PlanModel):
    """A measure of a workload's load, all its pods together."""

    type: Literal["workload"]
    workload: Name = required("Workload", "Workload whose load is measured.")
    measure: WorkloadMeasure = setting(
        WorkloadMeasure.REQUESTS_PER_SECOND, "Measure", "Requests a second, or the queue of requests in flight."
    )


class ProfileValue(PlanModel):
    """Values given over time, whatever the cluster does."""

    type: Literal["profile"]
    profile: LoadProfile = required("Profile", "Value over time, in units of the metric instead of requests a second.")


ValueSource = Annotated[WorkloadValue | ProfileValue, Field(discriminator="type")]
"""Where the values of a series come from."""


class MetricSeries(PlanModel):
    """A metric of the custom or external metrics API.

    Object and External metrics read its value; a Pods metric gives every ready pod an even share of it.
    """

    name: str = required(
        "Name", "What autoscalers call it.", min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.:/-]+$"
    )
    source: ValueSource = required("Source", "Where the values come from.")
    interval: DurationUs = setting(
        "15s", "Interval", "Distance of two readings, the first at the start.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    delay: DurationUs = setting(
        "0s", "Delay", "From a reading until an autoscaler sees it: scraping, queries, caches.", unit="s", le=US_PER_H
    )
