"""What signs between values do, and which kinds they take.

Source: github.com/expr-lang/expr 1.17.6, checker/checker.go, parser/operator and vm/runtime. Whole numbers stay whole
in sums and products, have 64 bits and wrap around; quotients and powers are doubles.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.plan.values.formula.kinds import (
    ANY,
    DOUBLE,
    NOTHING,
    TRUTH,
    WHOLE,
    ValueKind,
    either,
    element_of,
    is_comparable,
    list_of,
    may_be,
)

_MOST_RANGE = 1_000_000


@dataclass(frozen=True)
class Operator:
    """`binds`: how tightly; `result`: the kind for two kinds, None if it does not take them."""

    binds: int
    apply: Callable[[Any, Any], Any]
    result: Callable[[ValueKind, ValueKind], ValueKind | None]


def whole(value: int) -> int:
    """A whole number of 64 bits, which wraps around."""
    return (value + 2**63) % 2**64 - 2**63


def as_number(value: Any) -> int | float:
    """A value that is a number. Raises TypeError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(value)
    return value


def as_truth(value: Any) -> bool:
    """A value that is true or false. Raises TypeError."""
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def as_list(value: Any) -> list[Any]:
    """A value that is a list. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def is_equal(first: Any, second: Any) -> bool:
    """Whether two values are the same: no number is a condition."""
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_equal, first, second))
    return isinstance(first, bool) == isinstance(second, bool) and bool(first == second)


def added(first: Any, second: Any) -> int | float:
    """The sum of two numbers. Raises TypeError."""
    return _kept(operator.add, as_number(first), as_number(second))


def as_whole(value: Any) -> int:
    """A value that is a whole number. Raises TypeError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(value)
    return value


def _remainder(first: Any, second: Any) -> int:
    """With the sign of the first one."""
    rest = abs(as_whole(first)) % abs(as_whole(second))
    return rest if first >= 0 else -rest


def _kept(apply: Callable[[Any, Any], Any], first: int | float, second: int | float) -> int | float:
    """Of two whole numbers a whole number, else a double."""
    if isinstance(first, int) and isinstance(second, int):
        return whole(apply(first, second))
    found: float = apply(float(first), float(second))
    return found


def _quotient(first: Any, second: Any) -> float:
    """Division of doubles: by zero it is infinite, or no number."""
    a, b = float(as_number(first)), float(as_number(second))
    if b:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _power(first: Any, second: Any) -> float:
    """A power of doubles, which may be infinite or no number."""
    a, b = float(as_number(first)), float(as_number(second))
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf if a > 0 or b % 2 == 0 else -math.inf
    except ValueError:
        if a != 0:
            return math.nan
        return math.copysign(math.inf, a) if b % 2 == 1 else math.inf


def _numbers(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: _kept(apply, as_number(a), as_number(b))


def _compared(apply: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: apply(as_number(a), as_number(b))


def _range(first: Any, second: Any) -> list[int]:
    low, high = as_whole(first), as_whole(second)
    if high - low >= _MOST_RANGE:
        raise OverflowError
    return list(range(low, high + 1))


def _arithmetic(a: ValueKind, b: ValueKind) -> ValueKind | None:
    if not may_be(a, WHOLE, DOUBLE) or not may_be(b, WHOLE, DOUBLE):
        return None
    if ANY in (a, b):
        return ANY
    return DOUBLE if DOUBLE in (a, b) else WHOLE


def _fraction(a: ValueKind, b: ValueKind) -> ValueKind | None:
    return None if _arithmetic(a, b) is None else DOUBLE


def _order(a: ValueKind, b: ValueKind) -> ValueKind | None:
    return None if _arithmetic(a, b) is None else TRUTH


def _whole_only(result: ValueKind) -> Callable[[ValueKind, ValueKind], ValueKind | None]:
    return lambda a, b: result if may_be(a, WHOLE) and may_be(b, WHOLE) else None


def _logic(a: ValueKind, b: ValueKind) -> ValueKind | None:
    return TRUTH if may_be(a, TRUTH) and may_be(b, TRUTH) else None


def _equality(a: ValueKind, b: ValueKind) -> ValueKind | None:
    return TRUTH if is_comparable(a, b) else None


def _membership(a: ValueKind, b: ValueKind) -> ValueKind | None:
    return TRUTH if b is ANY or (b.is_list and is_comparable(a, element_of(b))) else None


def _stand_in(a: ValueKind, b: ValueKind) -> ValueKind:
    return NOTHING if a is NOTHING and b is NOTHING else either(a, b)


OPERATORS: Mapping[str, Operator] = {
    "||": Operator(10, lambda a, b: a or b, _logic),
    "&&": Operator(15, lambda a, b: a and b, _logic),
    "==": Operator(20, is_equal, _equality),
    "!=": Operator(20, lambda a, b: not is_equal(a, b), _equality),
    "<": Operator(20, _compared(operator.lt), _order),
    ">": Operator(20, _compared(operator.gt), _order),
    "<=": Operator(20, _compared(operator.le), _order),
    ">=": Operator(20, _compared(operator.ge), _order),
    "in": Operator(20, lambda a, b: any(is_equal(a, one) for one in as_list(b)), _membership),
    "..": Operator(25, _range, _whole_only(list_of(WHOLE))),
    "+": Operator(30, added, _arithmetic),
    "-": Operator(30, _numbers(operator.sub), _arithmetic),
    "*": Operator(60, _numbers(operator.mul), _arithmetic),
    "/": Operator(60, _quotient, _fraction),
    "%": Operator(60, _remainder, _whole_only(WHOLE)),
    "^": Operator(100, _power, _fraction),
    "**": Operator(100, _power, _fraction),
    "??": Operator(500, lambda a, b: b if a is None else a, _stand_in),
}
"""By sign. && and || look at the right side only where it matters, which the reader of formulas sees to."""
RIGHT_FIRST = ("^", "**")
COMPARISONS = ("<", ">", "<=", ">=")
LOGIC = ("&&", "||")
SIGN_BINDS: Mapping[str, int] = {"!": 50, "-": 90, "+": 90}
"""How tightly a sign before a value binds."""
