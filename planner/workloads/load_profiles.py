"""Rates of load profiles over time.

Profiles of a kind are evaluated together, for one moment or many.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from planner.plan.model.traffic import (
    ClipLoad,
    ConstantLoad,
    LoadProfile,
    PointsLoad,
    ScaleLoad,
    StepLoad,
    SumLoad,
    TraceLoad,
)
from planner.workloads.load_profile_kinds import FIRST_US, KIND_OF, LAST_US, Floats, Ints, Node

_AT_ONCE = 64


class RateOverTime:
    """One profile, made ready once for many moments: a trace may have 100,000 points."""

    def __init__(self, profile: LoadProfile) -> None:
        self._table = ProfileTable([profile])

    def at(self, t_us: int) -> float:
        """Requests per second at simulated time `t_us`, before noise."""
        return float(self._table.rates(t_us)[0])


def rates(profile: LoadProfile, t_us: Ints) -> Floats:
    """`RateOverTime.at` for many times, bit for bit the same."""
    return np.asarray(ProfileTable([profile]).table(t_us)[0])


def _changes(profile: LoadProfile | None) -> Iterator[int | None]:
    """Moments at which a profile of steps changes; None: it is not one."""
    match profile:
        case None | ConstantLoad():
            return
        case StepLoad():
            yield profile.at
        case PointsLoad(interpolation="step"):
            yield from (point.at for point in profile.points)
        case TraceLoad(interpolation="step", at_end="hold"):
            moved = profile.points[0].at + profile.skip - profile.shift
            yield from (point.at - moved for point in profile.points)
        case SumLoad():
            yield from chain.from_iterable(map(_changes, profile.profiles))
        case ScaleLoad() | ClipLoad():
            yield from _changes(profile.profile)
        case _:
            yield None


class ProfileTable:
    """Profiles of many workloads; None is no load."""

    def __init__(self, profiles: Sequence[LoadProfile | None]) -> None:
        self._count = 1  # place 0 is no load
        kinds: dict[tuple[int, str], list[Node]] = {}
        self._rows = np.array([0 if one is None else self._add(one, kinds)[0] for one in profiles], np.int64)
        self._kinds = [
            (np.array([node.place for node in kinds[key]]), KIND_OF[key[1]](kinds[key])) for key in sorted(kinds)
        ]
        changes = list(chain.from_iterable(map(_changes, profiles)))
        known = {change for change in changes if change is not None}
        self._changes = None if None in changes else [FIRST_US, *sorted(known), LAST_US]
        self._from = self._until = 0
        self._steady: Floats = np.zeros(0)
        """Rates between two changes, where no rate ever moves otherwise,"""
        self._after: dict[int, Floats] = {}
        """and those after some changes to come."""
        self._foreseen: dict[int, Floats] = {}
        """Rates at moments to come,"""
        self._of_beat: dict[int, Floats] = {}
        """and at those of a beat: the latest two moments that were no such ones lie as far apart as the two before."""
        self._beat_us = self._missed_us = 0

    def _add(self, profile: Any, kinds: dict[tuple[int, str], list[Node]]) -> tuple[int, int]:
        """Place and height of a profile; its parts are lower."""
        parts = profile.profiles if profile.type == "sum" else getattr(profile, "profile", None)
        below = [self._add(part, kinds) for part in (parts if isinstance(parts, tuple) else (parts,) if parts else ())]
        height = 1 + max((height for _, height in below), default=-1)
        place, self._count = self._count, self._count + 1
        kinds.setdefault((height, profile.type), []).append(Node(place, profile, [part for part, _ in below]))
        return place, height

    def rates(self, t_us: int) -> Floats:
        """Requests per second of each at a moment, before noise; not to be written to."""
        if self._from <= t_us < self._until:
            return self._steady
        foreseen = self._foreseen.get(t_us)
        if foreseen is not None:
            return foreseen
        foreseen = self._of_beat.get(t_us)
        if foreseen is not None:
            return foreseen
        if self._changes is not None:
            return self._until_change(self._changes, t_us)
        if self._is_beat(t_us):
            moments = t_us + self._beat_us * np.arange(_AT_ONCE)
            self._of_beat = dict(zip(moments.tolist(), np.ascontiguousarray(self.table(moments).T), strict=True))
            return self._of_beat[t_us]
        return np.asarray(self.table(np.array([t_us]))[:, 0])

    def _until_change(self, changes: list[int], t_us: int) -> Floats:
        """The rates between two changes; those after many changes are found together."""
        after = bisect_right(changes, t_us)
        self._from, self._until = changes[after - 1 : after + 1]
        if self._from not in self._after:
            moments = [t_us, *changes[after : min(after + _AT_ONCE, len(changes)) - 1]]
            found = np.ascontiguousarray(self.table(np.array(moments)).T)
            self._after = dict(zip([self._from, *moments[1:]], found, strict=True))
        self._steady = self._after[self._from]
        return self._steady

    def foresee(self, t_us: Ints) -> Floats:
        """The rates at many moments to come, a row a moment: `rates` looks them up when they come."""
        found = np.ascontiguousarray(self.table(t_us).T)
        self._foreseen = dict(zip(t_us.tolist(), found, strict=True))
        return found

    def _is_beat(self, t_us: int) -> bool:
        beat_us, self._beat_us, self._missed_us = self._beat_us, t_us - self._missed_us, t_us
        return 0 < self._beat_us == beat_us

    def table(self, t_us: Ints) -> Floats:
        """The same at many moments: a row a profile."""
        found = np.zeros((self._count, len(t_us)))
        for places, kind in self._kinds:
            found[places] = kind(t_us, found)
        return np.asarray(found[self._rows])
