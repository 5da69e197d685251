"""The compiled twin of putting pods on trial, told of templates and nodes when it needs them."""

from collections.abc import Sequence

import numpy as np

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.kernels import switch
from planner.state.specs import PodSpec


class TrialKernel:
    """Puts pods of templates without rules on one snapshot, and remembers where."""

    def __init__(self, snapshot: Snapshot, hints: Hints) -> None:
        from planner.kernels.placing.trial_placing import HintedPlacing, TrialPlacing

        self._snapshot = snapshot
        self._room = TrialPlacing(snapshot.free)
        self._placing = HintedPlacing(self._room, *snapshot.names(), *hints.tables(), snapshot.placed)

    def serves(self, templates: list[int]) -> bool:
        """Whether only room decides where pods of all these templates may go, and no other pod's rules count them."""
        return not self._snapshot.rules.in_use and all(map(self._learn, self._room.unknown(templates)))

    def place(self, pods: Sequence[int], templates: list[int], destinations: Mask, cursor: SearchCursor) -> bool:
        """Twin of `place_one` for all pods in turn, of which it `serves` the templates; none are put if one finds no
        room."""
        may_go, dropped = destinations.view(np.uint8), self._snapshot.dropped.column
        fits, cursor.position = self._placing.place(pods, templates, may_go, dropped, cursor.position)
        return fits

    def fill(self, pods: list[int], spec: PodSpec, start: int) -> list[int]:
        """Twin of `Snapshot.fill` for pods of a template without rules; where they were put."""
        if self._room.unknown([spec.index]):
            self._learn(spec.index)
        return self._placing.fill(pods, spec.index, start)

    def hinted(self, pods: Sequence[int]) -> list[bool]:
        """Whether the place of each pod in the loops before is still listed."""
        return self._placing.hinted(pods)

    def _learn(self, template: int) -> bool:
        snapshot = self._snapshot
        spec = snapshot.spec(template)
        is_plain = snapshot.is_plain(spec)
        if is_plain:
            self._room.learn(template, snapshot.needed(spec), snapshot.accepts(spec).view(np.uint8))
        return is_plain


def trial_kernel(snapshot: Snapshot, hints: Hints) -> TrialKernel | None:
    """None without kernels."""
    return TrialKernel(snapshot, hints) if switch.in_use() else None
