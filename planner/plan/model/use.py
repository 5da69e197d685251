"""Actual use of pods besides the work of requests: CPU and memory over time, growing memory, disk space."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.plan.model.traffic import LoadProfile, check_depth
from planner.plan.values.fields import DurationUs, MemoryBytes, PlanModel, setting


class TraceKind(StrEnum):
    """The quantity of a workload that was recorded."""

    LOAD = "load"
    """Requests per second."""
    CPU = "cpu"
    """Cores that each pod used."""
    MEMORY = "memory"
    """Bytes of working set of each pod."""


class UseOverTime(PlanModel):
    """Use of each running pod over time; profiles give cores and bytes instead of requests per second."""

    cpu: LoadProfile | None = setting(
        None,
        "CPU",
        "Cores per pod over time, in addition to its constant use and the work of its requests.",
        unit="cores",
    )
    memory: LoadProfile | None = setting(
        None, "Memory", "Working set per pod over time in bytes, instead of the memory use at start.", unit="bytes"
    )

    @model_validator(mode="after")
    def _not_too_deep(self) -> Self:
        check_depth(self.cpu, "cpu")
        check_depth(self.memory, "memory")
        return self


class MemoryUse(PlanModel):
    """Working set of a pod: its start value, its growth until the container restarts, and what requests add."""

    start: MemoryBytes | None = setting(
        None, "At start", "Working set of a fresh pod; empty means 80 % of its request, or 100Mi.", unit="bytes"
    )
    growth_per_hour: MemoryBytes = setting(0, "Growth", "What a leak adds per hour.", unit="bytes/h")
    growth_from: DurationUs = setting("0s", "Grows from", "Time of the run at which growth begins.", unit="s")
    spread: float = setting(
        0.0, "Spread", "Standard deviation between pods divided by the mean (log-normal).", ge=0, le=3
    )
    per_in_flight_request: MemoryBytes = setting(
        0, "Per request", "What each request adds while it is in flight.", unit="bytes"
    )
    active_file: MemoryBytes = setting(
        0,
        "Page cache",
        "Files kept in memory: they count as used up to the limit but never cause a kill.",
        unit="bytes",
    )


class DiskUse(PlanModel):
    """A pod's use of scratch space: its start value and its growth until the pod is gone."""

    start: MemoryBytes = setting(0, "At start", "Scratch space of a fresh pod.", unit="bytes")
    growth_per_hour: MemoryBytes = setting(0, "Growth", "What logs and files add per hour.", unit="bytes/h")
    growth_from: DurationUs = setting("0s", "Grows from", "Time of the run at which growth begins.", unit="s")
