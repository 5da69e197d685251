"""Pods whose requests need more CPU than those of a warm, undisturbed pod: they have all their CPU, and more work."""

from dataclasses import replace

import numpy as np

from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.step.pod_groups import PodGroups

_ROUND_MILLI = 5
"""CPU limits and what nodes leave are multiples of it, as a rule."""


def slowed(groups: PodGroups, slower: Floats) -> PodGroups:
    """The same groups, each request `slower` times the work; in `groups` their CPU counts as so much less."""
    demands = replace(groups.demands, cpu_seconds=groups.demands.cpu_seconds * slower)

    def whole(milli: Ints) -> Ints:
        idle = np.minimum(milli, demands.idle_cpu)
        least = idle + (milli - idle) * slower
        round_one = _ROUND_MILLI * np.ceil(least / _ROUND_MILLI)
        return np.where(round_one < least + slower, round_one, least).astype(np.int64)

    capacity, cores = whole(groups.capacity_milli), whole(groups.cores_milli)
    return replace(groups, capacity_milli=capacity, cores_milli=cores, demands=demands)
