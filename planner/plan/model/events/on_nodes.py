"""Events that happen to nodes: losses, reclaims, and what an operator does to them."""

from typing import Literal

from planner.plan.model.events.event_fields import MAX_COUNT, duration_field, pool_field
from planner.plan.model.events.times import Timed
from planner.plan.model.node_groups import Taint
from planner.plan.values.fields import DurationUs, Name, required, setting


class OnNodes(Timed):
    """Something that happens to nodes of a pool."""

    node_group: Name = pool_field("Pool whose nodes are affected.")
    count: int = setting(1, "Nodes", "Maximum number of nodes, if none are named.", unit="nodes", ge=1, le=MAX_COUNT)
    nodes: tuple[Name, ...] = setting(
        (), "Named nodes", "Names of nodes, for example pool-0002; nodes that do not exist at that time are ignored.",
        max_length=1_000,
    )  # fmt: skip


class NodeLoss(OnNodes):
    """Randomly chosen nodes die at once: their pods stop serving, and the control plane notices later."""

    type: Literal["nodeLoss"]
    duration: DurationUs = duration_field("0s", "Time until they are back; 0 means never.")
    node_removed_after: DurationUs = setting(
        "5m", "Node removed after", "The cloud deletes the Node object after this; 0 means never.", unit="s"
    )


class ZoneOutage(Timed):
    """All nodes of a zone die at once and come back together."""

    type: Literal["zoneOutage"]
    zone: str = required("Zone", "Zone of the node pools that are hit.", min_length=1, max_length=63)
    duration: DurationUs = duration_field("30m", "Time until the zone is back; 0 means never.")


class SpotReclaim(OnNodes):
    """The cloud reclaims randomly chosen nodes after a warning; the pool requests replacements."""

    type: Literal["spotReclaim"]
    notice: DurationUs = setting("2m", "Notice", "Time between the warning and the end of the node.", unit="s")
    drain: bool = setting(True, "Drain", "A termination handler drains the node when it is warned.")


class DrainNodes(OnNodes):
    """kubectl drain: cordon nodes and evict their pods, the oldest nodes first, all at the same time."""

    type: Literal["drain"]
    timeout: DurationUs = setting("0s", "Time-out", "The drain gives up after this; 0 means never.", unit="s")
    uncordon_after: DurationUs = setting(
        "0s", "Uncordon after", "Nodes accept pods again this long after their drain; 0 means never.", unit="s"
    )
    force: bool = setting(
        False, "Force", "Evicts pods without a controller too, which are lost; otherwise such a pod stops the drain of "
        "its node.",
    )  # fmt: skip


class CordonNodes(OnNodes):
    """kubectl cordon: the oldest nodes take no new pods."""

    type: Literal["cordon"]
    duration: DurationUs = duration_field("0s", "Time until they are uncordoned; 0 means never.")


class AnnotateScaleDown(OnNodes):
    """kubectl annotate: the autoscaler leaves the oldest nodes of a pool where they are, or may remove them again."""

    type: Literal["scaleDownDisabled"]
    disabled: bool = setting(
        True, "Scale-down disabled", "Sets the annotation scale-down-disabled; otherwise takes it off."
    )
    duration: DurationUs = duration_field("0s", "Time until the nodes are as before; 0 means never.")


class TaintNodes(OnNodes):
    """The oldest nodes of a pool get a taint; NoExecute evicts pods that do not tolerate it."""

    type: Literal["taint"]
    taint: Taint = required("Taint", "The taint that is added.")
    duration: DurationUs = duration_field("0s", "Time until it is removed; 0 means never.")


class NodeUpgrade(Timed):
    """Replaces all nodes of a pool: new nodes join first, then the old ones are drained and deleted in turn."""

    type: Literal["nodeUpgrade"]
    node_group: Name = pool_field("Pool that is upgraded.")
    max_surge: int = setting(1, "Surge", "Extra nodes; a new node joins before an old one is removed.", ge=0, le=1_000)
    max_unavailable: int = setting(0, "Unavailable", "Nodes that may be missing.", ge=0, le=1_000)
    drain_timeout: DurationUs = setting(
        "1h", "Drain time-out", "A node is deleted with its pods after this; 0 means never.", unit="s"
    )


class NodeClassChange(Timed):
    """A new image or another change of the node class of a Karpenter pool: its nodes have drifted, and Karpenter
    replaces them as the pool's budgets allow.
    """

    type: Literal["nodeClassChange"]
    node_group: Name = pool_field("Pool of Karpenter whose nodes have drifted.")
