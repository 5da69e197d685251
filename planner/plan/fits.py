"""Whether a pod would fit on an empty node of a pool, and if not, why: for hints while a plan is written.

Rough on purpose: pods that every node runs anyway (DaemonSets) are left out, so that "does not fit" is certain.
"""

from collections.abc import Mapping

from planner.plan.node_groups import NodeGroup, Taint, TaintEffect
from planner.plan.pods import (
    Container,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodTemplate,
    SelectorOperator,
    Toleration,
    TolerationOperator,
)
from planner.plan.validate import ZONE_LABEL
from planner.units import format_bytes, format_cpu


def pod_cpu_milli(pod: PodTemplate) -> int:
    """CPU a pod requests, milli-CPU; a limit stands in for a request that is not given."""
    return sum(_first(container.requests.cpu, container.limits.cpu) for container in pod.containers)


def pod_memory_bytes(pod: PodTemplate) -> int:
    """Memory a pod requests, bytes; a limit stands in for a request that is not given."""
    return sum(_first(container.requests.memory, container.limits.memory) for container in pod.containers)


def _first(request: int | None, limit: int | None) -> int:
    return request if request is not None else limit or 0


def why_not(pod: PodTemplate, group: NodeGroup) -> str | None:
    """Why a pod does not fit on an empty node of the pool; None if it does."""
    if group.max_size == 0 and group.initial_size == 0:
        return "has no nodes"
    labels = dict(group.labels) | ({ZONE_LABEL: group.zone} if group.zone else {})
    for key, value in pod.node_selector.items():
        if labels.get(key) != value:
            return f"lacks the label {key}={value}"
    terms = pod.required_node_affinity
    if terms and not any(_matches(term, labels) for term in terms):
        return "does not match the node affinity"
    for taint in group.taints:
        if taint.effect is not TaintEffect.PREFER_NO_SCHEDULE and not _tolerated(taint, pod.tolerations):
            return f"has the taint {taint.key}"
    return _lack(pod, group)


def _lack(pod: PodTemplate, group: NodeGroup) -> str | None:
    cpu, memory = group.cpu - group.reserved_cpu, group.memory - group.reserved_memory
    if pod_cpu_milli(pod) > cpu:
        return f"offers {format_cpu(cpu)} of the {format_cpu(pod_cpu_milli(pod))} CPU"
    if pod_memory_bytes(pod) > memory:
        return f"offers {format_bytes(memory)} of the {format_bytes(pod_memory_bytes(pod))} memory"
    for name, amount in _extended(pod).items():
        if amount > group.extended.get(name, 0):
            return f"offers {group.extended.get(name, 0)} of the {amount} {name}"
    return None


def _extended(pod: PodTemplate) -> Mapping[str, int]:
    total: dict[str, int] = {}
    for container in pod.containers:
        for name, amount in _extended_of(container).items():
            total[name] = total.get(name, 0) + amount
    return total


def _extended_of(container: Container) -> Mapping[str, int]:
    return {**container.limits.extended, **container.requests.extended}


def _matches(term: NodeSelectorTerm, labels: Mapping[str, str]) -> bool:
    """All expressions hold; an empty term matches no node (spec/scheduler.md, node affinity). Names of nodes
    are not known yet, so fields are taken to match.
    """
    given = bool(term.match_expressions or term.match_fields)
    return given and all(_holds(expression, labels.get(expression.key)) for expression in term.match_expressions)


def _holds(expression: NodeSelectorRequirement, value: str | None) -> bool:
    match expression.operator:
        case SelectorOperator.IN:
            return value in expression.values
        case SelectorOperator.NOT_IN:
            return value not in expression.values
        case SelectorOperator.EXISTS:
            return value is not None
        case SelectorOperator.DOES_NOT_EXIST:
            return value is None
    return _compares(expression, value)


def _compares(expression: NodeSelectorRequirement, value: str | None) -> bool:
    try:
        have, bound = int(value or ""), int(expression.values[0])
    except (ValueError, IndexError):
        return False
    return have > bound if expression.operator is SelectorOperator.GT else have < bound


def _tolerated(taint: Taint, tolerations: tuple[Toleration, ...]) -> bool:
    return any(_tolerates(toleration, taint) for toleration in tolerations)


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    if toleration.effect is not None and toleration.effect is not taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    return toleration.operator is TolerationOperator.EXISTS or toleration.value == taint.value
