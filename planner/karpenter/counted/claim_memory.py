"""What new nodes some pods would need, remembered: of pods that are alike only the numbers matter.

Where pools have neither limits nor minValues, a pod finds no room only if no template suits it, whatever else has come;
then two claims stand for any number of them, for consolidation launches one at the most.
"""

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
_SEVERAL = 2
ClaimsFound = tuple[tuple[NewClaim, ...], bool]
"""Claims, whose pods are examples, and whether a pod that does not wait for a node anyway finds no room."""


class ClaimMemory:
    """Answers of rounds without existing nodes."""

    def __init__(self, basis: RoundBasis) -> None:
        self._basis = basis
        self.has_bounds = any(
            pool.limits or any(each.min_values for each in pool.requirements.values()) for pool in basis.pools
        )
        """Whether pods may find no room because others have come before."""
        self._enough: dict[int, int] = {}
        """By kind: so many pods of it alone need two nodes."""
        self._known: dict[Hashable, ClaimsFound] = {}

    def claims(
        self, left: tuple[PodsLeft, ...], rooms: NodeRooms, limits: Mapping[str, RemainingLimits]
    ) -> ClaimsFound:
        """The new nodes for pods in the order of the queue."""
        if not self.has_bounds and len(left) == 1:
            most = self._enough.get(left[0].kind.number, left[0].number)
            left = (left[0]._replace(number=min(left[0].number, most)),)
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
        if not self.has_bounds:
            alone = [each._replace(number=1) for each in left if not each.are_pending]
            if len(left) > 1 and any(self.claims((each,), rooms, limits)[1] for each in alone):
                return (), True
        serial = count()
        pods = [_example(each, next(serial)) for each in left for _ in range(each.number)]
        most = None if self.has_bounds else _SEVERAL
        result = solve(RoundInput(self._basis, rooms, NO_ROWS, limits, tuple), pods, most_claims=most)
        if most is not None and len(left) == 1 and len(result.claims) == most:
            self._enough[left[0].kind.number] = sum(len(claim.pods) for claim in result.claims)
        return result.claims, any(not pod.is_pending for pod, _ in result.failures)


def _example(left: PodsLeft, number: int) -> RoundPod:
    return RoundPod(number, f"{number:06d}", left.kind.stage.spec, 0, left.are_pending)
