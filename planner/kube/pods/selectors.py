"""Selectors, affinity terms, tolerations and spread constraints: API JSON to the plan's values."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planner.matching.selectors import SelectorOperator
from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.pods import (
    LabelSelector,
    NodeInclusionPolicy,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)

Json = Mapping[str, Any]

_OPERATORS = frozenset(SelectorOperator)
_VERSIONS = {"ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "ReplicationController": "v1"}
"""Versions of the controllers whose selectors count for spreading; of another group a kind means something else."""
_EFFECTS = frozenset(TaintEffect)


def read_requirement(part: Json) -> NodeSelectorRequirement:
    """One expression. An unknown operator becomes one that is never legal, as Kubernetes treats it.

    Not In without values: on a node's name that would be a short-cut to no node at all.
    """
    operator, values = part.get("operator", ""), tuple(str(value) for value in part.get("values") or ())
    if operator not in _OPERATORS:
        operator, values = SelectorOperator.EXISTS, ("-",)
    return NodeSelectorRequirement(key=part.get("key") or "-", operator=operator, values=values)


def read_term(term: Json) -> NodeSelectorTerm:
    """One node selector term."""
    return NodeSelectorTerm(
        match_expressions=tuple(map(read_requirement, term.get("matchExpressions") or ())),
        match_fields=tuple(map(read_requirement, term.get("matchFields") or ())),
    )


def read_required_terms(affinity: Json) -> tuple[NodeSelectorTerm, ...]:
    """Required terms of a nodeAffinity; a list without terms matches nothing, like one empty term."""
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return ()
    return tuple(map(read_term, required.get("nodeSelectorTerms") or ({},)))


def read_preferred_terms(affinity: Json) -> tuple[PreferredNodeTerm, ...]:
    """Preferred terms of a nodeAffinity."""
    return tuple(
        PreferredNodeTerm(weight=term.get("weight", 0), preference=read_term(term.get("preference") or {}))
        for term in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
    )


def read_tolerations(tolerations: Iterable[Json]) -> tuple[Toleration, ...]:
    """Tolerations that can match; those with other operators (Lt, Gt) or effects never do."""
    out = []
    for entry in tolerations:
        operator, effect = entry.get("operator") or "Equal", entry.get("effect") or None
        if operator not in ("Equal", "Exists") or (effect is not None and effect not in _EFFECTS):
            continue
        out.append(
            Toleration(
                key=entry.get("key") or "",
                operator=TolerationOperator(operator),
                value=entry.get("value") or "",
                effect=None if effect is None else TaintEffect(effect),
            )
        )
    return tuple(out)


def read_label_selector(selector: Json) -> LabelSelector:
    """A label selector."""
    return LabelSelector(
        match_labels=dict(selector.get("matchLabels") or {}),
        match_expressions=tuple(map(read_requirement, selector.get("matchExpressions") or ())),
    )


def read_spread_constraint(constraint: Json) -> TopologySpreadConstraint:
    """One topology spread constraint."""
    selector = constraint.get("labelSelector")
    return TopologySpreadConstraint(
        max_skew=constraint["maxSkew"],
        topology_key=constraint["topologyKey"],
        when_unsatisfiable=UnsatisfiableAction(constraint.get("whenUnsatisfiable", "DoNotSchedule")),
        label_selector=None if selector is None else read_label_selector(selector),
        min_domains=constraint.get("minDomains") or 1,
        node_affinity_policy=NodeInclusionPolicy(constraint.get("nodeAffinityPolicy") or "Honor"),
        node_taints_policy=NodeInclusionPolicy(constraint.get("nodeTaintsPolicy") or "Ignore"),
        match_label_keys=tuple(constraint.get("matchLabelKeys") or ()),
    )


def default_spread_selector(pod: Json, objects: Mapping[str, Sequence[Json]]) -> LabelSelector:
    """Pods counted by the default constraints: those of the pod's Services and of its controller.

    `objects`: services, replicaSets, statefulSets and replicationControllers of the cluster. Empty: no
    default constraints (spec/scheduler.md section 7).
    """
    labels: dict[str, str] = {}
    pod_labels, namespace = pod["metadata"].get("labels") or {}, _namespace(pod)
    for service in objects.get("services", ()):
        wanted = service.get("spec", {}).get("selector")
        if wanted is not None and _namespace(service) == namespace and wanted.items() <= pod_labels.items():
            labels |= wanted
    owner = _controller(pod)
    if owner is None:
        return LabelSelector(match_labels=labels)
    kinds = {("apps/v1", "ReplicaSet"): "replicaSets", ("apps/v1", "StatefulSet"): "statefulSets"}
    version, kind = owner.get("apiVersion") or _VERSIONS.get(owner["kind"], ""), owner["kind"]
    if (version, kind) == ("v1", "ReplicationController"):
        found = _find(objects.get("replicationControllers", ()), namespace, owner["name"])
        return LabelSelector(match_labels=labels | ((found or {}).get("spec", {}).get("selector") or {}))
    found = _find(objects.get(kinds.get((version, kind), ""), ()), namespace, owner["name"])
    selector = read_label_selector((found or {}).get("spec", {}).get("selector") or {})
    equal = tuple(
        NodeSelectorRequirement(key=key, operator=SelectorOperator.IN, values=(value,))
        for key, value in selector.match_labels.items()
    )
    return LabelSelector(match_labels=labels, match_expressions=(*equal, *selector.match_expressions))


def _namespace(thing: Json) -> str:
    return str(thing["metadata"].get("namespace") or "default")


def _controller(pod: Json) -> Json | None:
    owners: list[Json] = [o for o in pod["metadata"].get("ownerReferences") or () if o.get("controller")]
    return owners[0] if owners else None


def _find(things: Iterable[Json], namespace: str, name: str) -> Json | None:
    return next((t for t in things if t["metadata"]["name"] == name and _namespace(t) == namespace), None)
