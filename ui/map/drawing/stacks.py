"""How high the pods of every node are stacked, in pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.record.moment import ClusterMoment, Rows

Pixels = NDArray[np.int32]


@dataclass(frozen=True)
class Stacks:
    """Per pod on a node: where it begins and ends above the floor of its node's box."""

    pods: Rows
    """As in `ClusterMoment.bound`."""
    node: NDArray[np.int32]
    low: Pixels
    high: Pixels
    """More than the box is high where a node holds more than it has room for: the box is full then."""

    def pod_at(self, node: int, above: int) -> int | None:
        """The row of the pod so many pixels above the floor of a node's box."""
        begin, end = np.searchsorted(self.node, [node, node + 1])
        hit = np.flatnonzero((self.low[begin:end] <= above) & (above < self.high[begin:end]))
        return int(self.pods[begin + hit[-1]]) if len(hit) else None


def stacks_of(moment: ClusterMoment, size: NDArray[np.float64], capacity: NDArray[np.float64], height: int) -> Stacks:
    """`size` per pod of `ClusterMoment.bound`, `capacity` per node row, in one unit; `height` of a box in pixels."""
    pods, node = moment.bound, moment.node_of_bound
    count = len(pods)
    starts = np.flatnonzero(np.concatenate((np.ones(min(1, count), np.bool_), node[1:] != node[:-1])))
    lengths = np.diff(np.append(starts, count))
    ends = np.cumsum(size)
    before = np.repeat(np.concatenate((np.zeros(1), ends))[starts], lengths)
    scale = np.repeat(height / np.maximum(capacity[node[starts]], 1e-9), lengths)
    high = np.minimum((ends - before) * scale + 0.5, height).astype(np.int32)
    low = np.concatenate((np.zeros(min(1, count), np.int32), high[:-1]))  # each stands on the one below
    low[starts] = 0
    return Stacks(pods, node, low, high)
