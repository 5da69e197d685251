"""Parts of a formula that was read: what computes their value, and of which kind that is."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from planner.plan.values.formula.kinds import (
    ANY,
    TRUTH,
    WHOLE,
    ValueKind,
    either,
    element_of,
    elements_together,
    list_of,
)
from planner.plan.values.formula.operators import LOGIC, OPERATORS, as_list, as_number, as_truth, whole


class Frame(NamedTuple):
    """What names and # stand for at a moment."""

    values: Mapping[str, Any]
    """By name of trigger, or of `let`."""
    element: Any = None
    place: int = 0
    total: Any = None
    """What `reduce` has so far (#acc)."""


class FormulaNode(NamedTuple):
    """A part of a formula."""

    value: Callable[[Frame], Any]
    """Raises ArithmeticError, TypeError, ValueError or IndexError where there is none."""
    kind: ValueKind


def constant(value: Any, kind: ValueKind) -> FormulaNode:
    """A value that is written out."""
    return FormulaNode(lambda _: value, kind)


def named(name: str, kind: ValueKind) -> FormulaNode:
    """The value of a name."""
    return FormulaNode(lambda frame: frame.values[name], kind)


def binary(sign: str, left: FormulaNode, right: FormulaNode) -> FormulaNode | None:
    """Two values with a sign between them; None if it does not take them."""
    known = OPERATORS[sign]
    kind = known.result(left.kind, right.kind)
    if kind is None:
        return None
    (first, _), (second, _), apply = left, right, known.apply
    if sign in LOGIC:
        decided = sign == "||"
        return FormulaNode(
            lambda frame: decided if as_truth(first(frame)) is decided else as_truth(second(frame)), kind
        )
    if sign == "??":
        return FormulaNode(lambda frame: second(frame) if (found := first(frame)) is None else found, kind)
    return FormulaNode(lambda frame: apply(first(frame), second(frame)), kind)


def both(left: FormulaNode, right: FormulaNode) -> FormulaNode:
    """Whether two comparisons hold."""
    (first, _), (second, _) = left, right
    return FormulaNode(lambda frame: first(frame) and second(frame), TRUTH)


def signed(sign: str, inner: FormulaNode) -> FormulaNode | None:
    """A value with a sign before it; None if it does not take it."""
    value = inner.value
    if sign == "!":
        return FormulaNode(lambda frame: not as_truth(value(frame)), TRUTH) if inner.kind in (TRUTH, ANY) else None
    if not (inner.kind.is_number or inner.kind is ANY):
        return None
    if sign == "+":
        return inner
    return FormulaNode(lambda frame: _negated(as_number(value(frame))), inner.kind)


def _negated(value: int | float) -> int | float:
    return whole(-value) if isinstance(value, int) else -value


def choice(condition: FormulaNode, then: FormulaNode, other: FormulaNode) -> FormulaNode:
    """One value or the other."""
    asked, first, second = condition.value, then.value, other.value
    kind = either(then.kind, other.kind)
    return FormulaNode(lambda frame: first(frame) if as_truth(asked(frame)) else second(frame), kind)


def listed(items: list[FormulaNode]) -> FormulaNode:
    """A list that is written out."""
    values = [item.value for item in items]
    kind = list_of(elements_together([item.kind for item in items]))
    return FormulaNode(lambda frame: [value(frame) for value in values], kind)


def element(base: FormulaNode, index: FormulaNode) -> FormulaNode | None:
    """An element of a list, counted from its end where the index is below 0; None if there is no such thing."""
    if not (base.kind.is_list or base.kind is ANY) or not (base.kind is ANY or index.kind in (WHOLE, ANY)):
        return None
    (items, kind), (place, _) = base, index
    return FormulaNode(lambda frame: as_list(items(frame))[int(as_number(place(frame)))], element_of(kind))


def called(apply: Callable[..., Any], kind: ValueKind, arguments: list[FormulaNode]) -> FormulaNode:
    """A function of values."""
    values = [one.value for one in arguments]
    return FormulaNode(lambda frame: apply(*(value(frame) for value in values)), kind)


def with_name(name: str, given: FormulaNode, body: FormulaNode) -> FormulaNode:
    """A part in which a name stands for a value."""
    (value, _), (inner, kind) = given, body
    return FormulaNode(lambda frame: inner(frame._replace(values={**frame.values, name: value(frame)})), kind)


POINTERS: Mapping[str, Callable[[Frame], Any]] = {
    "#": operator.attrgetter("element"),
    "#index": operator.attrgetter("place"),
    "#acc": operator.attrgetter("total"),
}
"""What a function that looks at each element of a list calls them."""
