"""Taints of nodes that start or are about to go.

Source: Karpenter 1.13, pkg/scheduling/taints.go.
"""

from collections.abc import Iterable, Sequence

from planner.matching.taints import NodeTaint, TaintEffect

DISRUPTED_TAINT = NodeTaint("karpenter.sh/disrupted", "", TaintEffect.NO_SCHEDULE)
"""On nodes that are about to go."""
UNREGISTERED_TAINT = NodeTaint("karpenter.sh/unregistered", "", TaintEffect.NO_EXECUTE)
_PASSING_TAINTS = (
    ("node.kubernetes.io/not-ready", TaintEffect.NO_SCHEDULE),
    ("node.kubernetes.io/not-ready", TaintEffect.NO_EXECUTE),
    ("node.kubernetes.io/unreachable", TaintEffect.NO_SCHEDULE),
    ("node.cloudprovider.kubernetes.io/uninitialized", TaintEffect.NO_SCHEDULE),
    (UNREGISTERED_TAINT.key, TaintEffect.NO_EXECUTE),
)
_READINESS = "readiness.k8s.io/"


def is_passing_taint(taint: NodeTaint) -> bool:
    """Whether a taint is one that nodes carry while they start, whatever its value."""
    return (taint.key, taint.effect) in _PASSING_TAINTS or taint.key.startswith(_READINESS)


def lasting_taints(taints: Iterable[NodeTaint], startup: Iterable[NodeTaint]) -> tuple[NodeTaint, ...]:
    """Those of the taints of a node that starts which stay."""
    return tuple(taint for taint in without_startup(taints, startup) if not is_passing_taint(taint))


def with_startup(taints: Sequence[NodeTaint], startup: Iterable[NodeTaint]) -> tuple[NodeTaint, ...]:
    """Taints of a node with its start-up taints, but for those whose key and effect it has already (Merge)."""
    known = {(taint.key, taint.effect) for taint in taints}
    return (*taints, *(taint for taint in startup if (taint.key, taint.effect) not in known))


def without_startup(taints: Iterable[NodeTaint], startup: Iterable[NodeTaint]) -> tuple[NodeTaint, ...]:
    """Taints of a node when what its start-up taints stand for is there: none of their keys and effects is left, not
    even one of the pool's own (pkg/controllers/nodeclaim/lifecycle/initialization.go).
    """
    passing = {(taint.key, taint.effect) for taint in startup}
    return tuple(taint for taint in taints if (taint.key, taint.effect) not in passing)
