"""Whether several pods all find a place on trial, as scale-down asks for the pods of a node."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.packing import place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot

if TYPE_CHECKING:
    from planner.kernels.trial_placing import HintedPlacing, TrialPlacing


class PlaceTogether:
    """Places pods on one snapshot, by the kernel where there is one and only room decides."""

    def __init__(self, snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> None:
        self._snapshot = snapshot
        self._cursor = cursor
        self._hints = hints
        self._room = snapshot.kernel()
        self._kernel = None if self._room is None else _kernel(self._room, snapshot, hints)

    def __call__(self, pods: Sequence[int], templates: list[int], destinations: Mask) -> bool:
        """Place every pod, or none; `templates`: of each."""
        if self._kernel is None or self._room is None or not self._knows_all(self._room, templates):
            return self._one_by_one(pods, destinations)
        cursor, may_go, dropped = self._cursor, destinations.view(np.uint8), self._snapshot.dropped.column
        fits, cursor.position = self._kernel.place(pods, templates, may_go, dropped, cursor.position)
        return fits

    def _knows_all(self, room: "TrialPlacing", templates: list[int]) -> bool:
        """Whether of all templates only room decides; then the kernel knows them."""
        snapshot = self._snapshot
        if snapshot.rules.in_use:
            return False
        for template in room.unknown(templates):
            spec = snapshot.spec(template)
            if not snapshot.is_plain(spec):
                return False
            snapshot.teach(room, spec, snapshot.accepts(spec))
        return True

    def _one_by_one(self, pods: Sequence[int], destinations: Mask) -> bool:
        snapshot = self._snapshot
        placed: list[tuple[int, int]] = []
        allowed: dict[int, Mask] = {}
        for pod in pods:
            spec = snapshot.spec_of(pod)
            mask = allowed.get(spec.index)
            if mask is None or not snapshot.is_plain(spec):
                mask = allowed[spec.index] = snapshot.allowed(spec) & destinations
            position = place_one(pod, snapshot, mask, self._cursor, self._hints, spec)
            if position is None:
                for done, where in reversed(placed):
                    snapshot.take_back(done, where)
                return False
            placed.append((pod, position))
        return True


def _kernel(room: "TrialPlacing", snapshot: Snapshot, hints: Hints) -> "HintedPlacing":
    from planner.kernels.trial_placing import HintedPlacing

    by_row, by_key, keys = snapshot.names()
    latest, older = hints.tables()
    return HintedPlacing(room, by_row, by_key, keys, latest, older, snapshot.placed)
