"""Memory profiles in columns, an entry a pod template. Rollouts bring templates; those that are there stay.

Amounts are bytes; those of single containers have a row for each place of a container in the pod.
"""

from collections.abc import Callable

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
        self.growth_from_us: Ints = np.zeros(0, np.int64)
        self.pod_limit: Ints = np.zeros(0, np.int64)
        self.has_pod_limits = False
        self.share: Floats = np.zeros((1, 0))
        self.limit: Ints = np.full((1, 0), UNLIMITED, np.int64)

    def update(self) -> bool:
        """Take in templates that have come; whether there were any."""
        specs, known = self._cluster.pod_specs, len(self.profiles)
        if len(specs) == known:
            return False
        self.profiles += [self._profile_of(spec) for spec in specs[known:]]
        profiles = self.profiles
        self.start = np.array([one.start for one in profiles], np.float64)
        self.cache = np.array([one.active_file for one in profiles], np.float64)
        self.growth = np.array([one.growth_per_hour for one in profiles], np.float64)
        self.growth_from_us = np.array([one.growth_from_us for one in profiles], np.int64)
        self.pod_limit = np.array([UNLIMITED if one.limit is None else one.limit for one in profiles], np.int64)
        self.has_pod_limits = bool((self.pod_limit != UNLIMITED).any())
        self._read_containers()
        return True

    @property
    def width(self) -> int:
        """Most containers of a pod."""
        return len(self.share)

    def _read_containers(self) -> None:
        width, count = max(len(one.containers) for one in self.profiles), len(self.profiles)
        self.share, self.limit = np.zeros((width, count)), np.full((width, count), UNLIMITED, np.int64)
        for template, profile in enumerate(self.profiles):
            for place, one in enumerate(profile.containers):
                self.share[place, template] = one.share
                self.limit[place, template] = UNLIMITED if one.limit is None else one.limit
