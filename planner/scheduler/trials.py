"""What the trials of a preemption have found, node by node."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.preemption_result import Trial


class TrialState(IntEnum):
    """What is known of a node."""

    UNKNOWN = 0
    FAILED = 1
    CLEAN = 2
    """A candidate that violates no budget."""
    VIOLATING = 3


_UNKNOWN, _FAILED = np.int8(TrialState.UNKNOWN), np.int8(TrialState.FAILED)
_CLEAN, _VIOLATING = np.int8(TrialState.CLEAN), np.int8(TrialState.VIOLATING)


class Trials:
    """The trials of one template, as objects and as columns."""

    def __init__(self, nodes: int) -> None:
        self.found: dict[int, Trial] = {}
        """By node."""
        self.states: NDArray[np.int8] = np.zeros(nodes, np.int8)
        """`TrialState` by node row."""
        self.ranks: NDArray[np.int64] = np.zeros((nodes, 5), np.int64)
        """`Candidate.rank` by node row; of candidates only."""

    def put(self, node: int, trial: Trial) -> None:
        """Keep what was found on a node."""
        self.found[node] = trial
        if isinstance(trial, tuple):
            self.states[node] = _FAILED
        else:
            self.states[node] = _VIOLATING if trial.violated else _CLEAN
            self.ranks[node] = trial.rank

    def drop(self, node: int) -> None:
        """The node has changed."""
        if self.found.pop(node, None) is not None:
            self.states[node] = _UNKNOWN
