"""Which labels a selector matches: label maps, expressions, label selectors and node selector terms.

Source: Kubernetes 1.36, apimachinery/pkg/labels/selector.go, and component-helpers/scheduling/corev1/nodeaffinity.
A selector is anything with the fields of the API type; the plan's models have them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from planner.matching.label_syntax import is_label_key, is_label_value

NAME_FIELD = "metadata.name"
_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_INT64 = 1 << 63


class SelectorOperator(StrEnum):
    """Operators of expressions; Gt and Lt compare node labels as integers."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"


class Expression(Protocol):
    """One expression on a label or field."""

    @property
    def key(self) -> str:
        """Label key, or name of a field."""

    @property
    def operator(self) -> SelectorOperator:
        """How the value is compared."""

    @property
    def values(self) -> tuple[str, ...]:
        """What it is compared with."""


class Selector(Protocol):
    """A label selector: all pairs and all expressions must hold."""

    @property
    def match_labels(self) -> Mapping[str, str]:
        """Labels that must be equal."""

    @property
    def match_expressions(self) -> Sequence[Expression]:
        """Expressions that must hold."""


class NodeTerm(Protocol):
    """A node selector term: all expressions on labels and on fields must hold."""

    @property
    def match_expressions(self) -> Sequence[Expression]:
        """Expressions on the node's labels."""

    @property
    def match_fields(self) -> Sequence[Expression]:
        """Expressions on metadata.name."""


def go_integer(text: str) -> int | None:
    """The value of a decimal 64-bit integer as Go's ParseInt reads it, or None."""
    if not _INTEGER.match(text):
        return None
    value = int(text)
    return value if -_INT64 <= value < _INT64 else None


def has_labels(labels: Mapping[str, str], wanted: Iterable[tuple[str, str]]) -> bool:
    """Whether the labels hold all wanted pairs."""
    return all(labels.get(key) == value for key, value in wanted)


def expression_is_legal(expression: Expression) -> bool:
    """Whether Kubernetes can build a label requirement from the expression."""
    operator, values = expression.operator, expression.values
    if not is_label_key(expression.key) or not all(map(is_label_value, values)):
        return False
    if operator in (SelectorOperator.IN, SelectorOperator.NOT_IN):
        return len(values) > 0
    if operator in (SelectorOperator.EXISTS, SelectorOperator.DOES_NOT_EXIST):
        return not values
    return len(values) == 1 and go_integer(values[0]) is not None


def field_is_legal(expression: Expression) -> bool:
    """Fields know only In and NotIn with exactly one value."""
    return expression.operator in (SelectorOperator.IN, SelectorOperator.NOT_IN) and len(expression.values) == 1


def expression_matches(expression: Expression, labels: Mapping[str, str]) -> bool:
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


def expressions_match(expressions: Iterable[Expression], labels: Mapping[str, str]) -> bool:
    """Whether labels satisfy all expressions; an illegal one is never satisfied."""
    return all(expression_is_legal(part) and expression_matches(part, labels) for part in expressions)


def selector_matches(selector: Selector, labels: Mapping[str, str]) -> bool:
    """Whether a label selector chooses a pod; an empty selector chooses every pod, an illegal one none."""
    return has_labels(labels, selector.match_labels.items()) and expressions_match(selector.match_expressions, labels)


def term_is_legal(term: NodeTerm) -> bool:
    """A term with a malformed part never matches (in preferred terms it fails the attempt)."""
    return all(map(expression_is_legal, term.match_expressions)) and all(map(field_is_legal, term.match_fields))


def term_matches(term: NodeTerm, labels: Mapping[str, str], name: str) -> bool:
    """Whether a node satisfies every part of a term; an empty term matches nothing."""
    if not (term.match_expressions or term.match_fields) or not term_is_legal(term):
        return False
    fields = {NAME_FIELD: name}
    return all(expression_matches(part, labels) for part in term.match_expressions) and all(
        expression_matches(part, fields) for part in term.match_fields
    )


def node_matches(selector: Mapping[str, str], terms: Sequence[NodeTerm], labels: Mapping[str, str], name: str) -> bool:
    """Node selector and required node affinity: all pairs equal and at least one term matching, if there are any."""
    return has_labels(labels, selector.items()) and (
        not terms or any(term_matches(term, labels, name) for term in terms)
    )


def fails(selector: Mapping[str, str], terms: Sequence[NodeTerm], labels: Mapping[str, str], name: str) -> bool:
    """Whether Kubernetes has an error for an answer: no term matches, and one of them is malformed."""
    if not has_labels(labels, selector.items()) or all(map(term_is_legal, terms)):
        return False
    return not any(term_matches(term, labels, name) for term in terms)


def mentions(selector: Mapping[str, str], terms: Iterable[NodeTerm], key: str) -> bool:
    """Whether the answer may depend on this label or on the node's name."""
    return key in selector or any(
        term.match_fields or any(part.key == key for part in term.match_expressions) for term in terms
    )


def named_nodes(terms: Sequence[NodeTerm]) -> tuple[str, ...] | None:
    """The only nodes worth a look if every term names some by field; None if a term does not."""
    union: dict[str, None] = {}
    for term in terms:
        lists = [
            part.values for part in term.match_fields if part.key == NAME_FIELD and part.operator == SelectorOperator.IN
        ]
        if not lists:
            return None
        union.update(dict.fromkeys(name for name in lists[0] if all(name in other for other in lists)))
    return tuple(union) if terms else None
