"""Karpenter's decisions, written down."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import is_not

from planner.engine.queue import EventQueue
from planner.karpenter.catalogue.prices import lowest_price
from planner.karpenter.control.claims import Claim
from planner.karpenter.control.cluster_world import ClusterWorld
from planner.karpenter.disruption.blockers import Hindrance
from planner.karpenter.disruption.commands import DisruptionCandidate, DisruptionCommand, node_price
from planner.karpenter.disruption.evaluation import Obstacle
from planner.karpenter.disruption.methods import MethodSearch
from planner.karpenter.lifecycle.launch import Launch
from planner.karpenter.provisioning.new_claims import NewClaim, PodFailure
from planner.karpenter.provisioning.scheduling_round import RoundResult
from planner.language.translation import marked
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.karpenter import (
    ClaimOutdated,
    DisruptedNode,
    DisruptionDropped,
    KarpenterDetails,
    LaunchRefused,
    MachineLaunch,
    NodeDisruption,
    NodeKept,
    NoRoomFromPools,
    OfferedType,
    PassedOverPool,
)
from planner.record.recorder import Recorder
from planner.state.resources import CPU, MEMORY

_SHOWN = 10
"""Types, pods and nodes that a decision names."""
_ERRORS = 5
"""Pods without room whose errors an event names."""
_PODS = Obstacle.PODS  # looking up a member of an enum costs a call in Python 3.11
_KEPT = {id(obstacle): NodeKept(obstacle.value) for obstacle in Obstacle}
"""By identity: hashing a member of an enum costs a call, too."""


class DecisionRecords:
    """Implements KarpenterRecords for a run."""

    def __init__(self, world: ClusterWorld, events: EventQueue, recorder: Recorder) -> None:
        self._world = world
        self._events = events
        self._recorder = recorder
        self._stuck: dict[str, NodeKept] = {}
        """Nodes of which pods found no room at the last look."""
        self._blocked: Mapping[str, Hindrance] = {}
        world.on_launch = self.launched

    def _add(self, verdict: Verdict, subject: str, details: KarpenterDetails) -> None:
        self._recorder.decide(Decision(self._events.now_us, Actor.KARPENTER, verdict, subject, details=details))

    def round_done(self, result: RoundResult) -> None:
        """Pods without room, with what each pool lacked."""
        for pod, failures in result.failures:
            reasons = tuple(dict.fromkeys(failure.value for failure in failures))
            self._add(Verdict.NOT_TRIGGERED, self._world.cluster.pod_name(pod.row), NoRoomFromPools(reasons))
        for pool, failure in result.left_out.items():
            self._add(Verdict.FAILED, pool, LaunchRefused(f"NoCompatibleInstanceTypes: {failure.value}"))

    def launched(self, new: NewClaim, launch: Launch, claim: Claim) -> None:
        """A machine, with the types that were left."""
        cluster = self._world.cluster
        details = MachineLaunch(
            launch.instance_type.name,
            claim.zone,
            launch.capacity_type,
            launch.price,
            len(new.pods),
            int(new.requests[CPU]),
            int(new.requests[MEMORY]),
            self._options(new),
            len(new.types),
            new.pool.name,
            tuple(cluster.pod_name(pod.row) for pod in new.pods[:_SHOWN]),
            tuple(PassedOverPool(name, failure.value) for name, failure in new.passed_over),
        )
        self._add(Verdict.LAUNCHED, claim.name, details)

    def _options(self, new: NewClaim) -> tuple[OfferedType, ...]:
        """The cheapest types of a claim."""
        catalogue = self._world.provider.catalogue
        types = [catalogue.types[number] for number in new.types[:_SHOWN]]
        return tuple(OfferedType(each.name, lowest_price(each, new.requirements)) for each in types)

    def refused(self, new: NewClaim, resource: str) -> None:
        """A pool is beyond a limit."""
        self._add(Verdict.FAILED, new.pool.name, LaunchRefused(f"resource usage of {resource} exceeds limit"))

    def out_of_stock(self, claim: Claim) -> None:
        """The cloud had no such machine."""
        self._add(Verdict.FAILED, claim.name, LaunchRefused("InsufficientCapacityError"))

    def command_begun(self, command: DisruptionCommand, replacements: tuple[str, ...]) -> None:
        """Each node that goes, with the whole command."""
        nodes = tuple(candidate.node.name for candidate in command.candidates)
        going = tuple(self._going(command, candidate) for candidate in command.candidates[:_SHOWN])
        options = tuple(option for new in command.replacements for option in self._options(new))
        cost = sum(candidate.cost for candidate in command.candidates)
        for candidate in command.candidates:
            details = NodeDisruption(
                command.method.reason,
                command.method.value,
                nodes,
                replacements,
                command.savings,
                cost,
                going,
                command.nominated[:_SHOWN],
                options,
            )
            self._add(Verdict.REMOVING, candidate.node.name, details)

    def _going(self, command: DisruptionCommand, candidate: DisruptionCandidate) -> DisruptedNode:
        node, allowed = candidate.node, command.allowed.get(candidate.pool, 0)
        price = node_price(self._world.provider.catalogue, node)
        pods = len(node.reschedulable)
        return DisruptedNode(node.name, node.instance_type, node.capacity_type, price, pods, candidate.cost, allowed)

    def command_rejected(self, command: DisruptionCommand, why: str) -> None:
        """A command that was given up."""
        nodes = tuple(candidate.node.name for candidate in command.candidates)
        for name in nodes:
            self._add(Verdict.KEPT, name, DisruptionDropped(nodes, why))

    def searched(self, search: MethodSearch, unplaced: Callable[[str], Sequence[PodFailure]] | None) -> None:
        """Why single nodes stay; which of their pods find no room is looked up once for each time in turn."""
        for name, obstacle in search.obstacles.items() if self._stuck or unplaced is not None else ():
            if obstacle is not _PODS:
                self._stuck.pop(name, None)
            elif unplaced is not None and name not in self._stuck:
                self._stuck[name] = NodeKept(_told(unplaced(name)))
        usual = zip(search.obstacles, map(_KEPT.__getitem__, map(id, search.obstacles.values())), strict=True)
        findings = ((name, self._stuck.get(name, kept)) for name, kept in usual) if self._stuck else usual
        self._recorder.find(self._events.now_us, Actor.KARPENTER, Verdict.UNREMOVABLE, findings)

    def blocked(self, reasons: Mapping[str, Hindrance]) -> None:
        """Why single nodes are not looked at, once for each reason in turn."""
        if reasons is self._blocked:
            return
        told, known = tuple(reasons.items()), map(self._blocked.get, reasons)
        for name, reason in compress(told, map(is_not, known, reasons.values())):
            if self._blocked.get(name) != reason:
                self._stuck.pop(name, None)
                self._add(Verdict.UNREMOVABLE, name, NodeKept(reason.text))
        self._blocked = reasons

    def expired(self, claim: Claim) -> None:
        """A node has reached its age."""
        self._add(Verdict.HAPPENED, claim.name, ClaimOutdated("expired"))

    def interrupted(self, claim: Claim) -> None:
        """The cloud takes a spot node back."""
        self._add(Verdict.HAPPENED, claim.name, ClaimOutdated(marked("spot interruption")))

    def drifted(self, claim: Claim) -> None:
        """A node is no longer what its pool would launch."""
        self._add(Verdict.HAPPENED, claim.name, ClaimOutdated(claim.drift_reason))


def _told(failures: Sequence[PodFailure]) -> str:
    """What the event of a node says whose pods find no room.

    Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go (NonPendingPodSchedulingErrors).
    """
    errors = [f"{pod.uid} => {', '.join(dict.fromkeys(map(str, reasons)))}" for pod, reasons in failures]
    others = f" and {len(errors) - _ERRORS} other(s)" if len(errors) > _ERRORS else ""
    return f"{Obstacle.PODS}, {'; '.join(errors[:_ERRORS])}{others}"
