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


class NoScaleUp(NamedTuple):
    """No node group could grow for a pod."""

    refused: Mapping[str, int]
    """Groups by reason; a group may have several."""


class GroupProblem(NamedTuple):
    """A request for nodes went wrong, or none may be made."""

    event: ScaleUpEvent
    nodes: int | None = None
    """How many it was about; None where it is about no number of nodes."""
    cloud: str = ""
    """What the cloud answered."""


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


class NodeRemoval(NamedTuple):
    """A node is on its way out, or gone."""

    is_drain: bool
    """Its pods are evicted first; otherwise it is empty."""
    unneeded_s: float | None = None
    """For how long it was unneeded when its removal began."""


class RemovalFailed(NamedTuple):
    """A node stays after all."""

    reason: str


NodeGroupDetails = ScaleUp | NoScaleUp | GroupProblem | NodeReview | NodeRemoval | RemovalFailed
