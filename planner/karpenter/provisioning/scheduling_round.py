"""One round: pods go to nodes that exist, to nodes that are about to be created, or open new ones.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go and queue.go.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from planner.karpenter.catalogue.catalogue import Catalogue, set_of
from planner.karpenter.catalogue.min_values import too_few_values
from planner.karpenter.catalogue.prices import by_price
from planner.karpenter.cluster_view import NodeView
from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodShapes, PodStage, by_size
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.daemons import Daemons
from planner.karpenter.provisioning.existing_nodes import ExistingNodes
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.open_claims import OpenClaim
from planner.karpenter.provisioning.templates import in_order, templates
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import narrowed, of_labels
from planner.karpenter.topology.domains import PossibleDomains
from planner.karpenter.topology.groups import Choice
from planner.karpenter.topology.topology import BoundPods, RoundTopology
from planner.matching.taints import TaintEffect
from planner.state.resources import Amounts, ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, PodSpec


def first(choices: Sequence[str]) -> str:
    """Takes the first of equally good domains."""
    return choices[0]


@dataclass(frozen=True)
class RoundSettings:
    """Flags of Karpenter that a round reads."""

    ignores_preferences: bool = False
    lowers_min_values: bool = False
    """minValues are best effort for new nodes."""
    most_types: int = 600
    """Machine types that a claim may name."""


@dataclass(frozen=True, eq=False)
class RoundInput:
    """The cluster at the moment of a round."""

    axis: ResourceAxis
    pools: Sequence[PoolRules]
    catalogue: Catalogue
    nodes: Sequence[NodeView]
    """Nodes that are not marked for deletion, in flight ones included."""
    bound: Sequence[BoundPods] = ()
    """Registered nodes with the pods that stay."""
    daemons: Sequence[PodSpec] = ()
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class NewClaim:
    """A node to create."""

    pool: PoolRules
    requirements: Mapping[str, LabelRequirement]
    """Without the hostname."""
    types: tuple[int, ...]
    """From the cheapest to the dearest, at most as many as a claim may name."""
    pods: tuple[RoundPod, ...]
    requests: Amounts
    """Of its pods and of the daemons it will have."""
    min_values_lowered: bool = False


@dataclass(frozen=True, eq=False)
class RoundResult:
    """Where the pods of a round go."""

    placed: Mapping[str, tuple[RoundPod, ...]]
    """By node; nodes that get no pod are left out."""
    claims: tuple[NewClaim, ...]
    failures: tuple[tuple[RoundPod, tuple[Failure, ...]], ...]
    """Pods without room, and what each pool refused them for, in the order of the pools."""
    left_out: Mapping[str, Failure]
    """Pools that no machine type can serve."""


class SchedulingRound:
    """The state of one round."""

    def __init__(
        self, given: RoundInput, settings: RoundSettings, pods: Sequence[RoundPod], choice: Choice = first
    ) -> None:
        """`pods` come in the order in which their rules are made known; `choice` takes one of equal domains."""
        self._catalogue, self._settings = given.catalogue, settings
        pools = in_order(given.pools)
        has_soft = any(taint.effect == TaintEffect.PREFER_NO_SCHEDULE for pool in pools for taint in pool.taints)
        self._shapes = PodShapes(settings.ignores_preferences, has_soft)
        domains = PossibleDomains()
        for pool in pools:
            domains.add_pool(narrowed(pool.requirements, of_labels(pool.labels)), pool.taints, given.catalogue)
        self._topology = RoundTopology(domains, given.bound, given.namespaces, settings.ignores_preferences, choice)
        for pod in pods:
            self._topology.rules_of(self._stage(pod, 0))
        nothing = given.axis.amounts({})
        self._templates, self._left_out = templates(pools, given.catalogue, nothing, settings.lowers_min_values)
        daemons = Daemons(given.daemons, nothing, given.catalogue.well_known)
        self._daemons = [daemons.on_template(template) for template in self._templates]
        self._existing = ExistingNodes(given.nodes, daemons.on_node, self._topology)
        self._limits = {pool.name: RemainingLimits(pool, given.axis) for pool in pools}
        for node in given.nodes:
            if node.pool in self._limits:
                self._limits[node.pool].take_node(node.capacity)
        self._claims: list[OpenClaim] = []
        self._lowered: dict[str, bool] = {}
        """By pool: whether its newest claim lowered minValues. The claims of a pool share this annotation."""
        self._placed: dict[int, list[RoundPod]] = {}
        self._pods = pods

    def solve(self) -> RoundResult:
        """Place the pods, the largest first; those without room are tried again while others find some."""
        queue = deque(sorted(self._pods, key=lambda pod: (*by_size(pod.spec), pod.created_us, pod.uid)))
        length_when_put_back: dict[str, int] = {}
        failures: dict[str, tuple[RoundPod, tuple[Failure, ...]]] = {}
        while queue and length_when_put_back.get(queue[0].uid) != len(queue):
            pod = queue.popleft()
            refusals = self._place(pod)
            if refusals is None:
                failures.pop(pod.uid, None)
                continue
            failures[pod.uid] = pod, refusals
            queue.append(pod)
            length_when_put_back[pod.uid] = len(queue)
        return self._result(list(failures.values()))

    def _stage(self, pod: RoundPod, step: int) -> PodStage:
        stage = self._shapes.stage(pod.spec, step)
        assert stage is not None, "a pod has its first stage"
        return stage

    def _place(self, pod: RoundPod) -> tuple[Failure, ...] | None:
        """Find room, giving up one preference after the other; None, or why the last attempt failed."""
        step = 0
        refusals: tuple[Failure, ...] = (Failure.NO_TEMPLATES,)
        while (stage := self._shapes.stage(pod.spec, step)) is not None:
            found = self._place_at(stage, pod)
            if found is None:
                return None
            step, refusals = step + 1, found
        return refusals

    def _place_at(self, stage: PodStage, pod: RoundPod) -> tuple[Failure, ...] | None:
        self._topology.rules_of(stage)
        row = self._existing.place(stage, pod)
        if row is not None:
            self._placed.setdefault(row, []).append(pod)
            return None
        self._claims.sort(key=lambda claim: len(claim.pods))
        is_simple = not (pod.volumes or self._topology.concerns(stage))
        for claim in self._claims:
            if stage.number in claim.refused:
                continue
            change = claim.with_pod(stage, pod, self._topology, self._catalogue)
            if not isinstance(change, Failure):
                claim.add(stage, pod, change, self._topology)
                return None
            if is_simple and change is not Failure.REQUIREMENTS:
                claim.refused[stage.number] = None
        return self._open(stage, pod)

    def _open(self, stage: PodStage, pod: RoundPod) -> tuple[Failure, ...] | None:
        """A new claim of the first template that can take the pod."""
        if not self._templates:
            return (Failure.NO_TEMPLATES,)
        refusals = []
        for template, daemons in zip(self._templates, self._daemons, strict=True):
            limits = self._limits[template.pool.name]
            types = limits.usable(self._catalogue, template.types)
            if isinstance(types, Failure):
                refusals.append(types)
                continue
            claim = OpenClaim(template, len(self._claims) + 1, types, daemons)
            lowers = self._settings.lowers_min_values
            change = claim.with_pod(stage, pod, self._topology, self._catalogue, lowers)
            if isinstance(change, Failure):
                refusals.append(change)
                continue
            claim.add(stage, pod, change, self._topology)
            self._claims.append(claim)
            self._lowered[template.pool.name] = change.lowered
            limits.take_most(self._catalogue, claim.types)
            return None
        return tuple(refusals)

    def _result(self, failures: list[tuple[RoundPod, tuple[Failure, ...]]]) -> RoundResult:
        claims = []
        for claim in self._claims:
            made = self._finished(claim)
            if made is None:
                failures += [(pod, (Failure.MIN_VALUES,)) for pod in claim.pods]
            else:
                claims.append(made)
        nodes = self._existing.nodes
        placed = {nodes[row].name: tuple(pods) for row, pods in self._placed.items()}
        return RoundResult(placed, tuple(claims), tuple(failures), self._left_out)

    def _finished(self, claim: OpenClaim) -> NewClaim | None:
        """The claim with its cheapest types; None if these offer too few values."""
        needs = {key: each for key, each in claim.requirements.items() if key != HOSTNAME_LABEL}
        types = by_price(self._catalogue, claim.types, needs)[: self._settings.most_types]
        is_strict = not self._settings.lowers_min_values
        if is_strict and too_few_values(self._catalogue, set_of(types), needs):
            return None
        pool = claim.template.pool
        return NewClaim(pool, needs, tuple(types), tuple(claim.pods), claim.requests, self._lowered[pool.name])


def solve(given: RoundInput, settings: RoundSettings, pods: Iterable[RoundPod], choice: Choice = first) -> RoundResult:
    """One scheduling round."""
    return SchedulingRound(given, settings, tuple(pods), choice).solve()
