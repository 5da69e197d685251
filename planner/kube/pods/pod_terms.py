"""Selectors, affinity, tolerations and spread constraints of a pod, in the spelling of plan files."""

from typing import Any

from planner.kube.draft.draft import Part, given
from planner.kube.files.field import Field
from planner.matching.selectors import SelectorOperator
from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.pods.placement import NodeInclusionPolicy, UnsatisfiableAction

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_LABEL_OPERATORS = (
    SelectorOperator.IN, SelectorOperator.NOT_IN, SelectorOperator.EXISTS, SelectorOperator.DOES_NOT_EXIST
)  # fmt: skip


def label_selector(field: Field) -> Part | None:
    """A label selector; None where none is given, which chooses nothing."""
    if not field.is_given:
        return None
    expressions = [_requirement(part, _LABEL_OPERATORS) for part in field.at("matchExpressions").items()]
    return given(match_labels=field.at("matchLabels").labels(), match_expressions=expressions)


def affinity_terms(affinity: Field) -> Part:
    """All terms of `spec.affinity`."""
    node, near, far = affinity.at("nodeAffinity"), affinity.at("podAffinity"), affinity.at("podAntiAffinity")
    return given(
        required_node_affinity=required_node_terms(node.at(REQUIRED)),
        preferred_node_affinity=[
            {"weight": part.at("weight").whole() or 0, "preference": node_term(part.at("preference"))}
            for part in node.at(PREFERRED).items()
        ],
        required_pod_affinity=[_pod_term(part) for part in near.at(REQUIRED).items()],
        required_pod_anti_affinity=[_pod_term(part) for part in far.at(REQUIRED).items()],
        preferred_pod_affinity=[_weighted(part) for part in near.at(PREFERRED).items()],
        preferred_pod_anti_affinity=[_weighted(part) for part in far.at(PREFERRED).items()],
    )


def required_node_terms(field: Field) -> list[Part]:
    """A NodeSelector; one without terms chooses no node, as an empty term does."""
    if not field.is_given:
        return []
    return [node_term(part) for part in field.at("nodeSelectorTerms").items()] or [{}]


def node_term(field: Field) -> Part:
    """A node selector term."""
    return given(
        match_expressions=[_requirement(part, SelectorOperator) for part in field.at("matchExpressions").items()],
        match_fields=[_requirement(part, SelectorOperator) for part in field.at("matchFields").items()],
    )


def spread_constraints(field: Field) -> list[Part]:
    """Topology spread constraints."""
    return [spread_constraint(part) for part in field.items()]


def spread_constraint(field: Field) -> Part:
    """One topology spread constraint."""
    part = given(
        max_skew=field.at("maxSkew").whole(),
        topology_key=field.at("topologyKey").required_text(),
        when_unsatisfiable=field.at("whenUnsatisfiable").choice(UnsatisfiableAction),
        min_domains=field.at("minDomains").whole(),
        node_affinity_policy=field.at("nodeAffinityPolicy").choice(NodeInclusionPolicy),
        node_taints_policy=field.at("nodeTaintsPolicy").choice(NodeInclusionPolicy),
        match_label_keys=field.at("matchLabelKeys").texts(),
    )
    return part | _selector("labelSelector", field)


def _pod_term(field: Field) -> Part:
    part = given(
        topology_key=field.at("topologyKey").required_text(),
        namespaces=field.at("namespaces").texts(),
        match_label_keys=field.at("matchLabelKeys").texts(),
        mismatch_label_keys=field.at("mismatchLabelKeys").texts(),
    )
    return part | _selector("labelSelector", field) | _selector("namespaceSelector", field)


def _weighted(field: Field) -> Part:
    return {"weight": field.at("weight").whole() or 0, "podAffinityTerm": _pod_term(field.at("podAffinityTerm"))}


def _selector(name: str, field: Field) -> Part:
    """An empty selector chooses all, a missing one nothing: both must survive."""
    selector = label_selector(field.at(name))
    return {} if selector is None else {name: selector}


def _requirement(field: Field, operators: Any) -> Part:
    operator = field.at("operator")
    operator.required_text()
    values = [_value(part) for part in field.at("values").items()]
    return given(key=field.at("key").required_text(), operator=operator.choice(operators), values=values)


def _value(field: Field) -> str:
    """Values are text; numbers without quotes are a common slip that kubectl refuses."""
    return field.text() or ""


def toleration(field: Field) -> Part:
    """One toleration of a pod."""
    effect = field.at("effect").text() and field.at("effect").choice(TaintEffect)
    return given(
        key=field.at("key").text() or None,
        operator=field.at("operator").text() and field.at("operator").choice(TolerationOperator) or None,
        value=field.at("value").text() or None,
        effect=effect or None,
        toleration_seconds=field.at("tolerationSeconds").seconds(),
    )
