"""Taints of nodes that start or are about to go.

Source: Karpenter 1.13, pkg/scheduling/taints.go.
"""

from collections.abc import Iterable

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
    """Those of the taints of a node that starts which stay; its `startup` taints are known by key and effect alone."""
    passing = {(taint.key, taint.effect) for taint in startup}
    return tuple(t for t in taints if not is_passing_taint(t) and (t.key, t.effect) not in passing)
