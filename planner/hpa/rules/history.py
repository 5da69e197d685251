"""What the controller remembers about one autoscaler: recommendations and scale events, in memory only."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Recommendation(NamedTuple):
    """The replicas that the metrics called for, before windows, limits, minimum and maximum."""

    time_us: int
    replicas: int


class ScaleEvent(NamedTuple):
    """A size change that was written; `change` is absolute."""

    time_us: int
    change: int


@dataclass(frozen=True, slots=True)
class HpaMemory:
    """Lost when the controller restarts."""

    recommendations: tuple[Recommendation, ...] = field(default=())
    scale_ups: tuple[ScaleEvent, ...] = field(default=())
    scale_downs: tuple[ScaleEvent, ...] = field(default=())

    def started(self, current: int, now_us: int) -> "HpaMemory":
        """This memory; an empty one starts with the current size as its first recommendation."""
        if self.recommendations:
            return self
        return replace(self, recommendations=(Recommendation(now_us, current),))

    def remembering(self, want: int, now_us: int, old_before_us: int) -> "HpaMemory":
        """With a recommendation stored: in place of the last entry older than `old_before_us`, else appended."""
        entry = Recommendation(now_us, want)
        known = self.recommendations
        index = _last_older(known, old_before_us)
        stored = (*known, entry) if index is None else (*known[:index], entry, *known[index + 1 :])
        return HpaMemory(stored, self.scale_ups, self.scale_downs)

    def with_latest(self, latest: Iterable[Recommendation], old_before_us: int) -> "HpaMemory":
        """With these recommendations stored; entries older than `old_before_us` are dropped."""
        kept = [entry for entry in (*self.recommendations, *latest) if entry.time_us >= old_before_us]
        return HpaMemory(tuple(kept), self.scale_ups, self.scale_downs)

    def with_event(self, up: bool, change: int, now_us: int, longest_period_us: int) -> "HpaMemory":
        """With a size change stored: in place of the last one older than `longest_period_us`, else appended."""
        entry = ScaleEvent(now_us, change)
        known = self.scale_ups if up else self.scale_downs
        index = _last_older(known, now_us - longest_period_us)
        stored = (*known, entry) if index is None else (*known[:index], entry, *known[index + 1 :])
        return replace(self, scale_ups=stored) if up else replace(self, scale_downs=stored)


def _last_older(entries: tuple[Recommendation, ...] | tuple[ScaleEvent, ...], before_us: int) -> int | None:
    for index in range(len(entries) - 1, -1, -1):
        if entries[index].time_us < before_us:
            return index
    return None
