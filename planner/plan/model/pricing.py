"""What nodes and reserves cost."""

from enum import StrEnum

from planner.plan.values.fields import DurationUs, PlanModel, setting
from planner.units import US_PER_DAY, US_PER_H

_MONEY_PER_HOUR = "currency/h"


class Market(StrEnum):
    """How the nodes of a pool are bought."""

    ON_DEMAND = "onDemand"
    SPOT = "spot"


class BilledFrom(StrEnum):
    """When the bill of a node starts."""

    REQUEST = "request"
    READY = "ready"


class Pricing(PlanModel):
    """How the nodes of a pool are billed."""

    market: Market = setting(Market.ON_DEMAND, "Market", "spot: cheaper nodes that the cloud may reclaim.")
    spot_price_per_hour: float = setting(
        0.0, "Spot price", "Price of a spot node; 0 means the price of the pool.", unit=_MONEY_PER_HOUR, ge=0, le=10_000
    )
    reclaims_per_hour: float = setting(
        0.0, "Reclaims", "How often the cloud reclaims a spot node, per node and hour.", unit="1/h", ge=0, le=60
    )
    reclaim_notice: DurationUs = setting(
        "2m", "Reclaim notice", "Time between the warning and the end of a spot node.", unit="s", le=US_PER_H
    )
    reserved_nodes: int = setting(
        0, "Reserved nodes", "Nodes that are always paid for, used or not, at the reserved price.", unit="nodes",
        ge=0, le=15_000,
    )  # fmt: skip
    reserved_price_per_hour: float = setting(
        0.0, "Reserved price", "Price of a reserved node.", unit=_MONEY_PER_HOUR, ge=0, le=10_000
    )
    billed_from: BilledFrom = setting(BilledFrom.REQUEST, "Billed from", "request, or ready, which makes booting free.")
    granularity: DurationUs = setting(
        "1s", "Granularity", "Billed time is rounded up to this.", unit="s", ge=1_000, le=US_PER_DAY
    )
    minimum: DurationUs = setting("1m", "Minimum", "Minimum billed time of a node.", unit="s", le=US_PER_DAY)


class CostSettings(PlanModel):
    """Currency, budget, and the value of unused resources."""

    currency: str = setting(
        "USD",
        "Currency",
        "Code or sign of the currency of all prices in the plan, such as EUR or €.",
        min_length=1,
        max_length=8,
        pattern=r"^[^\s\d\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff=+@,;<>&\"'\\-]+$",
    )
    budget_per_month: float = setting(
        0.0,
        "Budget",
        "What the nodes may cost in a month of 730 hours; 0 means no budget.",
        unit="currency",
        ge=0,
        le=1e12,
    )
    core_price_per_hour: float = setting(
        0.033174,
        "Worth of a core",
        "Price at which an unused core counts as waste.",
        unit=_MONEY_PER_HOUR,
        ge=0,
        le=1e6,
    )
    gib_price_per_hour: float = setting(
        0.004446,
        "Worth of a GiB",
        "Price at which an unused GiB of memory counts as waste.",
        unit=_MONEY_PER_HOUR,
        ge=0,
        le=1e6,
    )
