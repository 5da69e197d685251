"""Which nodes scale-down considers, in which order, and how many of them it simulates."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.autoscaler.scaledown.utilization import Utilization

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CandidateFacts:
    """What the cheap checks need, by node."""

    is_candidate: Mask
    """In a managed group whose target is above its minimum, started, not in deletion."""
    recently_unremovable: Mask
    being_deleted: Mask
    """Carries a deletion taint younger than five minutes."""
    scale_down_disabled: Mask
    """Annotated with scale-down-disabled."""
    is_ready: Mask
    utilization: NDArray[np.float64]
    threshold: NDArray[np.float64]
    """Highest utilization allowed (GPU nodes and node groups may have their own)."""


def candidate_verdicts(facts: CandidateFacts, *, unready_enabled: bool = True) -> NDArray[np.int8]:
    """A `NodeVerdict` by node; the first check that hits decides.

    SIMULATE marks what is left. Utilization equal to the threshold is allowed.
    Source: Cluster Autoscaler 1.36.1, core/scaledown/eligibility/eligibility.go.
    """
    hits = [
        (~facts.is_candidate, NodeVerdict.NOT_CANDIDATE),
        (facts.recently_unremovable, NodeVerdict.RECENTLY_UNREMOVABLE),
        (facts.being_deleted, NodeVerdict.CURRENTLY_BEING_DELETED),
        (facts.scale_down_disabled, NodeVerdict.SCALE_DOWN_DISABLED_ANNOTATION),
        (~facts.is_ready & (not unready_enabled), NodeVerdict.SCALE_DOWN_UNREADY_DISABLED),
        (facts.utilization > facts.threshold, NodeVerdict.NOT_UNDERUTILIZED),
    ]
    verdicts = np.full(len(facts.is_candidate), NodeVerdict.SIMULATE, dtype=np.int8)
    for condition, code in reversed(hits):
        np.putmask(verdicts, condition, code.value)
    return verdicts


class Emptiness(IntEnum):
    """What a candidate has; the emptier are simulated first."""

    EMPTY = 0
    WAITS = 1
    """Pods that stay until they are done, and none that moves."""
    FILLED = 2
    """Pods that move, or one that keeps the node."""


def candidate_order(nodes: NDArray[np.int64], filled: NDArray[np.int64], was_unneeded: Mask) -> NDArray[np.int64]:
    """Nodes in the order of simulation: by `Emptiness`, then those unneeded in the last loop before the rest.

    Source: Cluster Autoscaler 1.36.1, processors/scaledowncandidates.
    """
    return nodes[np.lexsort((~was_unneeded, filled))]


def simulation_limit(unneeded: int, parallelism: int, unneeded_time_us: int, smallest_interval_us: int) -> int:
    """After how many removable nodes the simulation of a loop stops.

    `unneeded` is the number of nodes unneeded so far. More than can be deleted within one unneeded
    time need not be known (Cluster Autoscaler 1.36.1, core/scaledown/planner).
    """
    loops = max(unneeded_time_us, smallest_interval_us) // smallest_interval_us
    return min(unneeded + 2 * parallelism, parallelism * loops + parallelism)


class UnremovableNodes:
    """Nodes found unremovable by simulation, left alone until the recheck timeout is over."""

    def __init__(self, recheck_us: int) -> None:
        self._recheck_us = recheck_us
        self._until_us: dict[int, int] = {}

    def add(self, node: int, now_us: int) -> None:
        """Leave the node alone from now on."""
        self._until_us[node] = now_us + self._recheck_us

    def until_us(self) -> Iterable[int]:
        """The ends of the timeouts."""
        return self._until_us.values()

    def recent_mask(self, nodes: NDArray[np.int64], now_us: int) -> Mask:
        """Which of the nodes are left alone."""
        recent = [node for node, until_us in self._until_us.items() if until_us > now_us]
        if not recent:
            return np.zeros(len(nodes), dtype=np.bool_)
        return np.isin(nodes, recent)

    def forget_expired(self, now_us: int) -> None:
        """Drop what no longer matters; done at the start of every loop."""
        self._until_us = {node: until_us for node, until_us in self._until_us.items() if until_us > now_us}


@dataclass(slots=True)
class ScaleDownView:
    """What a loop found out about the real nodes of its snapshot, by position."""

    verdicts: NDArray[np.int8]
    utilization: Utilization
    thresholds: NDArray[np.float64]
    """Highest utilization at which each node is looked at."""
    blocked: dict[int, tuple[int, BlockingReason]] = field(default_factory=dict)
    """The pod that keeps the node, and why, by node row."""
    wait_us: dict[int, int] = field(default_factory=dict)
    """How long each unneeded node has to stay so, by node row."""
