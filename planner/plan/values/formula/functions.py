"""Functions of a formula, without those that take a condition for each element.

Source: github.com/expr-lang/expr 1.17.6, builtin/builtin.go, lib.go and validation.go.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.plan.values.formula.kinds import ANY, DOUBLE, WHOLE, ValueKind, list_of, may_be
from planner.plan.values.formula.operators import as_list, as_number, whole

Result = Callable[[Sequence[ValueKind]], ValueKind | None]
"""The kind of what a function gives for the kinds of its arguments; None: it does not take them."""


@dataclass(frozen=True)
class Function:
    """A function of values."""

    apply: Callable[..., Any]
    result: Result


def _leaves(values: Sequence[Any]) -> list[Any]:
    return [leaf for one in values for leaf in (_leaves(one) if isinstance(one, list) else (as_number(one),))]


def _extreme(is_better: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    """The largest or the smallest number, nil of none; a value that is no number counts first."""

    def found(*values: Any) -> Any:
        best = None
        for one in _leaves(values):
            if best is None or is_better(one, best):
                best = one
        return best

    return found


def _total(values: Sequence[Any]) -> float:
    total = 0.0
    for one in values:
        total += one
    return total


def _mean(*values: Any) -> float:
    found = _leaves(values)
    return _total(found) / len(found) if found else 0.0


def _median(*values: Any) -> float:
    found = sorted((float(one) for one in _leaves(values)), key=lambda one: (not math.isnan(one), one))
    if not found:
        return 0.0
    middle = len(found) // 2
    return found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2


def _rounded(apply: Callable[[float], float]) -> Callable[[Any], float]:
    def found(value: Any) -> float:
        number = float(as_number(value))
        return apply(number) if math.isfinite(number) else number

    return found


def _round(value: float) -> float:
    """Halves away from zero."""
    whole_part = math.trunc(value)
    return math.copysign(abs(whole_part) + (abs(value - whole_part) >= 0.5), value)


def _int(value: Any) -> int:
    """Cut towards zero; what 64 bits do not hold is the least number, as processors of the kind amd64 say."""
    number = as_number(value)
    if not math.isfinite(number) or not -(2**63) <= number < 2**63:
        return -(2**63)
    return int(number)


def _abs(value: Any) -> int | float:
    number = as_number(value)
    return (whole(-number) if isinstance(number, int) else -number) if number < 0 else number


def _one_number(result: ValueKind | None) -> Result:
    """Of one number; `result` None: of its own kind."""
    return lambda kinds: (result or kinds[0]) if len(kinds) == 1 and may_be(kinds[0], WHOLE, DOUBLE) else None


def _aggregate(kinds: Sequence[ValueKind]) -> ValueKind | None:
    """Of numbers and lists: after the first list, or value of any kind, nothing is looked at any more."""
    for one in kinds:
        if one is ANY or one.is_list:
            return ANY
        if not one.is_number:
            return None
    return kinds[0] if kinds else None


def _one_list(result: Callable[[ValueKind], ValueKind]) -> Result:
    return lambda kinds: result(kinds[0]) if len(kinds) == 1 and (kinds[0] is ANY or kinds[0].is_list) else None


FUNCTIONS: Mapping[str, Function] = {
    "max": Function(_extreme(lambda one, best: one > best), _aggregate),
    "min": Function(_extreme(lambda one, best: one < best), _aggregate),
    "mean": Function(_mean, _aggregate),
    "median": Function(_median, _aggregate),
    "abs": Function(_abs, _one_number(None)),
    "ceil": Function(_rounded(lambda one: float(math.ceil(one))), _one_number(DOUBLE)),
    "floor": Function(_rounded(lambda one: float(math.floor(one))), _one_number(DOUBLE)),
    "round": Function(_rounded(_round), _one_number(DOUBLE)),
    "int": Function(_int, _one_number(WHOLE)),
    "float": Function(lambda value: float(as_number(value)), _one_number(DOUBLE)),
    "len": Function(lambda value: len(as_list(value)), _one_list(lambda _: WHOLE)),
    "first": Function(lambda value: as_list(value)[0] if as_list(value) else None, _one_list(lambda _: ANY)),
    "last": Function(lambda value: as_list(value)[-1] if as_list(value) else None, _one_list(lambda _: ANY)),
    "reverse": Function(lambda value: as_list(value)[::-1], _one_list(lambda _: list_of(ANY))),
}
