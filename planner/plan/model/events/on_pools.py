"""Events that happen to the making of nodes, and to the limits of a pool."""

from enum import StrEnum
from typing import Literal

from planner.plan.model.events.event_fields import MAX_COUNT, duration_field, pool_field
from planner.plan.model.events.times import Timed
from planner.plan.values.fields import DurationUs, Name, required, setting


class StockOut(Timed):
    """The cloud has no more machines for a pool."""

    type: Literal["stockOut"]
    node_group: Name = pool_field("Pool that cannot grow.")
    duration: DurationUs = duration_field("30m", "Time until machines are available again.")
    available: int = setting(0, "Available", "Machines that are still available.", unit="nodes", ge=0, le=MAX_COUNT)


class SlowProvisioning(Timed):
    """New nodes of a pool take longer than usual, and some never appear."""

    type: Literal["slowProvisioning"]
    node_group: Name = pool_field("Pool whose new nodes are late.")
    duration: DurationUs = duration_field("30m", "Requests made during this time are affected.")
    factor: float = setting(2.0, "Factor", "Multiplies the provisioning delay.", ge=0.1, le=1_000)
    failure_ratio: float = setting(0.0, "Failures", "Share of new nodes that never register.", ge=0, le=1)


class FailureKind(StrEnum):
    """How a new node fails to be of use."""

    REFUSED = "refused"
    """The cloud has none: quota or stock-out."""
    NEVER_REGISTERS = "neverRegisters"
    """An instance that never becomes a node; given up after max-node-provision-time."""
    NEVER_READY = "neverReady"
    """A node that registers and stays not Ready."""
    RESOURCE_MISSING = "resourceMissing"
    """A Ready node whose extended resources never appear."""


class ProvisioningFailure(Timed):
    """A share of a pool's new nodes fails, for a while or until the end."""

    type: Literal["provisioningFailure"]
    node_group: Name = pool_field("Pool whose new nodes fail.")
    kind: FailureKind = required("Kind", "How they fail.")
    ratio: float = setting(1.0, "Share", "Probability that a new node fails this way.", gt=0, le=1)
    duration: DurationUs = duration_field(
        "0s", "Requests made during this time are affected; 0 means until the end of the run."
    )


class ResizePool(Timed):
    """The limits of a pool are changed, for example a scheduled minimum before a peak."""

    type: Literal["resizePool"]
    node_group: Name = pool_field("Pool whose limits are changed.")
    min_size: int = required("Minimum", "The new minimum.", unit="nodes", ge=0, le=MAX_COUNT)
    max_size: int = required("Maximum", "The new maximum.", unit="nodes", ge=0, le=MAX_COUNT)
