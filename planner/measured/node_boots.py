"""How long nodes take: from the request of a pool until they register, and from there until they are Ready.

A node registers at `kube_node_created` (kube-state-metrics 2.x). It becomes Ready between the last sample of its
condition that denies it and the first one that says so. Which request a node answers is not recorded: requests, which
show as growth of the pool's target size, are answered in their order.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.measured.binning import Cleaned
from planner.measured.measured_cluster import Course, Seconds
from planner.measured.quantities import Quantity

_SEEN_FROM_START = 2
"""Distances of samples between registration and the first sample: with more, the beginning was missed."""
_LONGEST_LAUNCH_S = 3600.0
"""A request that no node answers in this time has failed."""


class _Ready(NamedTuple):
    """When the condition of a node was sampled first, and between which times it became Ready."""

    first_s: float
    before_s: float
    at_s: float


class NodeBoots:
    """Takes in what is known of single nodes, and gives the times of each pool."""

    def __init__(self) -> None:
        self._created: dict[str, float] = {}
        self._ready: dict[str, _Ready] = {}
        self._known: dict[Quantity, dict[str, list[float]]] = {}

    def note_lengths(self, quantity: Quantity, pool: str, clean: Cleaned) -> None:
        """Times of single nodes of a pool, which are known as such."""
        self._known.setdefault(quantity, {}).setdefault(pool, []).extend(clean.values.tolist())

    def note_created(self, node: str, clean: Cleaned) -> None:
        """The node registered at the time that the series has as its value."""
        if node and len(clean.values):
            self._created[node] = float(clean.values.min())

    def note_ready(self, node: str, clean: Cleaned) -> None:
        """Samples of the node's condition Ready, 1 while it holds."""
        held = np.flatnonzero(clean.values >= 0.5)
        if not len(held):
            return
        first = int(held[0])
        at, before = clean.times_s[first], clean.times_s[first - 1] if first else -np.inf
        self._ready[node] = _Ready(float(clean.times_s[0]), float(before), float(at))

    def boots(self, pool_of: Callable[[str], str], step_s: float) -> dict[str, Seconds]:
        """Per pool, seconds from registration to Ready of each node that was seen to boot, to half a step."""
        found = self._copy(Quantity.NODE_BOOT)
        for node, ready in self._ready.items():
            created, pool = self._created.get(node), pool_of(node)
            if pool and created is not None and 0 <= ready.first_s - created <= _SEEN_FROM_START * step_s:
                begun = max(created, ready.before_s, ready.at_s - step_s)
                found.setdefault(pool, []).append((begun + ready.at_s) / 2 - created)
        return _ordered(found)

    def launches(
        self, pool_of: Callable[[str], str], wanted: Mapping[str, Course], start_s: int, step_s: int
    ) -> dict[str, Seconds]:
        """Per pool with a target size, seconds from the request to the registration of each node, to half a step."""
        created: dict[str, list[float]] = {}
        for node, time_s in self._created.items():
            created.setdefault(pool_of(node), []).append(time_s)
        found = self._copy(Quantity.NODE_LAUNCH)
        for pool, course in wanted.items():
            requested = start_s + step_s * (growth_steps(course) + 0.5)
            found.setdefault(pool, []).extend(answered(requested, np.sort(created.get(pool, []))))
        return _ordered(found)

    def _copy(self, quantity: Quantity) -> dict[str, list[float]]:
        return {pool: [*lengths] for pool, lengths in self._known.get(quantity, {}).items()}


def growth_steps(course: Course) -> NDArray[np.float64]:
    """The step of each request: as often as the target size of the pool grew in it."""
    known = np.flatnonzero(np.isfinite(course))
    growth = np.maximum(np.diff(np.round(course[known].astype(np.float64))), 0).astype(np.int64)
    return np.repeat(known[1:], growth).astype(np.float64)


def answered(requested_s: NDArray[np.float64], created_s: NDArray[np.float64]) -> list[float]:
    """From each request to its node: the oldest request that still waits is answered first."""
    found: list[float] = []
    waiting = 0
    for time_s in created_s.tolist():
        while waiting < len(requested_s) and time_s - requested_s[waiting] > _LONGEST_LAUNCH_S:
            waiting += 1
        if waiting < len(requested_s) and requested_s[waiting] <= time_s:
            found.append(float(time_s - requested_s[waiting]))
            waiting += 1
    return found


def _ordered(found: Mapping[str, list[float]]) -> dict[str, Seconds]:
    return {pool: np.array(sorted(lengths)) for pool, lengths in sorted(found.items()) if lengths}
