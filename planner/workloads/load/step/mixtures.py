"""Which groups of pods share the requests of a workload, so that its percentiles are those of a mixture."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.workloads.load.demand import Floats, Ints

if TYPE_CHECKING:
    from planner.workloads.load.step.pod_groups import PodGroups

_FEW = 8


class Mixtures(NamedTuple):
    """The workloads with several groups that get requests, and these groups, side by side."""

    row: Ints
    """Of each of all groups its row among those of mixtures; -1: it finishes what it has, or is alone."""
    of: Ints
    """The workload of each mixture,"""
    starts: Ints
    """the row of its first group,"""
    length: Ints
    """and how many it has."""
    share: Floats
    """What each of the mixed groups gets of the requests of its workload."""

    @property
    def are_small(self) -> bool:
        """Whether numbers of each are so few that `numpy` sums them one after the other."""
        return int(self.length.max(initial=0)) <= _FEW


def mixtures_of(groups: "PodGroups") -> Mixtures:
    """The mixtures of these groups."""
    taking = np.flatnonzero(groups.takes)
    service, weight = groups.service[taking], groups.weight[taking]
    starts = np.flatnonzero(np.r_[True, service[1:] != service[:-1]]) if len(taking) else taking
    length = np.diff(starts, append=len(taking))
    mixed = np.repeat(length > 1, length)
    row = np.full(len(groups.service), -1, np.int64)
    row[taking[mixed]] = np.arange(np.count_nonzero(mixed))
    whole = np.repeat(np.add.reduceat(weight, starts), length) if len(taking) else weight
    some = np.flatnonzero(length > 1)
    ends = np.cumsum(length[some])
    return Mixtures(row, service[starts[some]], ends - length[some], length[some], (weight / whole)[mixed])
