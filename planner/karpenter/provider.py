"""What a provider offers Karpenter, and rounds over views of the cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.counted.claim_memory import ClaimMemory
from planner.karpenter.counted.counted_rounds import CountedRounds
from planner.karpenter.counted.pod_kinds import PodKinds
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.round_basis import RoundBasis, RoundSettings
from planner.karpenter.provisioning.round_view import ViewRounds
from planner.karpenter.provisioning.scheduling_round import RoundResult, first
from planner.karpenter.topology.groups import Choice
from planner.state.resources import ResourceAxis


@dataclass(frozen=True, eq=False)
class KarpenterProvider:
    """What stays the same from round to round."""

    axis: ResourceAxis
    pools: Sequence[PoolRules]
    catalogue: Catalogue
    settings: RoundSettings
    choice: Choice = first
    """Takes one of equally good domains."""
    _last: "_LastView" = field(default_factory=lambda: _LastView(), init=False, repr=False)

    def pool(self, name: str) -> PoolRules | None:
        """The pool of a name."""
        return self.pool_of.get(name)

    @cached_property
    def pool_of(self) -> Mapping[str, PoolRules]:
        """Pools by name."""
        return {pool.name: pool for pool in self.pools}

    def rounds(self, view: ClusterView) -> ViewRounds:
        """Rounds over a view; those over the view of the last call share what was read of it."""
        return self._last.of(view, self).rounds

    def counted(self, view: ClusterView) -> CountedRounds:
        """Counted rounds over a view; shared likewise."""
        return self._last.of(view, self).counted

    def place(self, view: ClusterView, without: Sequence[NodeView], choice: Choice | None = None) -> RoundResult:
        """A round as if some nodes that are not being deleted were gone, played only where numbers do not decide.

        `choice`: instead of the provider's.
        """
        counted = self.counted(view).place(without)
        if counted is not None:
            return counted
        return self.rounds(view).place(frozenset(node.name for node in without), choice)


class _Rounds:
    """Rounds over a view."""

    def __init__(self, view: ClusterView, basis: "_Basis", choice: Choice, before: "_Rounds | None") -> None:
        self._basis = basis
        self.rounds: ViewRounds = ViewRounds(view, basis.basis, choice, None if before is None else before.rounds)

    @cached_property
    def counted(self) -> CountedRounds:
        basis = self._basis
        basis.counted = CountedRounds(self.rounds, basis.kinds, basis.memory, basis.counted)
        return basis.counted


class _Basis:
    """What rounds over different views share."""

    def __init__(self, provider: KarpenterProvider, view: ClusterView) -> None:
        offered = provider.axis, provider.pools, provider.catalogue, provider.settings
        self.basis = RoundBasis(*offered, view.daemons, view.bare_daemons)
        self.kinds = PodKinds(self.basis.shapes)
        self.memory = ClaimMemory(self.basis)
        self.counted: CountedRounds | None = None
        """Those made last."""

    def is_of(self, view: ClusterView) -> bool:
        """Whether rounds over a view share it."""
        return self.basis.daemons is view.daemons and self.basis.bare_daemons == view.bare_daemons


class _LastView:
    """Remembers the rounds over one view, and what they share with those over other views."""

    def __init__(self) -> None:
        self._basis: _Basis | None = None
        self._rounds: _Rounds | None = None

    def of(self, view: ClusterView, provider: KarpenterProvider) -> _Rounds:
        if self._rounds is None or self._rounds.rounds.view is not view:
            if self._basis is None or not self._basis.is_of(view):
                self._basis = _Basis(provider, view)
            self._rounds = _Rounds(view, self._basis, provider.choice, self._rounds)
        return self._rounds


def place_pending(view: ClusterView, provider: KarpenterProvider) -> RoundResult:
    """Where pending pods go, and those of nodes that are being deleted. Without any pool there is no round at all, so
    that not even nodes that exist are looked at (provisioner.go, ErrNodePoolsNotFound).
    """
    if not provider.pools:
        return RoundResult({}, (), (), {})
    return provider.place(view, ())
