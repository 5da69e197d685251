"""Whether a pod would fit on an empty node of a pool, and if not, why; for hints while a plan is edited.

Approximate on purpose: DaemonSet pods are ignored, so that "does not fit" is certain.
"""

from collections.abc import Callable, Collection, Mapping

from planner.language.translation import marked, tr
from planner.matching.selectors import expressions_match
from planner.matching.taints import HARD_EFFECTS, TaintEffect, tolerated
from planner.plan.derived.allocatable import offer_of
from planner.plan.derived.pod_requests import EPHEMERAL_STORAGE, pod_request
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.placement import NodeSelectorTerm
from planner.plan.model.pods.pod_template import PodTemplate
from planner.units import format_bytes, format_cpu

NO_OVERHEAD = Resources()
_TEXTS: Mapping[str, Callable[[int], str]] = {
    "cpu": format_cpu,
    "memory": format_bytes,
    EPHEMERAL_STORAGE: format_bytes,
}
_TITLES: Mapping[str, str] = {"cpu": "CPU", EPHEMERAL_STORAGE: marked("ephemeral storage")}


def pod_cpu_milli(pod: PodTemplate) -> int:
    """CPU a pod requests, milli-CPU; a missing request defaults to the limit."""
    return pod_request(pod, Resources()).get("cpu", 0)


def pod_memory_bytes(pod: PodTemplate) -> int:
    """Memory a pod requests, bytes; a missing request defaults to the limit."""
    return pod_request(pod, Resources()).get("memory", 0)


def why_not(
    pod: PodTemplate,
    group: NodeGroup,
    overhead: Resources = NO_OVERHEAD,
    effects: Collection[TaintEffect] = HARD_EFFECTS,
) -> str | None:
    """Why a pod does not fit on an empty node of the pool; None if it does.

    `overhead`: of its runtime class. `effects`: of the taints that count; a kubelet heeds only NoExecute.
    """
    if group.max_size == 0 and group.initial_size == 0:
        return tr("has no nodes")
    labels = group.node_labels
    for key, value in pod.node_selector.items():
        if labels.get(key) != value:
            return tr("lacks the label {key}={value}", key=key, value=value)
    terms = pod.required_node_affinity
    if terms and not any(_matches(term, labels) for term in terms):
        return tr("does not match the node affinity")
    for taint in group.taints:
        if taint.effect in effects and not tolerated(pod.tolerations, taint):
            return tr("has the taint {key}", key=taint.key)
    return _lack(pod, group, overhead)


def _lack(pod: PodTemplate, group: NodeGroup, overhead: Resources) -> str | None:
    offered = {**_allocatable(group), EPHEMERAL_STORAGE: group.ephemeral_storage, **group.extended}
    for name, amount in pod_request(pod, overhead).items():
        have = offered.get(name, 0)
        if amount > have:
            text = _TEXTS.get(name, str)
            return tr(
                "offers {text} of the {text_2} {get}",
                text=text(have),
                text_2=text(amount),
                get=tr(_TITLES.get(name, name)),
            )
    return None


def most_on_node(pod: PodTemplate, group: NodeGroup, overhead: Resources) -> int:
    """How many such pods an empty node of the pool holds at most."""
    if why_not(pod, group, overhead) is not None:
        return 0
    offered = {**_allocatable(group), EPHEMERAL_STORAGE: group.ephemeral_storage, **group.extended}
    asked = pod_request(pod, overhead).items()
    return min([group.pods, *(offered.get(name, 0) // amount for name, amount in asked if amount)])


def _allocatable(group: NodeGroup) -> Mapping[str, int]:
    """CPU and memory for pods; of a pool whose thresholds no kubelet accepts, which the checks report, all of it."""
    try:
        return offer_of(group).allocatable
    except ValueError:
        return {"cpu": group.cpu, "memory": group.memory}


def _matches(term: NodeSelectorTerm, labels: Mapping[str, str]) -> bool:
    """An empty term matches no node. Names of nodes are not known yet, so fields are taken to match."""
    return bool(term.match_expressions or term.match_fields) and expressions_match(term.match_expressions, labels)
