"""What becomes of the pods of one kind, given how many of them find room."""

from itertools import groupby
from typing import NamedTuple

import numpy as np

from planner.karpenter.counted.pod_ages import RUNS, WAITS
from planner.karpenter.counted.pod_kinds import PodRun, PodsLeft


class Unfinished(NamedTuple):
    """How many pods go where a node has not started up though nothing excuses them, as far as numbers tell."""

    least: int
    most: int


def settled(run: PodRun, ready: int, there: int) -> tuple[list[PodsLeft], Unfinished]:
    """The pods after the first `there`, which find room, and those of the first ones after the first `ready`, which
    find it where nodes have started up, that are not excused by their own state.
    """
    if run.states is None:
        left = [PodsLeft(run.kind, run.number - there, False)] if run.number > there else []
        late = max(there - ready, 0)
        return left, Unfinished(max(late - run.excused, 0), late)
    late = int(np.count_nonzero(run.states[ready:there] == RUNS)) if there > ready else 0
    groups = groupby((run.states[there:] == WAITS).tolist())
    return [PodsLeft(run.kind, sum(1 for _ in some), are_pending) for are_pending, some in groups], Unfinished(
        late, late
    )
