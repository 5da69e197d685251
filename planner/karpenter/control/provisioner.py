"""The provisioner: a round over all pods that wait, and the launch of what it found.

Source: Karpenter 1.13, pkg/controllers/provisioning/provisioner.go.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.control.buffers import nodes_of_pods, note_buffers
from planner.karpenter.control.claims import Claim
from planner.karpenter.control.world import KarpenterRecords, KarpenterWorld
from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provider import place_pending
from planner.karpenter.provisioning.limits import NODES, exceeded
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.scheduling_round import RoundResult
from planner.state.resources import ResourceAxis


class Provisioner:
    """Runs scheduling rounds."""

    def __init__(self, world: KarpenterWorld, records: KarpenterRecords, longest_batch_us: int) -> None:
        self._world = world
        self._records = records
        self._longest_batch_us = longest_batch_us

    def run(self, in_order: Callable[[Sequence[NewClaim]], Sequence[NewClaim]] = tuple) -> list[Claim]:
        """A round; what was launched. `in_order`: the order in which claims are created."""
        view = self._world.view()
        if not (view.pending or any(True for at in view.going for _ in view.movable(view.nodes[at]))):
            return []
        result = _with_ignored(place_pending(view, self._world.provider), self._world.provider.rounds(view).ignored)
        if not (result.placed or result.claims or result.failures):
            return []
        self._records.round_done(result)
        if view.has_buffers:
            note_buffers(self._world.claims, result)
        self.nominate(nodes_of_pods(result) if view.has_buffers else result.placed)
        return self.create(in_order(result.claims), view)

    def nominate(self, names: Iterable[str]) -> None:
        """Nodes that have been given pods are left alone for a while."""
        for name in names:
            claim = self._world.claims.get(name)
            if claim is not None:
                claim.nominate(self._world.now_us, self._longest_batch_us)

    def create(self, claims: Iterable[NewClaim], view: ClusterView) -> list[Claim]:
        """Launch claims, unless their pool is beyond a limit already; claims of one round do not see each other."""
        made = []
        for new in claims:
            over = self._exceeded(self._world.provider.pool(new.pool.name) or new.pool, view)
            if over is not None:
                self._records.refused(new, over)
                continue
            launched = self._world.launch(new)
            if launched is not None:
                made.append(launched)
        return made

    def _exceeded(self, pool: PoolRules, view: ClusterView) -> str | None:
        return exceeded(pool, usage(view, pool.name, self._world.provider.axis)) if pool.limits else None


def _with_ignored(result: RoundResult, ignored: Sequence[RoundPod]) -> RoundResult:
    """A round with the pods that it did not look at among those without room."""
    if not ignored:
        return result
    return replace(result, failures=(*result.failures, *((pod, (Failure.IGNORED,)) for pod in ignored)))


def usage(view: ClusterView, pool: str, axis: ResourceAxis) -> dict[str, int]:
    """Capacity of a pool's nodes that stay, by resource, and their number."""
    own = [node for node in view.nodes if node.pool == pool and not node.is_going]
    total = {name: sum(int(node.capacity[column]) for node in own) for column, name in enumerate(axis.names)}
    return {**total, NODES: len(own)}
