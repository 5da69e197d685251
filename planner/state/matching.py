"""Node selectors and node affinity terms as pure functions (spec/scheduler.md section 4)."""

import re
from collections.abc import Iterable, Mapping, Sequence

from planner.plan.model.pods import LabelSelector, NodeSelectorRequirement, NodeSelectorTerm, SelectorOperator

_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?\Z")
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_LABEL_KEY = re.compile(
    r"(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*/)?"
    r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z"
)
_INT64 = 1 << 63


def go_integer(text: str) -> int | None:
    """The value of a decimal 64 bit integer as Go's ParseInt reads it, or None."""
    if not _INTEGER.match(text):
        return None
    value = int(text)
    return value if -_INT64 <= value < _INT64 else None


def expression_is_legal(expression: NodeSelectorRequirement) -> bool:
    """Whether Kubernetes can build a label requirement from the expression."""
    operator, values = expression.operator, expression.values
    if not _LABEL_KEY.match(expression.key) or not all(_LABEL_VALUE.match(value) for value in values):
        return False
    if operator in (SelectorOperator.IN, SelectorOperator.NOT_IN):
        return len(values) > 0
    if operator in (SelectorOperator.EXISTS, SelectorOperator.DOES_NOT_EXIST):
        return not values
    return len(values) == 1 and go_integer(values[0]) is not None


def field_is_legal(expression: NodeSelectorRequirement) -> bool:
    """Fields know only In and NotIn with exactly one value."""
    return expression.operator in (SelectorOperator.IN, SelectorOperator.NOT_IN) and len(expression.values) == 1


def expression_matches(expression: NodeSelectorRequirement, labels: Mapping[str, str]) -> bool:
    """Whether labels satisfy one legal expression."""
    value, operator = labels.get(expression.key), expression.operator
    if operator == SelectorOperator.IN:
        return value is not None and value in expression.values
    if operator == SelectorOperator.NOT_IN:
        return value is None or value not in expression.values
    if operator == SelectorOperator.EXISTS:
        return value is not None
    if operator == SelectorOperator.DOES_NOT_EXIST:
        return value is None
    have, limit = go_integer(value or ""), go_integer(expression.values[0])
    if have is None or limit is None:
        return False
    return have > limit if operator == SelectorOperator.GT else have < limit


def term_is_legal(term: NodeSelectorTerm) -> bool:
    """A term with a malformed part never matches (in preferred terms it fails the attempt)."""
    return all(map(expression_is_legal, term.match_expressions)) and all(map(field_is_legal, term.match_fields))


def term_matches(term: NodeSelectorTerm, labels: Mapping[str, str], name: str) -> bool:
    """Whether a node satisfies every part of a term; an empty term matches nothing."""
    if not (term.match_expressions or term.match_fields) or not term_is_legal(term):
        return False
    fields = {"metadata.name": name}
    return all(expression_matches(part, labels) for part in term.match_expressions) and all(
        expression_matches(part, fields) for part in term.match_fields
    )


def node_matches(
    selector: Mapping[str, str], terms: Sequence[NodeSelectorTerm], labels: Mapping[str, str], name: str
) -> bool:
    """Node selector and required node affinity: all pairs equal and at least one term matching, if there are any."""
    return all(labels.get(key) == value for key, value in selector.items()) and (
        not terms or any(term_matches(term, labels, name) for term in terms)
    )


def mentions(selector: Mapping[str, str], terms: Iterable[NodeSelectorTerm], key: str) -> bool:
    """Whether the answer may depend on this label or on the node's name."""
    return key in selector or any(
        term.match_fields or any(part.key == key for part in term.match_expressions) for term in terms
    )


def selector_matches(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    """Whether a label selector chooses a pod; an empty selector chooses every pod, an illegal one none."""
    return all(labels.get(key) == value for key, value in selector.match_labels.items()) and all(
        expression_is_legal(part) and expression_matches(part, labels) for part in selector.match_expressions
    )
