"""What all rounds with the same pools, machine types and DaemonSets share, however the cluster changes."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import NodeView
from planner.karpenter.pods.ignored import is_ignored
from planner.karpenter.pods.shapes import PodShapes
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.daemons import Daemons
from planner.karpenter.provisioning.templates import in_order, templates
from planner.karpenter.requirements.requirements import narrowed, of_labels
from planner.karpenter.topology.domains import PossibleDomains
from planner.matching.taints import TaintEffect
from planner.state.resources import Amounts, ResourceAxis
from planner.state.specs import PodSpec


@dataclass(frozen=True)
class RoundSettings:
    """Flags of Karpenter that a round reads."""

    ignores_preferences: bool = False
    lowers_min_values: bool = False
    """minValues are best effort for new nodes."""
    most_types: int = 600
    """Machine types that a claim may name."""


class RoundBasis:
    """Templates of nodes, stages of pods and room for daemons."""

    def __init__(
        self,
        axis: ResourceAxis,
        pools: Iterable[PoolRules],
        catalogue: Catalogue,
        settings: RoundSettings,
        daemons: Sequence[PodSpec],
        bare_daemons: frozenset[int] = frozenset(),
    ) -> None:
        """`bare_daemons`: numbers of the templates of which there has been no pod yet."""
        self.axis, self.catalogue, self.settings = axis, catalogue, settings
        self.daemons, self.bare_daemons = daemons, bare_daemons
        self.pools = in_order(pools)
        has_soft = any(taint.effect == TaintEffect.PREFER_NO_SCHEDULE for pool in self.pools for taint in pool.taints)
        self.shapes = PodShapes(settings.ignores_preferences, has_soft)
        self.domains = PossibleDomains()
        for pool in self.pools:
            self.domains.add_pool(narrowed(pool.requirements, of_labels(pool.labels)), pool.taints, catalogue)
        nothing = axis.amounts({})
        self.templates, self.left_out = templates(self.pools, catalogue, nothing, settings.lowers_min_values)
        made = Daemons(daemons, nothing, catalogue.well_known, bare_daemons)
        self.overheads = made.on_templates(self.templates)
        """Requests and host ports of the daemons on each template's nodes."""
        self._on_node = made.on_node
        self._expected: dict[Hashable, Amounts] = {}
        self._ignored: dict[int, tuple[PodSpec, bool]] = {}

    def ignores(self, spec: PodSpec) -> bool:
        """Whether no round looks at pods of a template that wait for a node."""
        known = self._ignored.get(spec.index)
        if known is None or known[0] is not spec:
            known = self._ignored[spec.index] = spec, is_ignored(spec.placement, self.catalogue.well_known)
        return known[1]

    def expected(self, node: NodeView) -> Amounts:
        """Requests of the daemons that an existing node is to have; equal for nodes of a kind."""
        known = self._expected.get(node.kind)
        if known is None:
            known = self._expected[node.kind] = self._on_node(of_labels(node.labels), node.scheduling_taints)
        return known
