"""Whether several pods all find a place on trial, as scale-down asks for the pods of a node."""

from collections.abc import Sequence

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.packing import place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.autoscaler.snapshot.trial_kernel import trial_kernel


class PlaceTogether:
    """Places pods on one snapshot, by the kernel where there is one and only room decides."""

    def __init__(self, snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> None:
        self._snapshot = snapshot
        self._cursor = cursor
        self._hints = hints
        self._kernel = trial_kernel(snapshot, hints)

    def __call__(self, pods: Sequence[int], templates: list[int], destinations: Mask) -> bool:
        """Place every pod, or none; `templates`: of each."""
        if self._kernel is not None and self._kernel.serves(templates):
            return self._kernel.place(pods, templates, destinations, self._cursor)
        return self._one_by_one(pods, destinations)

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
