"""Whether a kubelet has room for a pod that no scheduler brought (spec/cluster-model.md section 3).

Source: Kubernetes 1.36, pkg/kubelet/lifecycle/predicate.go: the pod fails with the first reason that is found.
"""

from collections.abc import Mapping, Sequence

from planner.plan.pods import NodeSelectorTerm
from planner.state.matching import node_matches
from planner.state.resources import PODS, Amounts

NODE_AFFINITY = "NodeAffinity"


def out_of(names: Sequence[str], allocatable: Amounts, requested: Amounts, request: Amounts) -> str | None:
    """`OutOfpods`, `OutOfcpu` and so on for the first resource that lacks; None if the pod fits.

    `names`: of the columns; amounts are milli-CPU and bytes. What a pod does not ask for cannot lack, even on a
    node that is over-committed.
    """
    if requested[PODS] + 1 > allocatable[PODS]:
        return "OutOfpods"
    lacking = (request > 0) & (requested + request > allocatable)
    return f"OutOf{names[int(lacking.argmax())]}" if lacking.any() else None


def rejection(
    lack: str | None,
    selector: Mapping[str, str],
    terms: Sequence[NodeSelectorTerm],
    labels: Mapping[str, str],
    node_name: str,
) -> str | None:
    """The reason a kubelet fails the pod with, room first; None if it runs it."""
    if lack is not None:
        return lack
    return None if node_matches(selector, terms, labels, node_name) else NODE_AFFINITY
