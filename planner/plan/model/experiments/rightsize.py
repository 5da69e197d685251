"""Rightsize: what the pods of a workload should request."""

from enum import StrEnum
from typing import Literal

from planner.plan.model.experiments.seeded import MOST_SEEDS, SeededExperiment
from planner.plan.values.fields import setting


class UseSource(StrEnum):
    """Where the use comes from that sizes follow."""

    SIMULATED = "simulated"
    MEASURED = "measured"


class Rightsize(SeededExperiment):
    """Requests by what pods use: what do they do to replicas, nodes, latency and cost?"""

    type: Literal["rightsize"]
    seeds: int = setting(5, "Seeds", "Runs of each size; with a half-width, the most.", ge=1, le=MOST_SEEDS)
    workload: str = setting("", "Workload", "The workload to size; empty: all of them.", max_length=253)
    use: UseSource = setting(
        UseSource.SIMULATED, "Use", "simulated: of a run of the plan; measured: of the series that were brought in."
    )
