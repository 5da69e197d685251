"""Taints of nodes that start or are about to go.

Source: Karpenter 1.13, pkg/scheduling/taints.go.
"""

from planner.matching.taints import NodeTaint, TaintEffect

DISRUPTED_TAINT = NodeTaint("karpenter.sh/disrupted", "", TaintEffect.NO_SCHEDULE)
"""On nodes that are about to go."""
UNREGISTERED_TAINT = NodeTaint("karpenter.sh/unregistered", "", TaintEffect.NO_EXECUTE)
_PASSING_TAINTS = (
    ("node.kubernetes.io/not-ready", TaintEffect.NO_SCHEDULE),
    ("node.kubernetes.io/not-ready", TaintEffect.NO_EXECUTE),
    ("node.kubernetes.io/unreachable", TaintEffect.NO_SCHEDULE),
    (UNREGISTERED_TAINT.key, TaintEffect.NO_EXECUTE),
)
_UNINITIALIZED = NodeTaint("node.cloudprovider.kubernetes.io/uninitialized", "true", TaintEffect.NO_SCHEDULE)
_READINESS = "readiness.k8s.io/"


def is_passing_taint(taint: NodeTaint) -> bool:
    """Whether a taint is one that nodes carry while they start."""
    named = (taint.key, taint.effect) in _PASSING_TAINTS
    return named or taint == _UNINITIALIZED or taint.key.startswith(_READINESS)
