"""Karpenter: its pools, the machines it can buy, and its flags."""

from enum import StrEnum

from planner.plan.model.karpenter.machine_types import MachineType
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.values.fields import DurationUs, PlanModel, setting
from planner.units import US_PER_MIN


class PreferencePolicy(StrEnum):
    """What preferences of pods mean to Karpenter."""

    RESPECT = "Respect"
    """They count as rules until the pod does not fit."""
    IGNORE = "Ignore"


class MinValuesPolicy(StrEnum):
    """What happens where too few values are left for minValues."""

    STRICT = "Strict"
    BEST_EFFORT = "BestEffort"


class SpotAllocation(StrEnum):
    """Which spot machine the cloud gives, of those that a launch allows."""

    LOWEST_PRICE = "lowestPrice"
    PRICE_CAPACITY_OPTIMIZED = "priceCapacityOptimized"
    """A model: clouds do not publish how they weigh price against spare capacity."""


class KarpenterSettings(PlanModel):
    """Karpenter runs where a plan has node pools for it."""

    node_pools: tuple[NodePool, ...] = setting(
        (), "Karpenter node pools", "Pools whose nodes Karpenter launches and removes.", max_length=200
    )
    instance_types: tuple[MachineType, ...] = setting(
        (), "Machine types", "Types that the pools may choose from.", max_length=2_000
    )
    preference_policy: PreferencePolicy = setting(
        PreferencePolicy.RESPECT,
        "Preferences",
        "Respect: preferences of pods count as rules until the pod does not fit. Ignore: they do not count.",
    )
    min_values_policy: MinValuesPolicy = setting(
        MinValuesPolicy.STRICT,
        "Minimum values",
        "BestEffort: a new node may have fewer values than minValues asks for.",
    )
    batch_idle_duration: DurationUs = setting(
        "1s", "Batch idle time", "A round begins when no new pod has come for this long.", unit="s", ge=100_000,
        le=10 * US_PER_MIN,
    )  # fmt: skip
    batch_max_duration: DurationUs = setting(
        "10s", "Longest batch", "A round begins at the latest this long after its first pod.", unit="s", ge=100_000,
        le=10 * US_PER_MIN,
    )  # fmt: skip
    max_instance_types: int = setting(
        600, "Machine types of a launch", "The cheapest types are sent to the cloud; AWS takes 60.", ge=1, le=2_000
    )
    spot_allocation: SpotAllocation = setting(
        SpotAllocation.LOWEST_PRICE,
        "Spot allocation",
        "lowestPrice: the cheapest offering is bought. priceCapacityOptimized, a model of what clouds do not publish: "
        "the cheapest of the spot offerings with the highest capacity score.",
    )
    capacity_buffers: bool = setting(
        False,
        "Capacity buffers",
        "Keeps room free for reserves that are capacity buffers: the gate CapacityBuffer of the versions after 1.13.",
    )
    spot_to_spot_consolidation: bool = setting(
        False, "Spot-to-spot consolidation", "A spot node may be replaced by a cheaper spot node."
    )
