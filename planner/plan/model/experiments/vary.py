"""Vary: what the figures do when numbers of the plan change."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from planner.plan.model.experiments.seeded import AnyExperiment
from planner.plan.values.fields import required, setting
from planner.plan.values.range_text import parse_range


def _range(text: str) -> str:
    parse_range(text)
    return text


RangeText = Annotated[str, AfterValidator(_range), Field(min_length=1, max_length=1_000_000)]
"""`path = low..high:step`, `path = low..high` or `path = a, b, c`."""
RANGES = (
    "Numbers of the plan and their values, one a line: path = low..high:step, path = low..high, or path = a, b, c; "
    "load multiplies all traffic, load[shop] that of one workload; machine[general] = m5.* machines of the catalogue."
)


class SpaceSampling(StrEnum):
    """Which points of the space are run."""

    GRID = "grid"
    """All combinations; of a range without a step five values."""
    LATIN_HYPERCUBE = "latinHypercube"
    SOBOL = "sobol"
    """Points of low discrepancy; their number is rounded up to a power of two."""


class Vary(AnyExperiment):
    """Numbers of the plan take values from a space: how do the figures respond, and to which number most?"""

    type: Literal["vary"]
    seeds: int = setting(5, "Seeds", "Runs of each point.", ge=1, le=10_000)
    over: tuple[RangeText, ...] = required("Over", RANGES, min_length=1, max_length=100)
    sampling: SpaceSampling = setting(SpaceSampling.GRID, "Points", "All combinations, or a sample of the space.")
    points: int = setting(64, "Number of points", "Of a sample of the space.", ge=2, le=1_000_000)
    sensitivity: bool = setting(
        False,
        "Sensitivity",
        "Tells which number matters: Morris screening of all, Sobol indices of the five that matter most, and a "
        "tornado chart.",
    )
    trajectories: int = setting(8, "Trajectories", "Of the screening.", ge=2, le=1_000)
    base_samples: int = setting(
        32, "Base samples", "Of the Sobol indices; each takes a run for every number and two more.", ge=4, le=65_536
    )
