"""The cloud's instances as the autoscaler knows them, from a list that may be two minutes old."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

REFRESH_US = 120 * US_PER_S
_LEAD_US = US_PER_S // 2
"""The list is refreshed half a second before the full two minutes (docs/rules/cluster-autoscaler.md)."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """One group's instances at one moment, in order of request."""

    rows: NDArray[np.int64]
    failed: tuple[int, ...]
    """Those that the cloud could not create."""


class InstanceCache:
    """Instances per group, refreshed from the cloud every two minutes or on demand."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._known: dict[int, tuple[int, Listing]] = {}

    def invalidate(self, group: int) -> None:
        """The next read refreshes the list from the cloud."""
        self._known.pop(group, None)

    def listing(self, group: int, now_us: int) -> Listing:
        """The group's instances as far as known now."""
        known = self._known.get(group)
        refreshed_us = (now_us + _LEAD_US) // REFRESH_US * REFRESH_US - _LEAD_US
        if known is not None and known[0] >= refreshed_us:
            return known[1]
        at_us = now_us if known is None else refreshed_us
        listing = self._read(group, at_us)
        self._known[group] = (at_us, listing)
        return listing

    @staticmethod
    def reads_now(now_us: int) -> bool:
        """Whether the list is read at this very moment, rather than as it was at an earlier one."""
        return (now_us + _LEAD_US) % REFRESH_US == 0

    def _read(self, group: int, at_us: int) -> Listing:
        """What the cloud listed at that moment; nothing for a group that the autoscaler does not know."""
        nodes = self._cluster.nodes
        if self._cluster.groups.foreign[group]:
            return Listing(np.zeros(0, dtype=np.int64), ())
        if at_us == self._cluster.clock.now_us:
            rows = np.fromiter(self._cluster.group_nodes[group], dtype=np.int64)
        else:
            listed = (nodes.group == group) & (nodes.requested_us <= at_us)
            listed &= (nodes.removed_us == NONE) | (nodes.removed_us > at_us)
            rows = np.flatnonzero(listed)
        failed_us = nodes.failed_us[rows]
        return Listing(rows, tuple(rows[(failed_us != NONE) & (failed_us <= at_us)].tolist()))
