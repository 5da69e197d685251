"""Memory profiles in columns, an entry a pod template. Rollouts bring templates; those that are there stay.

Amounts are bytes; those of single containers have a row for each place of a container in the pod.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.nodes.kubelet.memory_profile import MemoryProfile
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNLIMITED = (1 << 62) - 1


class MemoryColumns:
    """The profiles of all templates of a cluster, as of the latest `update`."""

    def __init__(self, cluster: Cluster, profile_of: Callable[[PodSpec], MemoryProfile]) -> None:
        self._cluster, self._profile_of = cluster, profile_of
        self.profiles: list[MemoryProfile] = []
        self.start, self.cache, self.growth = np.zeros((3, 0))
        self.some_cache = self.some_grow = False
        """Whether pods of any template have page cache, or grow."""
        self.growth_from_us: Ints = np.zeros(0, np.int64)
        self.pod_limit: Ints = np.zeros(0, np.int64)
        self.has_pod_limits = False
        self.share: Floats = np.zeros((1, 0))
        self.limit: Ints = np.full((1, 0), UNLIMITED, np.int64)

    def update(self) -> None:
        """Take in templates that have come."""
        specs, known = self._cluster.pod_specs, len(self.profiles)
        if len(specs) == known:
            return
        new = [self._profile_of(spec) for spec in specs[known:]]
        self.profiles += new
        self.start = np.append(self.start, [float(one.start) for one in new])
        self.cache = np.append(self.cache, [float(one.active_file) for one in new])
        self.growth = np.append(self.growth, [float(one.growth_per_hour) for one in new])
        self.some_cache, self.some_grow = bool(self.cache.any()), bool(self.growth.any())
        self.growth_from_us = np.append(self.growth_from_us, [one.growth_from_us for one in new])
        self.pod_limit = np.append(self.pod_limit, [_limit(one.limit) for one in new])
        self.has_pod_limits = bool((self.pod_limit != UNLIMITED).any())
        self._read_containers(new)

    @property
    def width(self) -> int:
        """Most containers of a pod."""
        return len(self.share)

    def _read_containers(self, new: Sequence[MemoryProfile]) -> None:
        known, count = self.share.shape[1], len(self.profiles)
        width = max(self.width, *(len(one.containers) for one in new))
        share, limit = np.zeros((width, count)), np.full((width, count), UNLIMITED, np.int64)
        share[: self.width, :known], limit[: self.width, :known] = self.share, self.limit
        for template, profile in enumerate(new, known):
            for place, one in enumerate(profile.containers):
                share[place, template], limit[place, template] = one.share, _limit(one.limit)
        self.share, self.limit = share, limit


def _limit(given: int | None) -> int:
    return UNLIMITED if given is None else given
