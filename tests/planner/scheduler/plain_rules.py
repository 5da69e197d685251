"""The hard placement rules once more, pod by pod and without any memory, for comparison in property tests."""

from collections.abc import Iterator

from planner.matching.selectors import expression_matches, node_matches
from planner.matching.taints import CORDON_TAINT, tolerated, tolerates_hard_taints
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, UnsatisfiableAction
from planner.state.cluster import Cluster
from planner.state.resources import PODS
from planner.state.specs import PodSpec


def selected(selector: LabelSelector | None, labels) -> bool:
    if selector is None:
        return False
    equal = all(labels.get(key) == value for key, value in selector.match_labels.items())
    return equal and all(expression_matches(part, labels) for part in selector.match_expressions)


def term_means(cluster: Cluster, term: PodAffinityTerm, owner: PodSpec, other: PodSpec) -> bool:
    here = other.namespace in (term.namespaces or (() if term.namespace_selector else (owner.namespace,)))
    by_label = term.namespace_selector is not None and selected(
        term.namespace_selector, cluster.namespace_labels.get(other.namespace, {})
    )
    return (here or by_label) and selected(term.label_selector, other.labels)


def placed(cluster: Cluster) -> Iterator[tuple[int, PodSpec, int]]:
    for node in range(cluster.nodes.count):
        for pod in cluster.node_pods[node]:
            yield pod, cluster.pod_specs[cluster.pods.spec[pod]], node


def broken_rule(cluster: Cluster, spec: PodSpec, node: int) -> str:
    """Which hard rule forbids a pod of the template on the node; empty if none."""
    labels = cluster.node_labels(node)
    if not cluster.nodes.exists[node]:
        return "no such node"
    if cluster.nodes.unschedulable[node] and not tolerated(spec.placement.tolerations, CORDON_TAINT):
        return "cordoned"
    if not tolerates_hard_taints(spec.placement.tolerations, cluster.node_taints(node)):
        return "taint"
    if not node_matches(spec.placement.node_selector, spec.placement.required_terms, labels, cluster.node_name(node)):
        return "node affinity"
    for rule in (_ports, _room, _spread, _affinity, _anti_affinity, _repelled):
        if not rule(cluster, spec, node, labels):
            return rule.__name__
    return ""


def _ports(cluster, spec, node, labels) -> bool:
    there = [port for _, other, at in placed(cluster) if at == node for port in other.placement.host_ports]
    taken = {(port.port, port.protocol) for port in there}
    return all((port.port, port.protocol) not in taken for port in spec.placement.host_ports)


def _room(cluster, spec, node, labels) -> bool:
    free = cluster.nodes.allocatable[node] - cluster.nodes.requested[node]
    return free[PODS] >= 1 and all(asked == 0 or asked <= have for asked, have in zip(spec.request, free, strict=True))


def _spread(cluster, spec, node, labels) -> bool:
    hard = [c for c in spec.placement.spread_constraints if c.when_unsatisfiable is UnsatisfiableAction.DO_NOT_SCHEDULE]
    for constraint in hard:
        key, pods = constraint.topology_key, {}
        for other in range(cluster.nodes.count):
            theirs = cluster.node_labels(other)
            counts = cluster.nodes.exists[other] and all(c.topology_key in theirs for c in hard)
            if counts and node_matches(
                spec.placement.node_selector, spec.placement.required_terms, theirs, cluster.node_name(other)
            ):
                pods.setdefault(theirs[key], 0)
        for pod, theirs, at in placed(cluster):
            value = cluster.node_labels(at).get(key)
            alive = cluster.pods.deletion_us[pod] < 0
            if value in pods and alive and selected(constraint.label_selector, theirs.labels):
                pods[value] += theirs.namespace == spec.namespace
        own = selected(constraint.label_selector, spec.labels)
        if key not in labels or pods.get(labels[key], 0) + own - min(pods.values()) > constraint.max_skew:
            return False
    return True


def _affinity(cluster, spec, node, labels) -> bool:
    terms = spec.placement.required_affinity
    near = [
        (term, at)
        for _, other, at in placed(cluster)
        for term in terms
        if all(term_means(cluster, each, spec, other) for each in terms)
    ]
    pairs = {
        (t.topology_key, cluster.node_labels(at)[t.topology_key])
        for t, at in near
        if t.topology_key in cluster.node_labels(at)
    }
    if not all(term.topology_key in labels for term in terms):
        return False
    first = not pairs and all(term_means(cluster, term, spec, spec) for term in terms)
    return first or all((term.topology_key, labels[term.topology_key]) in pairs for term in terms)


def _anti_affinity(cluster, spec, node, labels) -> bool:
    return not any(
        term_means(cluster, term, spec, other) and _same_domain(cluster, term.topology_key, at, labels)
        for term in spec.placement.required_anti_affinity
        for _, other, at in placed(cluster)
    )


def _repelled(cluster, spec, node, labels) -> bool:
    return not any(
        term_means(cluster, term, other, spec) and _same_domain(cluster, term.topology_key, at, labels)
        for _, other, at in placed(cluster)
        for term in other.placement.required_anti_affinity
    )


def _same_domain(cluster, key, node, labels) -> bool:
    theirs = cluster.node_labels(node)
    return key in labels and key in theirs and theirs[key] == labels[key]
