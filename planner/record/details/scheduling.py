"""Details of the scheduler's decisions."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_NONE: Mapping[str, int] = MappingProxyType({})


class ScoredNode(NamedTuple):
    """A feasible node with its weighted points by plugin, in the order of `Placement.plugins`."""

    node: str
    points: tuple[int, ...]

    @property
    def total(self) -> int:
        """What nodes are compared by."""
        return sum(self.points)


class Placement(NamedTuple):
    """A pod was bound to the target of its decision."""

    feasible: int
    """Nodes that passed all filters, of those that were searched."""
    plugins: tuple[str, ...] = ()
    """Plugins that gave points."""
    points: tuple[int, ...] | None = None
    """Weighted points of the node taken, by plugin; None where nothing was scored (a single feasible node)."""
    tied: int = 1
    """Nodes with as many points as the one taken, itself included."""
    others: tuple[ScoredNode, ...] = ()
    """The best nodes besides the one taken, best first; recorded for some placements only."""

    @property
    def score(self) -> int | None:
        """The points of the node taken in all; None where nothing was scored."""
        return None if self.points is None else sum(self.points)


class Unschedulable(NamedTuple):
    """No node passed the filters, and what preemption found instead."""

    nodes: int
    """Nodes of the cluster at the time."""
    refused: Mapping[str, int]
    """Nodes by reason; a node may have several."""
    not_helped: Mapping[str, int] = _NONE
    """Nodes where preemption would not help, by reason; empty where it helps or was not tried."""
    no_preemption: str = ""
    """Why the pod may not preempt at all; empty if it may."""


class PreemptionCandidate(NamedTuple):
    """A node on which preemption would help, with what such nodes are compared by, in that order."""

    node: str
    victims: tuple[str, ...]
    """Pods that would have to go, the most important first; some may be going already."""
    violations: int
    """Victims that a disruption budget protects."""
    highest_priority: int
    """Of the victims."""
    priority_sum: int
    earliest_start_s: int
    """When the first of the victims with that priority started, in seconds since the run began."""


class Nomination(NamedTuple):
    """Room is being made for a pod on the target of its decision."""

    chosen: PreemptionCandidate
    candidates: int
    """Nodes on which preemption would have helped, the chosen one included."""
    tied: int = 1
    """How many of them no rule distinguishes from the chosen one, itself included."""
    others: tuple[PreemptionCandidate, ...] = ()
    """The best of the other candidates, best first."""
    budgets: tuple[str, ...] = ()
    """Disruption budgets that the preemption violates."""


class Preempted(NamedTuple):
    """A pod had to make room on the target of its decision."""

    preemptor: str
    preemptor_priority: int
    priority: int
    """Of the pod that goes."""
    budget: str = ""
    """A disruption budget that protects the pod, in vain."""


class SchedulingError(NamedTuple):
    """The attempt ended with an error."""

    problem: str


SchedulingDetails = Placement | Unschedulable | Nomination | Preempted | SchedulingError
