"""Sources of the metrics besides CPU and memory that horizontal pod autoscalers follow."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from planner.plan.model.traffic import LoadProfile, check_depth
from planner.plan.values.fields import DurationUs, Name, PlanModel, required, setting
from planner.units import US_PER_H, US_PER_S


class WorkloadMeasure(StrEnum):
    """What is measured of a workload's load."""

    REQUESTS_PER_SECOND = "requestsPerSecond"
    """Requests that arrive."""
    REQUESTS_IN_FLIGHT = "requestsInFlight"
    """Requests that wait or are worked on; of a queue all messages that are not done (the lag of Kafka)."""
    REQUESTS_WAITING = "requestsWaiting"
    """Requests that wait: the length of its queue."""
    OLDEST_MESSAGE_AGE = "oldestMessageAge"
    """Seconds since when the oldest message of its queue waits."""
    LATENCY_P50 = "latencyP50"
    """Percentiles of latency in seconds, those of its latest load step."""
    LATENCY_P95 = "latencyP95"
    LATENCY_P99 = "latencyP99"


LATENCIES = (WorkloadMeasure.LATENCY_P50, WorkloadMeasure.LATENCY_P95, WorkloadMeasure.LATENCY_P99)


class WorkloadValue(PlanModel):
    """A measure of a workload's load over all its pods; a latency is that of the mixture over them."""

    type: Literal["workload"]
    workload: Name = required("Workload", "Workload whose load is measured.")
    measure: WorkloadMeasure = setting(
        WorkloadMeasure.REQUESTS_PER_SECOND, "Measure",
        "Requests per second, requests in flight or waiting, a percentile of latency in seconds, or the age of the "
        "oldest message of its queue in seconds.",
    )  # fmt: skip


class ProfileValue(PlanModel):
    """Values over time, independent of the cluster."""

    type: Literal["profile"]
    profile: LoadProfile = required(
        "Profile", "Value over time, in units of the metric instead of requests per second."
    )

    @model_validator(mode="after")
    def _not_too_deep(self) -> Self:
        check_depth(self.profile, "profile")
        return self


ValueSource = Annotated[WorkloadValue | ProfileValue, Field(discriminator="type")]
"""Where the values of a series come from."""


class MetricSeries(PlanModel):
    """A metric of the custom or external metrics API.

    Object and External metrics read its value; a Pods metric gives every ready pod an even share of it, or the value
    itself where it is that of each pod: a latency, or if `per_pod` says so.
    """

    name: str = required(
        "Name", "Name by which autoscalers refer to it.", min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.:/-]+$"
    )
    source: ValueSource = required("Source", "Where the values come from.")
    interval: DurationUs = setting(
        "15s", "Interval", "Time between two readings, the first at the start.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    delay: DurationUs = setting(
        "0s", "Delay", "Time until an autoscaler sees a reading: scraping, queries, caches.", unit="s", le=US_PER_H
    )
    per_pod: bool = setting(
        False, "Per pod", "The value applies to each ready pod rather than to all of them together; for Pods metrics."
    )

    @property
    def is_of_each_pod(self) -> bool:
        """Whether pods do not share the value but have it each."""
        return self.per_pod or (isinstance(self.source, WorkloadValue) and self.source.measure in LATENCIES)
