"""Hard topology spread in the autoscaler's imagined cluster (spec/scheduler.md section 7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.spread_constraints import Spread, compile_spreads
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Mask = NDArray[np.bool_]
NO_DOMAIN = 2_147_483_647
_PROFILE = SchedulerProfile()


def hard_spreads(spec: PodSpec) -> tuple[Spread, ...]:
    """The DoNotSchedule constraints of a template; defaults only give points."""
    return compile_spreads(spec, _PROFILE).hard if spec.spread_constraints else ()


def spread_counts(spread: Spread, spec: PodSpec) -> bool:
    """Whether pods of a template are counted by the constraint; an empty selector counts none."""
    return spread.matcher is not None and not spread.matcher.is_empty and spread.matcher.matches(spec)


class SpreadDomains:
    """Pods per domain of one constraint over the positions of a snapshot."""

    def __init__(self, spread: Spread, values: Sequence[str | None], counted: Mask) -> None:
        self.spread = spread
        self._names: dict[str, int] = {}
        numbers = [-1 if value is None else self._names.setdefault(value, len(self._names)) for value in values]
        self._values = np.array(numbers, dtype=np.int64)
        self._counted = counted & (self._values >= 0)
        self._dropped = np.zeros(len(self._counted), dtype=np.bool_)
        # The last entry stands for nodes without the label.
        self._pods = np.zeros(len(self._names) + 1, dtype=np.int64)
        self._exists = np.zeros(len(self._names) + 1, dtype=np.bool_)
        self._exists[self._values[self._counted]] = True

    def passes(self) -> Mask:
        """Positions where one more pod keeps within the skew."""
        present = self._pods[self._exists]
        least = NO_DOMAIN if not len(present) else int(present.min())
        if 0 < len(present) < self.spread.min_domains:
            least = 0
        most = self.spread.max_skew - self.spread.own_match + least
        return (self._values >= 0) & (self._pods[self._values] <= most)

    def change(self, position: int, count: int) -> None:
        """Pods that match came to a position, or left it."""
        if self._counted[position]:
            self._pods[self._values[position]] += count

    def drop(self, position: int) -> None:
        """A node is gone; with its last node the domain is."""
        self._dropped[position] = True
        self._exists[self._values[position]] = bool(
            (self._counted & ~self._dropped & (self._values == self._values[position])).any()
        )

    def by_name(self) -> dict[str, int]:
        """Matching pods of every domain that exists."""
        return {name: int(self._pods[at]) for name, at in self._names.items() if self._exists[at]}


class SpreadTrack:
    """One constraint while new nodes of one template are added to the cluster."""

    def __init__(self, spread: Spread, domains: Mapping[str, int], value: str | None) -> None:
        self._spread = spread
        self._per_node = spread.key == HOSTNAME_LABEL
        self._value = value
        self._old = list(domains.values()) if self._per_node else [n for at, n in domains.items() if at != value]
        self._shared = domains.get(value, 0) if value is not None else 0
        self._new: list[int] = []

    @property
    def is_hostname(self) -> bool:
        """Every node is a domain of its own."""
        return self._per_node

    @property
    def lacks_label(self) -> bool:
        """New nodes do not carry the topology label at all."""
        return not self._per_node and self._value is None

    def add_nodes(self, count: int) -> None:
        """Nodes of the template join, empty."""
        self._new += [0] * count

    def put(self, node: int, count: int) -> None:
        """Pods that match came to the new node with this number."""
        self._new[node] += count
        self._shared += count

    def fits(self, node: int) -> bool:
        """Whether one more pod on a new node keeps within the skew."""
        if self.lacks_label:
            return False
        domains = self._old + (self._new if self._per_node else [self._shared])
        least = 0 if len(domains) < self._spread.min_domains else min(domains)
        here = self._new[node] if self._per_node else self._shared
        return here + self._spread.own_match - least <= self._spread.max_skew


@dataclass(slots=True)
class SpreadTracks:
    """All constraints of one estimate; numbers are places in `tracks`."""

    tracks: list[SpreadTrack] = field(default_factory=list)
    own: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By pod template: constraints it has to keep."""
    counted: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By pod template: constraints that count its pods."""


def spread_tracks(
    specs: Sequence[PodSpec], labels: Mapping[str, str], domains_of: Callable[[PodSpec], Sequence[SpreadDomains]]
) -> SpreadTracks:
    """The hard constraints of pod templates when nodes with these labels are added."""
    found = SpreadTracks()
    for spec in specs:
        first = len(found.tracks)
        for domains in domains_of(spec):
            for other in specs:
                if spread_counts(domains.spread, other):
                    found.counted[other.index] = (*found.counted.get(other.index, ()), len(found.tracks))
            found.tracks.append(SpreadTrack(domains.spread, domains.by_name(), labels.get(domains.spread.key)))
        if len(found.tracks) > first:
            found.own[spec.index] = tuple(range(first, len(found.tracks)))
    return found
