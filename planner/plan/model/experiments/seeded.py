"""What experiments of every kind have."""

from planner.plan.model.experiments.variants import Title
from planner.plan.values.fields import PlanModel, required, setting

MOST_SEEDS = 100_000


class AnyExperiment(PlanModel):
    """What experiments of every kind have. Seeds count up from the plan's own."""

    name: Title = required("Name", "What the experiment is called.")
    seeds: int = setting(20, "Seeds", "Runs of each variant.", ge=1, le=MOST_SEEDS)
    confidence: float = setting(95.0, "Confidence", "Of the intervals.", unit="%", ge=50, le=99.99)
    figures: tuple[str, ...] = setting(
        (), "Figures", "Key figures to look at; empty: all, and for the half-width cost and SLOs.", max_length=1_000
    )


class SeededExperiment(AnyExperiment):
    """An experiment whose number of runs may follow from how exact its figures have to be."""

    seeds: int = setting(
        20, "Seeds", "Runs of each variant; with a half-width, the most that are made.", ge=1, le=MOST_SEEDS
    )
    half_width: float | None = setting(
        None,
        "Half-width",
        "Runs are added until the confidence intervals of the figures reach this far to either side, in percent of "
        "the mean.",
        unit="%",
        gt=0,
        le=1000,
    )
