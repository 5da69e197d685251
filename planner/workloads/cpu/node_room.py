"""On which nodes every pod can use as much CPU as its limit allows, whatever the others there ask for now.

Pods of such a node get what they ask for, and what they could use at most is their limit; so pods of a kind are alike
on all of these nodes. The others are crowded: what a pod gets there depends on who else is there. To treat a node as
crowded is never wrong, only slower.
"""

import numpy as np
from numpy.typing import NDArray

from planner.workloads.cpu.running_pods import NOT_RUNNING, Moved, RunningPods

Ints = NDArray[np.int64]
_MUCH, _SPARE = 4, 32
"""Room is looked at for a quarter more than is asked for, or else for a 32nd, so that it need not be looked at again
soon."""


class NodeRoom:
    """What the pods of each node ask for, and their largest limit; kept while demand stays under a reference."""

    def __init__(self) -> None:
        self.reference: Ints = np.zeros(0, np.int64)
        """What a pod of each kind may ask for until room has to be looked at again, if no pod comes or goes."""
        self._cores: Ints = np.zeros(0, np.int64)
        self._asked: Ints = np.zeros(0, np.int64)
        self._largest: Ints = np.zeros(0, np.int64)
        self._is_rough = False
        self.crowded: Ints = np.zeros(0, np.int64)
        """Rows of nodes, as of the latest `update`."""

    def update(self, pods: RunningPods, moved: Moved | None, demand: Ints, cores: Ints) -> None:
        """`demand`: what a pod of each kind asks for; `cores`: what each node has. Milli-CPU."""
        nodes_changed = not np.array_equal(cores, self._cores)
        known = len(self.reference)
        if nodes_changed or known < len(demand):
            self._asked, self._largest = (_longer(column, len(cores)) for column in (self._asked, self._largest))
            self.reference = np.concatenate((self.reference, demand[known:] + demand[known:] // _SPARE))
            self._cores = cores
        if moved is not None:
            self._move(pods, moved)
        if len(self.crowded) or np.count_nonzero(demand > self.reference):
            self._look(pods, demand)
        elif moved is not None or nodes_changed:
            self.crowded = self._crowded()
            if len(self.crowded):  # perhaps only by what they do not ask for now
                self._look(pods, demand)

    def _move(self, pods: RunningPods, moved: Moved) -> None:
        left, came = moved.before != NOT_RUNNING, moved.after != NOT_RUNNING
        count = len(self._asked)
        gone = np.bincount(moved.node[left], self.reference[moved.before[left]], minlength=count)
        new = np.bincount(moved.node[came], self.reference[moved.after[came]], minlength=count)
        self._asked = self._asked + (new - gone).astype(np.int64)
        np.maximum.at(self._largest, moved.node[came], pods.kinds.limit_milli[moved.after[came]])
        self._is_rough |= bool(left.any())

    def _look(self, pods: RunningPods, demand: Ints) -> None:
        if self._is_rough:
            self._largest = np.zeros(len(self._largest), np.int64)
            np.maximum.at(self._largest, pods.node, pods.kinds.limit_milli[pods.kind])
            self._is_rough = False
        references = [demand + demand // _SPARE, demand]
        if not len(self.crowded):  # what is enough for more than now is asked for was enough all along
            references.insert(0, np.maximum(self.reference, demand + demand // _MUCH))
        for reference in references:
            self.reference = reference
            asked = np.bincount(pods.node, reference[pods.kind], minlength=len(self._asked))
            self._asked = asked.astype(np.int64)
            self.crowded = self._crowded()
            if not len(self.crowded):
                break

    def _crowded(self) -> Ints:
        return np.flatnonzero(self._asked + self._largest > self._cores)


def _longer(column: Ints, count: int) -> Ints:
    return np.concatenate((column, np.zeros(count - len(column), np.int64)))
