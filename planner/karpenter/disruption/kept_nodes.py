"""Why nodes are no candidates of consolidation, looked at again only where a node has changed."""

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.candidates import PASSING, Blocker, blocker, method_blocker
from planner.karpenter.disruption.commands import DisruptionMethod
from planner.karpenter.provider import KarpenterProvider

_METHOD = DisruptionMethod.SINGLE_NODE
_Answer = tuple[NodeView, Blocker | None]


class KeptNodes:
    """Remembers what keeps nodes. Budgets of pods change without the nodes, so that with them all is looked at."""

    def __init__(self) -> None:
        self._provider: KarpenterProvider | None = None
        self._known: dict[str, _Answer] = {}
        """By name of the node."""

    def of(self, view: ClusterView, provider: KarpenterProvider) -> dict[str, Blocker]:
        """What keeps the nodes of pools, in the order of the view, except those that come or go."""
        known = self._known if self._provider is provider and not view.budgets else {}
        found: dict[str, _Answer] = {}
        for node in view.nodes:
            answer = known.get(node.name)
            found[node.name] = answer if answer is not None and answer[0] is node else _answer(view, provider, node)
        self._provider, self._known = provider, found
        return {name: why for name, (_, why) in found.items() if why is not None}


def _answer(view: ClusterView, provider: KarpenterProvider, node: NodeView) -> _Answer:
    pool = provider.pool_of.get(node.pool)
    if pool is None:
        return node, None
    why = blocker(view, node, provider.pool_of, _METHOD)
    why = why or method_blocker(node, pool, provider.catalogue, _METHOD)
    return node, None if why in PASSING else why
