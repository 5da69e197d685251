"""Whether several pods all find a place on trial, as scale-down asks for the pods of a node."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.packing import Hints, place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.state.specs import PodSpec

if TYPE_CHECKING:
    from planner.kernels.trial_placing import TrialPlacing


class PlaceTogether:
    """Places pods on one snapshot, by the kernel where there is one and only room decides."""

    def __init__(self, snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> None:
        self._snapshot = snapshot
        self._cursor = cursor
        self._hints = hints
        self._kernel = snapshot.kernel()

    def __call__(self, pods: Sequence[int], destinations: Mask) -> bool:
        """Place every pod, or none."""
        specs = self._snapshot.specs_of(pods)
        templates = [spec.index for spec in specs]
        if self._kernel is None or not self._knows_all(self._kernel, dict(zip(templates, specs, strict=True))):
            return self._one_by_one(pods, specs, destinations)
        return self._at_once(self._kernel, pods, templates, destinations)

    def _knows_all(self, kernel: "TrialPlacing", specs: Mapping[int, PodSpec]) -> bool:
        """Whether of all templates only room decides; then the kernel knows them."""
        snapshot = self._snapshot
        if snapshot.rules.in_use:
            return False
        for template, spec in specs.items():
            if not kernel.knows(template):
                if not snapshot.is_plain(spec):
                    return False
                snapshot.teach(kernel, spec, snapshot.accepts(spec))
        return True

    def _at_once(self, kernel: "TrialPlacing", pods: Sequence[int], templates: list[int], destinations: Mask) -> bool:
        snapshot, cursor, hints = self._snapshot, self._cursor, self._hints
        hinted = snapshot.positions_of(hints.get_all(pods))
        may_go, dropped = destinations.view(np.uint8), snapshot.dropped.column
        positions, cursor.position = kernel.place(templates, hinted, may_go, dropped, cursor.position)
        hints.set_all(dict(zip(pods, snapshot.keys_of(positions), strict=False)))
        if len(positions) < len(pods):
            return False
        snapshot.note_placed(pods, positions)
        return True

    def _one_by_one(self, pods: Sequence[int], specs: Sequence[PodSpec], destinations: Mask) -> bool:
        snapshot = self._snapshot
        placed: list[tuple[int, int]] = []
        allowed: dict[int, Mask] = {}
        for pod, spec in zip(pods, specs, strict=True):
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
