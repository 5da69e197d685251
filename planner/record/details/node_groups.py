"""Details of the Cluster Autoscaler's decisions."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class ScaleUpEvent(StrEnum):
    """Events about requests for nodes, as the Cluster Autoscaler spells them."""

    TIMED_OUT = "ScaleUpTimedOut"
    FAILED = "ScaleUpFailed"
    FAILED_TO_REVERT = "FailedToRevertScaleUp"
    REFUSED = "FailedToScaleUpGroup"
    DELETE_UNREGISTERED = "DeleteUnregistered"
    MAX_NODES_TOTAL_REACHED = "MaxNodesTotalReached"
    CLUSTER_UNHEALTHY = "ClusterUnhealthy"


class ExpanderFigure(NamedTuple):
    """The number by which an expander judged an option (waste, price, pods, priority)."""

    expander: str
    value: float


class WeighedOption(NamedTuple):
    """One group that could have grown: by so many nodes, for so many pods."""

    group: str
    nodes: int
    pods: int
    figures: tuple[ExpanderFigure, ...] = ()
    """Of the expanders that looked at it, in the order of the chain; one that has no number is left out."""
    rank: int = 0
    """Its place among the options, from 1; 0 where that is not known."""
    price_per_hour: float | None = None
    """Of all its new nodes; None when the price of a node is unknown."""


class RejectedGroup(NamedTuple):
    """A group that was no option, and why."""

    group: str
    reason: str


class TieBreak(StrEnum):
    """How one of several options that all expanders left equal was taken."""

    DRAWN = "drawn"
    """At random."""
    NAME = "name"
    """The first by name."""


class ScaleUp(NamedTuple):
    """A node group grows."""

    added: int
    new_target: int
    pods: int = 0
    """Pods the new nodes are for."""
    expanders: tuple[str, ...] = ()
    """The chain that chose, in its order."""
    figures: tuple[ExpanderFigure, ...] = ()
    """Those of the option that was chosen."""
    options: tuple[WeighedOption, ...] = ()
    triggers: tuple[str, ...] = ()
    """The first few of the pods."""
    tied: tuple[str, ...] = ()
    """Groups that the expanders left equal, the chosen one included; empty when one was left."""
    tie_break: TieBreak | None = None
    rejected: tuple[RejectedGroup, ...] = ()


class NoScaleUp(NamedTuple):
    """No node group could grow for a pod."""

    refused: Mapping[str, int]
    """Groups by reason; a group may have several."""
    groups: tuple[RejectedGroup, ...] = ()
    """The reasons group by group."""


class Expendable(NamedTuple):
    """A pod that waits and is left out of scale-up because of its priority."""

    priority: int
    cutoff: int
    """Pods below it are expendable (`expendablePodsPriorityCutoff`)."""


class GroupProblem(NamedTuple):
    """A request for nodes went wrong, or none may be made."""

    event: ScaleUpEvent
    nodes: int | None = None
    """How many it was about; None where it is about no number of nodes."""
    cloud: str = ""
    """What the cloud answered."""
    in_backoff: bool | None = None
    """Whether the group is left alone after an instance of it was given up; None where none was."""


class NodeReview(NamedTuple):
    """What scale-down found about a node that stays, or that may go after a while."""

    utilization: float
    """Requested share of the node, by the resource of which most is requested."""
    threshold: float
    wait_s: float | None = None
    """How long the node has to be unneeded before it may go; None for one that is needed."""
    reason: str = ""
    """Why it stays, as the Cluster Autoscaler spells it."""
    pod: str = ""
    """The pod that keeps it there, if one does."""
    pod_reason: str = ""


class PodMove(NamedTuple):
    """A pod that has to leave its node, and the node on which the autoscaler found room for it."""

    pod: str
    to: str = ""
    """Empty when the place is not known."""


class NodeRemoval(NamedTuple):
    """A node is on its way out, or gone."""

    is_drain: bool
    """Its pods are evicted first; otherwise it is empty."""
    unneeded_s: float | None = None
    """For how long it was unneeded when its removal began."""
    moves: tuple[PodMove, ...] = ()
    """The pods that leave it."""


class RemovalFailed(NamedTuple):
    """A node stays after all."""

    reason: str


NodeGroupDetails = ScaleUp | NoScaleUp | Expendable | GroupProblem | NodeReview | NodeRemoval | RemovalFailed
