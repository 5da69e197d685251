"""Search: the cheapest plan of a space that keeps its SLOs."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from planner.plan.model.experiments.seeded import AnyExperiment
from planner.plan.model.experiments.vary import RANGES, RangeText
from planner.plan.values.constraint_text import parse_constraint
from planner.plan.values.fields import required, setting


def _constraint(text: str) -> str:
    parse_constraint(text)
    return text


ConstraintText = Annotated[str, AfterValidator(_constraint), Field(min_length=1, max_length=1_000)]
"""`figure>=bound@share` or `figure<=bound@share`."""


class SearchSampling(StrEnum):
    """Which plans of a large space are tried."""

    LATIN_HYPERCUBE = "latinHypercube"
    """Spread evenly, before anything is known."""
    OPTUNA = "optuna"
    """Proposed one after the other near those that were good: fewer are needed for many numbers and choices."""


class Search(AnyExperiment):
    """The cheapest plan of a space that keeps the SLOs with a probability."""

    type: Literal["search"]
    seeds: int = setting(60, "Seeds", "Most runs of a plan; most plans get far fewer.", ge=2, le=10_000)
    over: tuple[RangeText, ...] = required("Over", RANGES, min_length=1, max_length=100)
    minimise: str = setting("cost", "Minimise", "The figure that is to be as low as possible.", min_length=1)
    subject_to: tuple[ConstraintText, ...] = setting(
        (),
        "Subject to",
        "Bounds of figures, one a line: figure>=bound@share or figure<=bound@share, where share is the share of runs "
        "that keep it (0.95 if left out); empty: every SLO is met all the time in 95 % of runs.",
        max_length=100,
    )
    indifference: float = setting(
        1.0, "Indifference", "Smaller differences from the best do not matter.", unit="%", ge=0, le=100
    )
    points: int = setting(
        1_000, "Number of points", "Plans that are tried at most; a space that has more is sampled.", ge=2, le=1_000_000
    )
    sampling: SearchSampling = setting(
        SearchSampling.LATIN_HYPERCUBE,
        "Sampling",
        "Of a space that has more plans: spread evenly, or proposed near the good ones by Optuna, which has to be "
        "installed (headroom[optuna]).",
    )
