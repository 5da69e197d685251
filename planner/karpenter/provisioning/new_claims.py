"""The nodes that a round is about to create, within the limits of their pools.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go (addToInflightNode, addToNewNodeClaim).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.karpenter.catalogue.catalogue import set_of
from planner.karpenter.catalogue.min_values import too_few_values
from planner.karpenter.catalogue.prices import by_price
from planner.karpenter.failures import Failure
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.open_claims import OpenClaim
from planner.karpenter.provisioning.pattern_sort import sort_as_go
from planner.karpenter.provisioning.round_basis import RoundBasis
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.topology.topology import RoundTopology
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL

PodFailure = tuple[RoundPod, tuple[Failure, ...]]


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
    passed_over: tuple[tuple[str, Failure], ...] = ()
    """Pools that were tried before for its first pod, and what each lacked."""


class NewClaims:
    """Claims of a round, open until its end."""

    def __init__(self, basis: RoundBasis, limits: Mapping[str, RemainingLimits], topology: RoundTopology) -> None:
        """`limits`: by pool."""
        self._basis = basis
        self._limits = limits
        self._topology = topology
        self._claims: list[OpenClaim] = []
        self._lowered: dict[str, bool] = {}
        """By pool: whether its newest claim lowered minValues. The claims of a pool share this annotation."""

    @property
    def count(self) -> int:
        """Claims so far."""
        return len(self._claims)

    def place(self, stage: PodStage, pod: RoundPod) -> tuple[Failure, ...] | None:
        """Put a pod on the claim with the fewest pods that takes it, or on a new one; None, or why that failed."""
        sort_as_go(self._claims, lambda claim: len(claim.pods))
        is_simple = not (pod.volumes or self._topology.concerns(stage))
        for claim in self._claims:
            if stage.number in claim.refused:
                continue
            change = claim.with_pod(stage, pod, self._topology, self._basis.catalogue)
            if not isinstance(change, Failure):
                claim.add(stage, pod, change, self._topology)
                return None
            if is_simple and change is not Failure.REQUIREMENTS:
                claim.refused[stage.number] = None
        return self._open(stage, pod)

    def _open(self, stage: PodStage, pod: RoundPod) -> tuple[Failure, ...] | None:
        """A new claim of the first template that can take the pod."""
        basis = self._basis
        if not basis.templates:
            return (Failure.NO_TEMPLATES,)
        refusals: dict[str, Failure] = {}
        for template, daemons in zip(basis.templates, basis.overheads, strict=True):
            limits = self._limits[template.pool.name]
            types = limits.usable(basis.catalogue, template.types)
            if isinstance(types, Failure):
                refusals[template.pool.name] = types
                continue
            claim = OpenClaim(template, len(self._claims) + 1, types, daemons)
            change = claim.with_pod(stage, pod, self._topology, basis.catalogue, basis.settings.lowers_min_values)
            if isinstance(change, Failure):
                refusals[template.pool.name] = change
                continue
            claim.passed_over = tuple(refusals.items())
            claim.add(stage, pod, change, self._topology)
            self._claims.append(claim)
            self._lowered[template.pool.name] = change.lowered
            limits.take_most(basis.catalogue, claim.types)
            return None
        return tuple(refusals.values())

    def finished(self) -> tuple[tuple[NewClaim, ...], list[PodFailure]]:
        """The claims with their cheapest types, and the pods of those whose types offer too few values."""
        claims: list[NewClaim] = []
        failures: list[PodFailure] = []
        for claim in self._claims:
            made = self._finished(claim)
            if made is None:
                failures += [(pod, (Failure.MIN_VALUES,)) for pod in claim.pods]
            else:
                claims.append(made)
        return tuple(claims), failures

    def _finished(self, claim: OpenClaim) -> NewClaim | None:
        catalogue, settings = self._basis.catalogue, self._basis.settings
        needs = {key: each for key, each in claim.requirements.items() if key != HOSTNAME_LABEL}
        types = by_price(catalogue, claim.types, needs)[: settings.most_types]
        if not settings.lowers_min_values and too_few_values(catalogue, set_of(types), needs):
            return None
        pool = claim.template.pool
        pods, lowered = tuple(claim.pods), self._lowered[pool.name]
        return NewClaim(pool, needs, tuple(types), pods, claim.requests, lowered, claim.passed_over)
