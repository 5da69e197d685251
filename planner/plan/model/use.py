"""CPU and memory that pods use over time whatever their load, for agents and imported data."""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.plan.model.traffic import LoadProfile, check_depth
from planner.plan.values.fields import PlanModel, setting


class TraceKind(StrEnum):
    """What a recording tells of a workload."""

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
