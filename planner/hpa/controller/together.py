"""Autoscalers that follow the CPU utilization of their pods, evaluated all at once where that repeats the last one.

Twin of `MetricReader.propose` (`hpa/metrics/metric_reader.py`) and `normalize` (`hpa/rules/normalization.py`) for what
happens at nearly every sync: all pods of the workload count, as they did at the last evaluation, and the size is kept
for the same reasons (see `standing`): a proposal within the tolerance, or one that a limit or a higher recommendation
within the window holds back. With `behavior` only the former is looked at. Where the size is kept for other reasons,
these are known. Any other autoscaler is evaluated alone.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.controller.owed import OwedEvaluations
from planner.hpa.controller.pod_slices import PodSlices
from planner.hpa.controller.shown import ShownSyncs
from planner.hpa.controller.standing import Standing
from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.metrics.pod_totals import CountedPods
from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.history import HpaMemory, Recommendation
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.replica_calculator import Proposal
from planner.kernels import switch

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class FoldResult:
    """What became of an autoscaler when all were looked at together, as numpy compares it fast: plain numbers."""

    UNKNOWN = 0
    """It was not looked at: something other than the use of its pods has changed, or may have."""
    FOLDED = 1
    DIFFERS = 2
    """Its evaluation would be another one than the last."""
    KEPT = 3
    """It keeps its size as at the last evaluation, but for other reasons: only these are to be recorded."""


class Now(NamedTuple):
    """The moment of a sync, columns by pod row, and those of the workloads of the autoscalers."""

    now_us: int
    usage_milli: Ints
    sizes: Ints
    versions: Ints


_NOT_JOINED = -1
# Which evaluation is repeated: one without `behavior` by its reason of ScalingLimited, with _HELD added where
# AbleToScale is ScaleDownStabilized; or any whose proposal is within the tolerance, at rest.
_FREE, _TOO_FEW, _TOO_MANY, _TOO_FAST = range(4)
_HELD, _WITHIN_TOLERANCE = 4, 8
_LIMITS = {
    ConditionReason.DESIRED_WITHIN_RANGE: _FREE,
    ConditionReason.TOO_FEW_REPLICAS: _TOO_FEW,
    ConditionReason.TOO_MANY_REPLICAS: _TOO_MANY,
    ConditionReason.SCALE_UP_LIMIT: _TOO_FAST,
}
_REASONS = {kind: reason for reason, kind in _LIMITS.items()}
_READY, _STABILIZED = ConditionReason.READY_FOR_NEW_SCALE, ConditionReason.SCALE_DOWN_STABILIZED
_NOTHING = HpaMemory()


def _kind(standing: Standing, pods: int, hpa: TrackedAutoscaler, *, is_at_rest: bool) -> int | None:
    """The evaluation that is repeated; None where it cannot be done here."""
    if (standing.ready, standing.unready, standing.missing) != (pods, 0, 0):
        return None
    if hpa.spec.behavior is not None:
        return _WITHIN_TOLERANCE if is_at_rest else None
    return _LIMITS[standing.limited] + (_HELD if standing.able is _STABILIZED else 0)


class EvaluatedTogether:
    """Columns by position of the autoscaler; those of autoscalers that have not joined mean nothing."""

    def __init__(self, owed: OwedEvaluations, shown: ShownSyncs, window_us: int) -> None:
        """`window_us`: for how long a recommendation counts without `behavior`."""
        count = len(owed.wants)
        self._owed, self._shown, self._window_us = owed, shown, window_us
        self._version: Ints = np.full(count, _NOT_JOINED, np.int64)
        """Of the workload: for it these are its pods."""
        self._size, self._kind, self._request, self._target, self._used = np.ones((5, count), np.int64)
        self._least, self._most = np.zeros((2, count), np.int64)
        self._lowest, self._highest = np.zeros((2, count))
        """The tolerated ratios."""
        self._top, self._top_us = np.zeros((2, count), np.int64)
        """The highest recommendation within the window, and when it was made last."""
        self._pods = PodSlices(count)
        self._kernel = _kernel()

    def join(
        self,
        at: int,
        hpa: TrackedAutoscaler,
        pods: CountedPods,
        version: int,
        recommendations: tuple[Recommendation, ...],
        now_us: int,
        *,
        is_at_rest: bool,
    ) -> None:
        """The next evaluations of an autoscaler may repeat its last one, at which these pods counted.

        `version`: of its workload. `recommendations`: all that it remembers.
        """
        standing = hpa.standing
        kind = None if standing is None else _kind(standing, len(pods.rows), hpa, is_at_rest=is_at_rest)
        if standing is None or kind is None:
            return
        self._version[at], self._size[at], self._kind[at] = version, standing.current, kind
        self._request[at], self._target[at] = pods.request_milli, hpa.spec.metrics[0].target
        self._least[at], self._most[at] = hpa.spec.min_replicas, hpa.spec.max_replicas
        self._lowest[at], self._highest[at] = 1.0 - hpa.tolerance.scale_down, 1.0 + hpa.tolerance.scale_up
        counting = [(one.replicas, one.time_us) for one in recommendations if one.time_us >= now_us - self._window_us]
        self._top[at], self._top_us[at] = max(counting, default=(0, now_us))
        self._pods.put(at, pods.rows)

    def leave(self, at: int) -> None:
        """What is known of an autoscaler holds no longer."""
        self._version[at] = _NOT_JOINED

    def evaluate(self, asked: Bools, now: Now) -> NDArray[np.int8]:
        """A FoldResult for each of the autoscalers; only those that are `asked` for are looked at."""
        owed, shown = self._owed, self._shown
        if self._kernel is not None:
            known = (
                self._version, self._size, self._kind, self._request, self._target, self._least, self._most,
                self._top, self._top_us, self._used,
            )  # fmt: skip
            tolerated, read = (self._lowest, self._highest), (owed.lowest_ratio, owed.highest_ratio)
            measured = owed.wants, owed.lowest, owed.highest
            out = shown.observed, shown.first, shown.values
            cut_us = now.now_us - self._window_us
            return self._kernel(asked, now, cut_us, self._pods.columns, known, tolerated, read, measured, out)
        answers = np.zeros(len(asked), np.int8)
        at = np.flatnonzero(asked & (self._version == now.versions) & (self._size == now.sizes))
        at = at[(self._kind[at] == _WITHIN_TOLERANCE) | (self._top_us[at] >= now.now_us - self._window_us)]
        if not len(at):
            return answers
        self._used[at] = used = self._pods.sums(now.usage_milli, at)
        utilization = used * 100 // self._request[at]
        ratio = utilization / self._target[at]
        within = (self._lowest[at] <= ratio) & (ratio <= self._highest[at])
        want = np.where(within, self._size[at], np.ceil(ratio * self._pods.count[at])).astype(np.int64)
        is_rest = self._kind[at] == _WITHIN_TOLERANCE
        allowed, kind = self._normalized(at, want)
        stays = np.where(is_rest, within, allowed == self._size[at])
        repeats = stays & (is_rest | (kind == self._kind[at]))
        answers[at] = np.select([repeats, stays], [FoldResult.FOLDED, FoldResult.KEPT], FoldResult.DIFFERS)
        self._kind[at[stays & ~is_rest]] = kind[stays & ~is_rest]
        self._show(at[stays], want[stays], utilization[stays], now.now_us)
        self._fold(at[repeats], want[repeats], ratio[repeats])
        return answers

    def kept(self, at: int) -> tuple[Proposal, Normalized]:
        """What the latest evaluation of an autoscaler that is KEPT proposed and came to; its memory is left out."""
        want, count, kind = self._owed.wants.item(at), self._pods.count.item(at), self._kind.item(at)
        utilization = self._shown.observed.item(at)
        ratio, mean = utilization / self._target.item(at), self._used.item(at) // count
        able = _STABILIZED if kind & _HELD else _READY
        best = max(want, self._top.item(at))
        normalized = Normalized(self._size.item(at), best, able, _REASONS[kind & ~_HELD], _NOTHING)
        return Proposal(want, ratio, mean, utilization, ready=count), normalized

    def _normalized(self, at: Ints, want: Ints) -> tuple[Ints, Ints]:
        """The sizes that proposals lead to, and for which reasons, without `behavior`."""
        size, least, most = self._size[at], self._least[at], self._most[at]
        best = np.maximum(want, self._top[at])
        fastest = np.maximum(2 * size, 4)
        cut = best > np.minimum(most, fastest)
        few, many, fast = best < least, cut & (most <= fastest), cut & (most > fastest)
        allowed = np.select([few, many, fast], [least, most, fastest], best)
        kind = np.select([few, many, fast], [_TOO_FEW, _TOO_MANY, _TOO_FAST], _FREE) + _HELD * (best != want)
        return allowed, kind

    def _show(self, at: Ints, want: Ints, utilization: Ints, now_us: int) -> None:
        """These evaluations keep the size."""
        owed, shown = self._owed, self._shown
        is_top = at[want >= self._top[at]]
        self._top[is_top], self._top_us[is_top] = want[want >= self._top[at]], now_us
        owed.wants[at] = want
        shown.observed[at] = shown.values[shown.first[at]] = utilization

    def _fold(self, at: Ints, want: Ints, ratio: Floats) -> None:
        """They are folded into the last ones."""
        owed = self._owed
        owed.lowest_ratio[at] = np.minimum(owed.lowest_ratio[at], ratio)
        owed.highest_ratio[at] = np.maximum(owed.highest_ratio[at], ratio)
        owed.lowest[at], owed.highest[at] = np.minimum(owed.lowest[at], want), np.maximum(owed.highest[at], want)


def _kernel() -> Callable[..., NDArray[np.int8]] | None:
    """The compiled twin of `EvaluatedTogether.evaluate`."""
    if not switch.in_use():
        return None
    from planner.kernels.metrics.folded_syncs import evaluate

    return evaluate
