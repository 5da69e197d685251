"""Pods that wait for a node but that Karpenter leaves alone.

Source: Karpenter 1.13, pkg/controllers/provisioning/provisioner.go (Validate) and pkg/apis/v1 (IsRestrictedLabel,
ValidateRequirement).
"""

from collections.abc import Container, Iterable, Sequence

from planner.karpenter.pods.pod_needs import all_needs
from planner.karpenter.requirements.requirement import RequirementOperator
from planner.karpenter.requirements.requirements import (
    CAPACITY_TYPE_LABEL,
    NODE_POOL_LABEL,
    LabelExpression,
    present_name,
)
from planner.matching.selectors import go_integer
from planner.state.specs import HOSTNAME_LABEL, PodPlacement

_DOMAIN = "karpenter.sh"
_MARKETS = frozenset(("on-demand", "spot", "reserved"))
_BOUNDS = (RequirementOperator.GT, RequirementOperator.LT)


def is_ignored(pod: PodPlacement, well_known: Container[str]) -> bool:
    """Whether no round looks at such a pod: it wants no node of Karpenter, or asks for what Karpenter refuses.

    That are fields of nodes, labels that Karpenter keeps for itself, the hostname among them, and values that cannot
    be. Preferences may ask for anything. `well_known`: labels that anybody may ask for.
    """
    pool = all_needs(pod).get(NODE_POOL_LABEL)
    if pool is not None and pool.operator is RequirementOperator.DOES_NOT_EXIST:
        return True
    if any(_is_refused(key, RequirementOperator.IN, (value,), well_known) for key, value in pod.node_selector.items()):
        return True
    terms = pod.required_terms
    return any(term.match_fields or _refuses(term.match_expressions, well_known) for term in terms)


def _refuses(expressions: Iterable[LabelExpression], well_known: Container[str]) -> bool:
    return any(_is_refused(each.key, each.operator, each.values, well_known) for each in expressions)


def _is_refused(key: str, operator: str, values: Sequence[str], well_known: Container[str]) -> bool:
    label = present_name(key)
    if _is_restricted(label, well_known):
        return True
    if operator in _BOUNDS:
        return any((go_integer(value) or 0) < 0 or go_integer(value) is None for value in values)
    return label == CAPACITY_TYPE_LABEL and operator == RequirementOperator.IN and _MARKETS.isdisjoint(values)


def _is_restricted(label: str, well_known: Container[str]) -> bool:
    domain = label.partition("/")[0] if "/" in label else ""
    is_own = domain == _DOMAIN or domain.endswith(f".{_DOMAIN}") or label == HOSTNAME_LABEL
    return is_own and label not in well_known
