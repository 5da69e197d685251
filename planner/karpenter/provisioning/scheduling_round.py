"""One round: pods go to nodes that exist, to nodes that are about to be created, or open new ones.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go and queue.go.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage, by_size
from planner.karpenter.provisioning.existing_nodes import ExistingNodes
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.new_claims import NewClaim, NewClaims, PodFailure
from planner.karpenter.provisioning.node_rooms import NodeRooms, Rows
from planner.karpenter.provisioning.round_basis import RoundBasis
from planner.karpenter.topology.groups import Choice
from planner.karpenter.topology.topology import BoundPods, RoundTopology


def first(choices: Sequence[str]) -> str:
    """Takes the first of equally good domains."""
    return choices[0]


@dataclass(frozen=True, eq=False)
class RoundInput:
    """The cluster at the moment of a round."""

    basis: RoundBasis
    rooms: NodeRooms
    rows: Rows
    """Nodes that take part: not marked for deletion, those in flight included."""
    limits: Mapping[str, RemainingLimits]
    """What each pool may still launch."""
    bound: Callable[[], Sequence[BoundPods]]
    """Registered nodes with the pods that stay."""
    repelling: Sequence[BoundPods] = ()
    """Those pods that keep others away."""
    namespaces: Mapping[str, Mapping[str, str]] | None = None


@dataclass(frozen=True, eq=False)
class RoundResult:
    """Where the pods of a round go."""

    placed: Mapping[str, tuple[RoundPod, ...]]
    """By node; nodes that get no pod are left out."""
    claims: tuple[NewClaim, ...]
    failures: tuple[PodFailure, ...]
    """Pods without room, and what each pool refused them for, in the order of the pools."""
    left_out: Mapping[str, Failure]
    """Pools that no machine type can serve."""


class SchedulingRound:
    """The state of one round."""

    def __init__(self, given: RoundInput, pods: Sequence[RoundPod], choice: Choice = first) -> None:
        """`pods` come in the order in which their rules are made known; `choice` takes one of equal domains."""
        basis = given.basis
        self._basis = basis
        self._topology = RoundTopology(
            basis.domains,
            given.bound,
            given.repelling,
            given.namespaces or {},
            basis.settings.ignores_preferences,
            choice,
        )
        for pod in pods:
            self._topology.rules_of(self._stage(pod, 0))
        self._existing = ExistingNodes(given.rooms, given.rows, self._topology)
        self._new = NewClaims(basis, given.limits, self._topology)
        self._placed: dict[int, list[RoundPod]] = {}
        self._pods = pods

    def solve(self, most_claims: int | None = None) -> RoundResult:
        """Place the pods, the largest first; those without room are tried again while others find some.

        The round ends early with as many claims as `most_claims`.
        """
        queue = deque(sorted(self._pods, key=queue_order))
        length_when_put_back: dict[str, int] = {}
        failures: dict[str, PodFailure] = {}
        while queue and length_when_put_back.get(queue[0].uid) != len(queue) and self._new.count != most_claims:
            pod = queue.popleft()
            refusals = self._place(pod)
            if refusals is None:
                failures.pop(pod.uid, None)
                continue
            failures[pod.uid] = pod, refusals
            queue.append(pod)
            length_when_put_back[pod.uid] = len(queue)
        claims, dropped = self._new.finished()
        nodes = self._existing.nodes
        placed = {nodes[row].name: tuple(pods) for row, pods in self._placed.items()}
        return RoundResult(placed, claims, (*failures.values(), *dropped), self._basis.left_out)

    def _stage(self, pod: RoundPod, step: int) -> PodStage:
        stage = self._basis.shapes.stage(pod.spec, step)
        assert stage is not None, "a pod has its first stage"
        return stage

    def _place(self, pod: RoundPod) -> tuple[Failure, ...] | None:
        """Find room, giving up one preference after the other; None, or why the last attempt failed."""
        step = 0
        refusals: tuple[Failure, ...] = (Failure.NO_TEMPLATES,)
        while (stage := self._basis.shapes.stage(pod.spec, step)) is not None:
            found = self._place_at(stage, pod)
            if found is None:
                return None
            step, refusals = step + 1, found
        return refusals

    def _place_at(self, stage: PodStage, pod: RoundPod) -> tuple[Failure, ...] | None:
        self._topology.rules_of(stage)
        row = self._existing.place(stage, pod)
        if row is None:
            return self._new.place(stage, pod)
        self._placed.setdefault(row, []).append(pod)
        return None


def queue_order(pod: RoundPod) -> tuple[int, int, int, str]:
    """Order of the queue: large pods first, then old ones."""
    return (*by_size(pod.spec), pod.created_us, pod.uid)


def solve(
    given: RoundInput, pods: Iterable[RoundPod], choice: Choice = first, most_claims: int | None = None
) -> RoundResult:
    """One scheduling round, or its beginning up to some claims."""
    return SchedulingRound(given, tuple(pods), choice).solve(most_claims)
