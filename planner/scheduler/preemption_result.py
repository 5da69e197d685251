"""What a search for a preemption looks at and finds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.pods.placement import LabelSelector

NOT_HELPFUL = "Preemption is not helpful for scheduling"
NO_VICTIMS = "No preemption victims found for incoming pod"
PRIORITY_OFFSET = 1 << 31
LEADING = 4
"""So many candidates are told from one another in the record: enough to see by which rule the best one won."""
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Budget:
    """A PodDisruptionBudget: how many more disruptions it allows now."""

    namespace: str
    selector: LabelSelector
    allowed: int
    disrupted: tuple[int, ...] = ()
    """Pods already counted as disrupted."""
    name: str = ""


@dataclass(frozen=True)
class Candidate:
    """A node with the pods that would have to go, the most important first."""

    node: int
    victims: tuple[int, ...]
    violated: Mapping[int, str] = field(default_factory=dict)
    """The disruption budget that each of the victims goes against; victims that may go are left out."""
    rank: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """What the rules compare one after the other; less is better."""

    @property
    def violations(self) -> int:
        """How many victims go against a budget."""
        return len(self.violated)

    @property
    def highest_priority(self) -> int:
        """Of the victims."""
        return self.rank[1]

    @property
    def priority_sum(self) -> int:
        """Of the victims' priorities."""
        return self.rank[2] - PRIORITY_OFFSET * len(self.victims)

    @property
    def earliest_start_s(self) -> int:
        """When the first of the victims with the highest priority started."""
        return -self.rank[4]


Trial = Candidate | tuple[str, ...]
"""A candidate, or why there is none."""


_NO_NODES: Ints = np.zeros(0, np.int64)


@dataclass
class Preemption:
    """What was tried and chosen."""

    eligible: bool = True
    message: str = ""
    potential: Ints = field(default_factory=lambda: _NO_NODES)
    """Nodes that could help, in the order of the search."""
    first: int = 0
    """The place of the one that is tried first; the others follow, round to the one before it."""
    lower: NDArray[np.bool_] = field(default_factory=lambda: _NO_NODES.astype(np.bool_))
    """By node row whether a node holds pods of lower priority."""
    tried: int = 0
    """So many of the nodes were looked at."""
    wanted: int = 0
    trials: Mapping[int, Trial] = field(default_factory=dict)
    """What was found by node, or had been before; to be read before anything changes."""
    helped: Sequence[int] = ()
    """Nodes that are candidates."""
    failed: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Why a trial failed, by node."""
    equals: Ints = field(default_factory=lambda: _NO_NODES)
    """The candidates that no rule distinguishes from the first of the leading ones."""
    leading: Sequence[int] = ()
    """`LEADING` of the candidates, the best first."""

    @property
    def in_turn(self) -> Ints:
        """The potential nodes in the order in which they are tried."""
        return np.concatenate((self.potential[self.first :], self.potential[: self.first]))

    def candidate(self, node: int) -> Candidate:
        """What was found on a node that helps."""
        found = self.trials[node]
        assert isinstance(found, Candidate)
        return found

    @property
    def rejected(self) -> dict[int, tuple[str, ...]]:
        """Why nodes that were looked at are no candidates, in that order."""
        nodes = self.in_turn[: self.tried]
        has_victims = zip(nodes.tolist(), self.lower[nodes].tolist(), strict=True)
        why = ((node, self.failed.get(node) if has else (NO_VICTIMS,)) for node, has in has_victims)
        return {node: reasons for node, reasons in why if reasons is not None}

    def refusals(self, nodes: int) -> dict[str, int]:
        """Of all `nodes`: how many could not be helped, per reason; empty if one could or the pod may not preempt."""
        if self.helped or not self.eligible:
            return {}
        counts: Counter[str] = Counter()
        rejected = Counter(self.rejected.values()) if self.failed else {(NO_VICTIMS,): self.tried}
        for reasons, number in rejected.items():
            counts.update(dict.fromkeys(reasons, number))
        unhelpful = nodes - len(self.potential)
        return {reason: count for reason, count in counts.items() if count} | (
            {NOT_HELPFUL: unhelpful} if unhelpful else {}
        )
