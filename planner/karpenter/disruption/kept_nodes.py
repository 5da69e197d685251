"""Why nodes are no candidates of consolidation, looked at again only where a node has changed."""

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.candidates import PASSING, Blocker, by_cost, why_kept
from planner.karpenter.disruption.commands import DisruptionCandidate, DisruptionMethod
from planner.karpenter.provider import KarpenterProvider

_METHOD = DisruptionMethod.SINGLE_NODE
"""Multi-node consolidation has the same candidates."""
_Answer = tuple[NodeView, Blocker | None]


class KeptNodes:
    """Remembers what keeps nodes. Budgets of pods change without the nodes, so that with them all is looked at."""

    def __init__(self) -> None:
        self._provider: KarpenterProvider | None = None
        self._view: ClusterView | None = None
        self._known: dict[str, _Answer] = {}
        """By name of the node."""
        self._candidates: list[DisruptionCandidate] | None = None
        """Of the view."""

    def candidates(self, view: ClusterView, provider: KarpenterProvider, now_us: int) -> list[DisruptionCandidate]:
        """The nodes that nothing keeps, in the order of their cost."""
        answers = self._answers(view, provider)
        if self._candidates is None:
            self._candidates = by_cost((node for node, why in answers.values() if why is None), now_us)
        return self._candidates

    def reasons(self, view: ClusterView, provider: KarpenterProvider) -> dict[str, Blocker]:
        """What keeps the nodes of pools, in the order of the view, except those that come or go."""
        pools, known = provider.pool_of, self._answers(view, provider)
        return {
            name: why
            for name, (node, why) in known.items()
            if why is not None and why not in PASSING and node.pool in pools
        }

    def _answers(self, view: ClusterView, provider: KarpenterProvider) -> dict[str, _Answer]:
        if self._view is not view or self._provider is not provider:
            known = self._known if self._provider is provider and not view.budgets else {}
            found: dict[str, _Answer] = {}
            for node in view.nodes:
                name = node.name
                answer = known.get(name)
                if answer is None or answer[0] is not node:
                    answer = node, why_kept(view, node, provider.pool_of, provider.catalogue, _METHOD)
                found[name] = answer
            self._view, self._provider, self._known, self._candidates = view, provider, found, None
        return self._known
