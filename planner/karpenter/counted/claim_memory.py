"""What new nodes some pods would need, remembered: of pods that are alike only the numbers matter."""

from collections.abc import Hashable, Mapping
from itertools import count

from planner.karpenter.counted.pod_kinds import PodsLeft
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.node_rooms import NO_ROWS, NodeRooms
from planner.karpenter.provisioning.round_basis import RoundBasis
from planner.karpenter.provisioning.scheduling_round import RoundInput, solve

_MOST = 20_000
"""Answers that are kept."""
ClaimsFound = tuple[tuple[NewClaim, ...], bool]
"""Claims, whose pods are examples, and whether a pod that does not wait for a node anyway finds no room."""


class ClaimMemory:
    """Answers of rounds without existing nodes."""

    def __init__(self, basis: RoundBasis) -> None:
        self._basis = basis
        self._known: dict[Hashable, ClaimsFound] = {}

    def claims(
        self, left: tuple[PodsLeft, ...], rooms: NodeRooms, limits: Mapping[str, RemainingLimits]
    ) -> ClaimsFound:
        """The new nodes for pods in the order of the queue."""
        pods = tuple((each.kind.number, each.number, each.are_pending) for each in left)
        key = pods, tuple(each.left for each in limits.values())
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = self._solved(left, rooms, limits)
        return found

    def _solved(
        self, left: tuple[PodsLeft, ...], rooms: NodeRooms, limits: Mapping[str, RemainingLimits]
    ) -> ClaimsFound:
        serial = count()
        pods = [_example(each, next(serial)) for each in left for _ in range(each.number)]
        result = solve(RoundInput(self._basis, rooms, NO_ROWS, limits, tuple), pods)
        return result.claims, any(not pod.is_pending for pod, _ in result.failures)


def _example(left: PodsLeft, number: int) -> RoundPod:
    return RoundPod(number, f"{number:06d}", left.kind.stage.spec, 0, left.are_pending)
