"""Whether a kubelet runs a pod that no scheduler placed.

Source: Kubernetes 1.36, pkg/kubelet/lifecycle/predicate.go: the pod fails with the first reason found.
"""

from collections.abc import Sequence

from planner.matching.selectors import node_matches
from planner.matching.taints import TolerationLike, tolerates_no_execute_taints
from planner.state.cluster import Cluster
from planner.state.resources import PODS, Amounts
from planner.state.specs import PodSpec, any_conflict

NODE_AFFINITY, NODE_PORTS, TAINT_TOLERATION = "NodeAffinity", "NodePorts", "TaintToleration"


def out_of(names: Sequence[str], allocatable: Amounts, requested: Amounts, request: Amounts) -> str | None:
    """`OutOfpods`, `OutOfcpu` and so on for the first resource that lacks; None if the pod fits.

    `names`: of the columns; amounts are milli-CPU and bytes. What a pod does not request cannot be short, even
    on a node that is over-committed.
    """
    if requested[PODS] + 1 > allocatable[PODS]:
        return "OutOfpods"
    lacking = (request > 0) & (requested + request > allocatable)
    return f"OutOf{names[int(lacking.argmax())]}" if lacking.any() else None


def no_room(cluster: Cluster, spec: PodSpec, node: int) -> str | None:
    """The first resource that a node lacks, else `NodePorts` if a host port is taken; None if the pod has room."""
    lack = _lack(cluster, spec, node)
    return lack or (NODE_PORTS if _ports_taken(cluster, spec, node) else None)


def rejection(cluster: Cluster, spec: PodSpec, node: int, tolerations: Sequence[TolerationLike]) -> str | None:
    """The reason a kubelet fails the pod with; None if it runs it.

    Resources come first, then affinity, host ports, and NoExecute taints. `tolerations`: with those of admission.
    """
    lack = _lack(cluster, spec, node)
    if lack is not None:
        return lack
    labels, name = cluster.node_labels(node), cluster.node_name(node)
    rules = spec.placement
    if not node_matches(rules.node_selector, rules.required_terms, labels, name):
        return NODE_AFFINITY
    if _ports_taken(cluster, spec, node):
        return NODE_PORTS
    return None if tolerates_no_execute_taints(tolerations, cluster.node_taints(node)) else TAINT_TOLERATION


def _lack(cluster: Cluster, spec: PodSpec, node: int) -> str | None:
    """The first resource that lacks; a kubelet does not count volumes."""
    nodes, end = cluster.nodes, cluster.axis.first_volume
    return out_of(cluster.axis.names, nodes.allocatable[node, :end], nodes.requested[node, :end], spec.request[:end])


def _ports_taken(cluster: Cluster, spec: PodSpec, node: int) -> bool:
    """By any pod that is still there, also one that is being deleted."""
    if not spec.placement.host_ports:
        return False
    here = (cluster.pod_specs[cluster.pods.spec[pod]].placement.host_ports for pod in cluster.node_pods[node])
    return any(any_conflict(spec.placement.host_ports, held) for held in here)
