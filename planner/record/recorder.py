"""Columns of what happened, bounded: a finding equal to the previous one of its subject is a repeat."""

from array import array
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.series import Floats, SeriesStore

_CHANGES = frozenset(
    (
        Verdict.BOUND,
        Verdict.PREEMPTED,
        Verdict.SCALED,
        Verdict.TRIGGERED,
        Verdict.NODE_READY,
        Verdict.REMOVING,
        Verdict.REMOVED,
        Verdict.EVICTED,
        Verdict.DRAINING,
        Verdict.DRAINED,
        Verdict.HAPPENED,
        Verdict.ENDED,
    )
)
NO_RANGES: Mapping[str, tuple[float, float]] = MappingProxyType({})


class Recorder:
    """Gathers series rows and decisions of one run."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.series_time_us = array("q")
        self.series = SeriesStore()
        self.repeated: dict[int, None] | None = None
        """Rows of `decisions` replaced by their repeat since someone looked last; None while nobody wants to know."""
        self._last: dict[tuple[str, str], int] = {}

    def decide(self, decision: Decision) -> None:
        """Keep a decision; a finding that only repeats the subject's last one by this actor raises its count.

        What changes the cluster (a scale-up, a removal, an eviction) stands for itself each time it happens.
        """
        key = (decision.actor, decision.subject)
        at = self._last.get(key)
        if at is not None and decision.verdict not in _CHANGES and _same(old := self.decisions[at], decision):
            figures = _widened(old, decision) if old.figures != decision.figures else old.figures
            self._replace(at, _repeated(old, figures, 1))
            return
        self._last[key] = len(self.decisions)
        self.decisions.append(decision)

    def repeat(
        self, actor: Actor, subject: str, times: int, ranges: Mapping[str, tuple[float, float]] = NO_RANGES
    ) -> None:
        """Count so many further decisions equal to the subject's last one by this actor.

        `ranges`: of figures that moved meanwhile, by name, as `decide` keeps them.
        """
        at = self._last[(actor, subject)]
        old = self.decisions[at]
        self._replace(at, _repeated(old, _with_ranges(old.figures, ranges), times))

    def _replace(self, at: int, decision: Decision) -> None:
        self.decisions[at] = decision
        if self.repeated is not None:
            self.repeated[at] = None

    def open_series(self, names: Sequence[str]) -> None:
        """Name the series of the run, in the order of the report."""
        self.series = SeriesStore(names)

    def add_row(self, time_us: int, values: Floats | Sequence[float]) -> None:
        """One value for every opened series, in their order. Raises ValueError if the number differs."""
        self.series.append(values)
        self.series_time_us.append(time_us)


def _same(old: Decision, new: Decision) -> bool:
    return (
        old.verdict == new.verdict
        and old.target == new.target
        and old.refused == new.refused
        and old.details == new.details
        and (old.figures == new.figures or _is_same_rest(old, new))
    )


def _is_same_rest(old: Decision, new: Decision) -> bool:
    """An autoscaler that keeps its size for the same reasons: only what it measured moves a little."""
    if old.actor is not Actor.HPA or old.verdict is not Verdict.KEPT:
        return False
    return all(old.figures.get(key) == new.figures.get(key) for key in _SIZES)


def _widened(old: Decision, new: Decision) -> Mapping[str, float]:
    """The figures of the first with the ranges that ratio and raw proposal had since."""
    given = {key: new.figures[key] for key in ("ratio", "proposal") if key in new.figures}
    return _with_ranges(old.figures, {key: (value, value) for key, value in given.items()})


def _with_ranges(figures: Mapping[str, float], ranges: Mapping[str, tuple[float, float]]) -> Mapping[str, float]:
    """Figures of a first decision, widened by what others had; nothing is added where all had the same."""
    widened = figures
    for key, (low, high) in ranges.items():
        first = figures.get(key)
        if first is not None and (low != first or high != first):
            lowest, highest = widened.get(f"{key}_low", first), widened.get(f"{key}_high", first)
            widened = {**widened, f"{key}_low": min(lowest, low), f"{key}_high": max(highest, high)}
    return widened


def _repeated(old: Decision, figures: Mapping[str, float], times: int) -> Decision:
    return Decision(
        old.time_us,
        old.actor,
        old.verdict,
        old.subject,
        old.target,
        old.refused,
        figures,
        old.details,
        old.repeats + times,
    )


_SIZES = ("current", "desired", "ready", "unready", "missing")
