"""Functions of a formula that compute something for each element of a list, which `#` stands for.

Without findLast and findLastIndex, which leave rubbish beside their result in this version, so that most formulas with
them fail. Source: github.com/expr-lang/expr 1.17.6, checker/checker.go (BuiltinNode) and compiler/compiler.go.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planner.plan.values.formula.kinds import ANY, NOTHING, TRUTH, WHOLE, ValueKind, element_of, list_of
from planner.plan.values.formula.nodes import FormulaNode, Frame
from planner.plan.values.formula.operators import added, as_list, as_truth

Body = Callable[[Frame], Any]
_Steps = Iterator[tuple[Frame, Any]]


@dataclass(frozen=True)
class Closure:
    """`apply`: its value of a list, for each element of which `body` is computed."""

    apply: Callable[[Frame, list[Any], Body], Any]
    result: Callable[[ValueKind, ValueKind], ValueKind]
    """Of the kinds of the list and of what is computed."""
    asks: bool = True
    """What is computed is a condition."""
    may_stand_alone: bool = False
    """Without anything to compute, elements count as they are."""
    pointers: Mapping[str, ValueKind] | None = None
    """What it knows beside the element."""


def _steps(frame: Frame, items: list[Any], body: Body) -> _Steps:
    for index, one in enumerate(items):
        here = frame._replace(element=one, place=index)
        yield here, body(here)


def _hits(frame: Frame, items: list[Any], body: Body) -> Iterator[tuple[int, Any]]:
    return ((here.place, here.element) for here, found in _steps(frame, items, body) if as_truth(found))


def _all(frame: Frame, items: list[Any], body: Body) -> bool:
    return all(as_truth(found) for _, found in _steps(frame, items, body))


def _any(frame: Frame, items: list[Any], body: Body) -> bool:
    return any(as_truth(found) for _, found in _steps(frame, items, body))


def _count(frame: Frame, items: list[Any], body: Body) -> int:
    return sum(1 for _ in _hits(frame, items, body))


def _sum(frame: Frame, items: list[Any], body: Body) -> Any:
    total: Any = 0
    for _, found in _steps(frame, items, body):
        total = added(found, total)
    return total


def _find(frame: Frame, items: list[Any], body: Body) -> Any:
    return next((one for _, one in _hits(frame, items, body)), None)


def _find_index(frame: Frame, items: list[Any], body: Body) -> int | None:
    return next((index for index, _ in _hits(frame, items, body)), None)


def reduced(list_node: FormulaNode, body: FormulaNode, begin: FormulaNode | None) -> FormulaNode:
    """One value of a list, element by element, from the first one or from another value on. Of none: IndexError."""
    (items, _), (step, kind) = list_node, body

    def value(frame: Frame) -> Any:
        found = as_list(items(frame))
        total = found[0] if begin is None else begin.value(frame)
        for index in range(0 if begin is not None else 1, len(found)):
            total = step(frame._replace(element=found[index], place=index, total=total))
        return total

    return FormulaNode(value, kind)


def over(closure: Closure, list_node: FormulaNode, body: FormulaNode | None) -> FormulaNode | None:
    """The function of a list; None if it does not take what is computed for its elements."""
    items, kind = list_node
    if body is None:
        element = element_of(kind)
        own = FormulaNode(lambda frame: frame.element, element)
        return FormulaNode(
            lambda frame: closure.apply(frame, as_list(items(frame)), own.value), closure.result(kind, element)
        )
    if body.kind is NOTHING or (closure.asks and body.kind not in (TRUTH, ANY)):
        return None
    value = body.value
    return FormulaNode(
        lambda frame: closure.apply(frame, as_list(items(frame)), value), closure.result(kind, body.kind)
    )


def _same_list(items: ValueKind, _: ValueKind) -> ValueKind:
    return list_of(element_of(items))


def _element(items: ValueKind, _: ValueKind) -> ValueKind:
    return element_of(items)


def _always(kind: ValueKind) -> Callable[[ValueKind, ValueKind], ValueKind]:
    return lambda items, body: kind


CLOSURES: Mapping[str, Closure] = {
    "all": Closure(_all, _always(TRUTH)),
    "none": Closure(lambda *given: not _any(*given), _always(TRUTH)),
    "any": Closure(_any, _always(TRUTH)),
    "one": Closure(lambda *given: _count(*given) == 1, _always(TRUTH)),
    "filter": Closure(lambda *given: [one for _, one in _hits(*given)], _same_list),
    "map": Closure(
        lambda *given: [found for _, found in _steps(*given)],
        lambda _, body: list_of(body),
        asks=False,
        pointers={"#index": WHOLE},
    ),
    "count": Closure(_count, _always(WHOLE), may_stand_alone=True),
    "sum": Closure(_sum, lambda _, body: body, asks=False, may_stand_alone=True),
    "find": Closure(_find, _element),
    "findIndex": Closure(_find_index, _always(WHOLE)),
}
REDUCE = "reduce"
REDUCE_POINTERS: Mapping[str, ValueKind] = {"#index": WHOLE, "#acc": ANY}
