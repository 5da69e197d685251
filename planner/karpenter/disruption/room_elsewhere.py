"""A bound on where pods of some nodes can go, which spares a simulation that must fail.

It counts resources only: every other rule leaves less room.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.disruption.commands import DisruptionCandidate
from planner.karpenter.provider import KarpenterProvider
from planner.state.resources import PODS, Amounts


def needs_several(view: ClusterView, provider: KarpenterProvider, candidates: Sequence[DisruptionCandidate]) -> bool:
    """Whether the pods of some nodes surely need more than one new node, however well the others are packed."""
    names = frozenset(candidate.node.name for candidate in candidates)
    stay = [not node.is_going and node.name not in names for node in view.nodes]
    room = view.room[np.array(stay, dtype=np.bool_)]
    shapes: dict[int, tuple[Amounts, int]] = {}
    for candidate in candidates:
        for pod in view.movable(candidate.node):
            _, count = shapes.get(pod.spec.index, (pod.spec.request, 0))
            shapes[pod.spec.index] = pod.spec.request, count + 1
    left = np.zeros(len(provider.axis), dtype=np.int64)
    for request, count in shapes.values():
        one = request.copy()
        one[PODS] = 1
        left += one * max(0, count - _most_of(one, room))
    return bool(left[PODS]) and not provider.catalogue.has_room(left)


def _most_of(request: Amounts, room: NDArray[np.int64]) -> int:
    """How many pods of a size the nodes (rows) could take if nothing else went there."""
    asked = np.flatnonzero(request)
    each = room[:, asked] // request[asked]
    return int(np.maximum(each.min(axis=1), 0).sum())
