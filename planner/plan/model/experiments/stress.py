"""Stress: the plan under faults and loads that it was not made for."""

from enum import StrEnum
from typing import Literal

from planner.plan.model.experiments.seeded import AnyExperiment
from planner.plan.model.experiments.variants import Variant
from planner.plan.values.fields import DurationUs, setting


class Ordeal(StrEnum):
    """A fault or load that a plan is put under, if it has what the ordeal is about."""

    ZONE_LOST = "zoneLost"
    """Each zone in turn is lost when the load is highest."""
    SPOT_RECLAIMED = "spotReclaimed"
    """The cloud reclaims all spot nodes when the load is highest."""
    DOUBLE_LOAD = "doubleLoad"
    SLOW_IMAGE_PULL = "slowImagePull"
    """Every pod starts two minutes later."""
    METRICS_OUTAGE = "metricsOutage"
    """No metrics for half an hour around the highest load."""
    SLOW_BOOT = "slowBoot"
    """New nodes take three times as long."""
    OUT_OF_STOCK = "outOfStock"
    """Each pool in turn gets no new nodes."""


class Stress(AnyExperiment):
    """The plan and its variants under faults and loads: what breaks first, and which variant holds?"""

    type: Literal["stress"]
    seeds: int = setting(3, "Seeds", "Runs of each variant under each fault or load.", ge=1, le=1_000)
    variants: tuple[str, ...] = setting((), "Variants", "Tested beside the plan; empty: all of them.", max_length=1_000)
    ordeals: tuple[Ordeal, ...] = setting(
        (), "Ordeals", "Faults and loads of the list; empty: all that the plan has something for.", max_length=100
    )
    own_ordeals: tuple[Variant, ...] = setting(
        (), "Own ordeals", "More faults and loads, each as changes to the plan.", max_length=100
    )
    at: DurationUs | None = setting(
        None, "At", "When faults happen; empty: when the load of the plan is highest.", unit="s"
    )
