"""What evaluations that were not made one by one still owe to the memory of their autoscalers and to the record."""

from collections import deque
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.history import Recommendation
from planner.hpa.rules.replica_calculator import Proposal
from planner.record.details.replicas import Range

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_LEAST, _MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


class _Sync(NamedTuple):
    """A sync, and what it recommended to each autoscaler."""

    time_us: int
    wants: Ints


class OwedEvaluations:
    """Columns by position of the autoscaler."""

    def __init__(self, count: int) -> None:
        self.wants: Ints = np.zeros(count, np.int64)
        """The latest recommendation to each, which counts for evaluations that are skipped."""
        self._unremembered: Ints = np.zeros(count, np.int64)
        """The latest so many are not in memory yet."""
        self._unrecorded: Ints = np.zeros(count, np.int64)
        self.lowest_ratio: Floats = np.full(count, np.inf)
        """Of the evaluations that are not recorded yet, where they were read; likewise all that follow."""
        self.highest_ratio: Floats = np.full(count, -np.inf)
        self.lowest: Ints = np.full(count, _MOST, np.int64)
        """Of the raw proposals."""
        self.highest: Ints = np.full(count, _LEAST, np.int64)
        self._syncs: deque[_Sync] = deque()

    def skip(self, folded: Bools, kept: Bools) -> None:
        """Evaluations with recommendations in `wants` are not remembered yet, and if folded not recorded either."""
        self._unremembered += folded | kept
        self._unrecorded += folded

    def fold(self, at: int, proposal: Proposal, *, is_remembered: bool) -> None:
        """An evaluation that was read alone is not recorded yet."""
        self.wants[at] = proposal.replicas
        self._unremembered[at] += not is_remembered
        self._unrecorded[at] += 1
        self.lowest_ratio[at] = min(self.lowest_ratio[at], proposal.ratio)
        self.highest_ratio[at] = max(self.highest_ratio[at], proposal.ratio)
        self.lowest[at] = min(self.lowest[at], proposal.replicas)
        self.highest[at] = max(self.highest[at], proposal.replicas)

    def end_sync(self, now_us: int, window_us: int) -> None:
        """All autoscalers are evaluated. `window_us`: no recommendation counts for longer."""
        syncs = self._syncs
        syncs.append(_Sync(now_us, self.wants.copy()))
        while syncs[0].time_us < now_us - window_us:
            syncs.popleft()

    def take_recommendations(self, at: int) -> list[Recommendation]:
        """Those that are to be remembered now, oldest first; but for some that are out of every window.

        Of equal ones only the newest matters, which is in every window in which another of them is.
        """
        count, self._unremembered[at] = self._unremembered.item(at), 0
        latest = {wants.item(at): time_us for time_us, wants in list(self._syncs)[-count:]} if count else {}
        return [Recommendation(time_us, want) for want, time_us in sorted(latest.items(), key=itemgetter(1))]

    def take_repeats(self, at: int) -> tuple[int, tuple[Range, Range] | None]:
        """How many evaluations are to be recorded now, and the ranges of their ratios and proposals.

        None if none of them was read.
        """
        count, self._unrecorded[at] = self._unrecorded.item(at), 0
        ratios = self.lowest_ratio.item(at), self.highest_ratio.item(at)
        proposals = self.lowest.item(at), self.highest.item(at)
        self.lowest_ratio[at], self.highest_ratio[at] = np.inf, -np.inf
        self.lowest[at], self.highest[at] = _MOST, _LEAST
        return count, (ratios, proposals) if proposals[0] <= proposals[1] else None
