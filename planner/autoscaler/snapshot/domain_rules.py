"""Filters that depend on where other pods are: spread, affinity, anti-affinity, host ports.

The rules are those of the scheduler's plugins PodTopologySpread, InterPodAffinity and NodePorts (kube-scheduler 1.36);
here they apply to the positions of a snapshot, in which pods come and go.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.snapshot.domain_counts import NO_DOMAIN, DomainCounts, Mask, Topology
from planner.scheduler.reasons import Reason
from planner.scheduler.topology.spread_constraints import Spread
from planner.state.specs import HOSTNAME_LABEL

Copies = Mapping[int, Topology]
"""Copied topologies by identity of the original."""


class DomainRule(Protocol):
    """One filter of one pod template."""

    @property
    def counts(self) -> Sequence[DomainCounts]:
        """What it counts."""

    def passes(self) -> Mask:
        """Positions that take one more pod of the template."""

    def refusal(self, position: int) -> Reason | None:
        """Why one position does not; None if it does."""

    def grow(self, counted: Mask) -> None:
        """Positions were added; `counted`: those that count in a spread constraint of the template."""

    def copy(self, topologies: Copies) -> "DomainRule":
        """A copy over copied topologies."""


class SpreadRule:
    """A DoNotSchedule constraint."""

    def __init__(self, spread: Spread, counts: DomainCounts, nodes: NDArray[np.int64]) -> None:
        self.spread = spread
        self._counts = counts
        self._nodes = nodes
        """Positions that count, per domain: a domain exists while it has one."""

    @classmethod
    def over(cls, spread: Spread, counts: DomainCounts, dropped: Mask) -> "SpreadRule":
        """The constraint over all positions but the `dropped` ones."""
        assert counts.counted is not None
        nodes = np.zeros(counts.topology.size, dtype=np.int64)
        np.add.at(nodes, counts.topology.numbers[counts.counted & ~dropped], 1)
        return cls(spread, counts, nodes)

    @property
    def counts(self) -> Sequence[DomainCounts]:
        """Matching pods per domain."""
        return (self._counts,)

    def _most(self) -> int:
        """Pods a domain may hold and still take one more."""
        present = self._counts.pods[1:][self._nodes[1:] > 0]
        least = NO_DOMAIN if not len(present) else int(present.min())
        if 0 < len(present) < self.spread.min_domains:
            least = 0
        return self.spread.max_skew - self.spread.own_match + least

    def passes(self) -> Mask:
        """Positions with the key that keep within the skew."""
        numbers = self._counts.topology.numbers
        return (numbers > 0) & (self._counts.pods[numbers] <= self._most())

    def refusal(self, position: int) -> Reason | None:
        """No key, or too much skew."""
        number = self._counts.topology.numbers[position]
        if not number:
            return Reason.SPREAD_MISSING_LABEL
        return None if self._counts.pods[number] <= self._most() else Reason.SPREAD

    @property
    def is_hostname(self) -> bool:
        """Every node is its own domain."""
        return self.spread.key == HOSTNAME_LABEL

    def drop(self, position: int) -> None:
        """A node is gone; with its last node the domain is."""
        counted = self._counts.counted
        if counted is not None and counted[position]:
            self._nodes[self._counts.topology.numbers[position]] -= 1

    def grow(self, counted: Mask) -> None:
        """New nodes may bring new domains."""
        self._counts.grow(counted)
        missing = self._counts.topology.size - len(self._nodes)
        if missing:
            self._nodes = np.concatenate([self._nodes, np.zeros(missing, dtype=np.int64)])
        new: NDArray[np.int64] = self._counts.topology.numbers[-len(counted) :]
        np.add.at(self._nodes, new[counted], 1)

    def copy(self, topologies: Copies) -> "SpreadRule":
        """A copy over copied topologies."""
        return SpreadRule(self.spread, self._counts.copy(topologies[id(self._counts.topology)]), self._nodes.copy())


class NearRule:
    """Required affinity: every term's domain holds a pod that all terms choose, or the pod is the first of a series."""

    def __init__(self, counts: Sequence[DomainCounts], own_match: bool) -> None:
        self.counts = tuple(counts)
        self._own_match = own_match

    def passes(self) -> Mask:
        """Positions with all keys and company."""
        first = self._may_be_first()
        found: Mask = np.logical_and.reduce([each.topology.has if first else each.occupied() for each in self.counts])
        return found

    def refusal(self, position: int) -> Reason | None:
        """No pod that the terms choose is near."""
        if all(each.is_occupied(position) for each in self.counts):
            return None
        if self._may_be_first() and all(each.topology.numbers[position] for each in self.counts):
            return None
        return Reason.POD_AFFINITY

    def _may_be_first(self) -> bool:
        return self._own_match and not any(each.pods.any() for each in self.counts)

    def grow(self, counted: Mask) -> None:
        """New positions may bring new domains."""
        for each in self.counts:
            each.grow(counted)

    def copy(self, topologies: Copies) -> "NearRule":
        """A copy over copied topologies."""
        return NearRule([each.copy(topologies[id(each.topology)]) for each in self.counts], self._own_match)


class FarRule:
    """No domain that holds a chosen pod: own anti-affinity, that of others, host ports."""

    def __init__(self, counts: Sequence[DomainCounts], reason: Reason) -> None:
        self.counts = tuple(counts)
        self._reason = reason

    def passes(self) -> Mask:
        """Positions in no occupied domain."""
        occupied: Mask = np.logical_or.reduce([each.occupied() for each in self.counts])
        return ~occupied

    def refusal(self, position: int) -> Reason | None:
        """A chosen pod is in the domain."""
        return self._reason if any(each.is_occupied(position) for each in self.counts) else None

    def grow(self, counted: Mask) -> None:
        """New positions may bring new domains."""
        for each in self.counts:
            each.grow(counted)

    def copy(self, topologies: Copies) -> "FarRule":
        """A copy over copied topologies."""
        return FarRule([each.copy(topologies[id(each.topology)]) for each in self.counts], self._reason)
