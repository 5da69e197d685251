"""The cluster at one moment of a run: which nodes there are, in which state, and which pods are where.

Pure arithmetic on columns; a moment of thousands of nodes and tens of thousands of pods takes a few milliseconds.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.record.history import NEVER, ClusterHistory, NodeMark

Rows = NDArray[np.intp]
_TROUBLE = NodeMark.NOT_READY | NodeMark.SILENT | NodeMark.PRESSURE
_LEAVING = NodeMark.CORDONED | NodeMark.DELETING
_LATER_US = np.iinfo(np.int64).max


class NodeState(IntEnum):
    """How a node is drawn; of several that are true the one that matters most."""

    ABSENT = 0
    BOOTING = 1
    """Requested, not Ready yet."""
    READY = 2
    DRAINING = 3
    """Cordoned, or on its way out."""
    TROUBLE = 4
    """Not ready, dead, or under pressure."""
    FAILED = 5
    """The cloud cannot create it."""


class PodState(IntEnum):
    """As `kubectl get pods` names it."""

    PENDING = 0
    STARTING = 1
    NOT_READY = 2
    RUNNING = 3
    TERMINATING = 4


@dataclass(frozen=True)
class Timeline:
    """A history with its pods in the order of the map, so that a moment only has to leave out some of them."""

    history: ClusterHistory

    @cached_property
    def placed(self) -> Rows:
        """Rows of the pods that ever had a node, by node and in the order in which they came."""
        pods = self.history.pods
        rows = np.flatnonzero(pods.node != NEVER)
        rows = rows[np.argsort(pods.bound_us[rows], kind="stable")]  # nearly in order
        return _by_node(rows, pods.node)

    @cached_property
    def _begin_us(self) -> NDArray[np.int64]:
        return self.history.pods.bound_us[self.placed]

    @cached_property
    def _end_us(self) -> NDArray[np.int64]:
        return _or_later(self.history.pods.ended_us[self.placed])

    def is_placed_at(self, time_us: int) -> NDArray[np.bool_]:
        """Which of them are on a node at a time."""
        return (self._begin_us <= time_us) & (self._end_us > time_us)

    @cached_property
    def _runs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Since when and until when each of them runs."""
        pods = self.history.pods
        return _or_later(pods.running_us[self.placed]), _or_later(pods.deletion_us[self.placed])

    def runs_at(self, time_us: int) -> NDArray[np.bool_]:
        """Which of them run at a time, as `PodState` tells it; only of those on a node."""
        begin_us, end_us = self._runs
        return (begin_us <= time_us) & (end_us > time_us)

    @cached_property
    def _waiting(self) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
        """Pods that ever waited for a node: their rows, since when and until when."""
        pods = self.history.pods
        until_us = np.minimum(_or_later(pods.bound_us), _or_later(pods.ended_us))
        rows = np.flatnonzero((until_us > pods.created_us) & ~pods.is_buffer[pods.workload])
        return rows, pods.created_us[rows], until_us[rows]

    def waiting_at(self, time_us: int) -> Rows:
        """Those that wait for a node at a time; pods that exist only inside the Cluster Autoscaler do not count."""
        rows, begin_us, end_us = self._waiting
        return rows[(begin_us <= time_us) & (end_us > time_us)]


def _by_node(rows: Rows, node: NDArray[np.int32]) -> Rows:
    """Rows in the order of their nodes, otherwise as they were: parts of 16 bits are sorted in one pass each."""
    for shift in (0, 16):
        part = (node[rows] >> shift).astype(np.uint16)
        if part.any():
            rows = rows[np.argsort(part, kind="stable")]
    return rows


def _or_later(time_us: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(time_us == NEVER, _LATER_US, time_us)


@dataclass(frozen=True)
class ClusterMoment:
    """A history at a time."""

    timeline: Timeline
    time_us: int

    @property
    def history(self) -> ClusterHistory:
        """All of it."""
        return self.timeline.history

    @cached_property
    def marks(self) -> NDArray[np.int8]:
        """Flags of `NodeMark` per node row."""
        return self.history.nodes.marks_at(self.time_us)

    @cached_property
    def node_state(self) -> NDArray[np.int8]:
        """A `NodeState` per node row."""
        nodes, now, marks = self.history.nodes, self.time_us, self.marks
        is_there = (nodes.requested_us <= now) & ((nodes.removed_us == NEVER) | (nodes.removed_us > now))
        was_ready = (nodes.ready_us != NEVER) & (nodes.ready_us <= now)
        is_leaving = (nodes.delete_requested_us != NEVER) & (nodes.delete_requested_us <= now)
        is_leaving |= (marks & _LEAVING) != 0
        state = np.where(was_ready, NodeState.READY, NodeState.BOOTING).astype(np.int8)
        state[is_leaving] = NodeState.DRAINING
        state[was_ready & ((marks & _TROUBLE) != 0)] = NodeState.TROUBLE
        state[(nodes.failed_us != NEVER) & (nodes.failed_us <= now)] = NodeState.FAILED
        state[~is_there] = NodeState.ABSENT
        return state

    @cached_property
    def nodes(self) -> Rows:
        """Rows of the nodes that are there."""
        return np.flatnonzero(self.node_state != NodeState.ABSENT)

    @cached_property
    def bound(self) -> Rows:
        """Rows of the pods on nodes, by node and in the order in which they came."""
        return self.timeline.placed[self._is_bound]

    @cached_property
    def _is_bound(self) -> NDArray[np.bool_]:
        return self.timeline.is_placed_at(self.time_us)

    @cached_property
    def runs(self) -> NDArray[np.bool_]:
        """Whether each of them runs, Ready or not, and is not being deleted."""
        return self.timeline.runs_at(self.time_us)[self._is_bound]

    @cached_property
    def node_of_bound(self) -> NDArray[np.int32]:
        """The node of each of them."""
        return self.history.pods.node[self.bound]

    @cached_property
    def pending(self) -> Rows:
        """Rows of the pods that wait for a node."""
        return self.timeline.waiting_at(self.time_us)

    def pod_states(self, rows: Rows) -> NDArray[np.int8]:
        """A `PodState` for each of these living pods."""
        pods, now = self.history.pods, self.time_us
        state = np.full(len(rows), PodState.PENDING, np.int8)
        is_bound = (pods.node[rows] != NEVER) & (pods.bound_us[rows] <= now)
        state[is_bound] = PodState.STARTING
        for column, reached in ((pods.running_us, PodState.NOT_READY), (pods.ready_us, PodState.RUNNING)):
            times = column[rows]
            state[(times != NEVER) & (times <= now)] = reached
        deletion = pods.deletion_us[rows]
        state[(deletion != NEVER) & (deletion <= now)] = PodState.TERMINATING
        return state

    def pods_on(self, node: int) -> Rows:
        """Rows of the pods on a node, in the order in which they came."""
        low, high = np.searchsorted(self.node_of_bound, [node, node + 1])
        return self.bound[low:high]
