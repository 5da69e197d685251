"""Formulas of scaling modifiers: the part of the language expr (expr-lang.org, 1.17) that computes with numbers.

Numbers, the names of triggers, lists, arithmetic, comparisons, logic, `a ? b : c`, `a ?? b`, and functions of numbers.
"""

import math
import operator
import re
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from planner.language.translation import tr

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\*\*|&&|\|\||==|!=|<=|>=|\?\?|[-+*/%^<>!?:(),\[\]]))"
)


def _quotient(a: float, b: float) -> float:
    """Division as of doubles: by zero it is infinite, or no number."""
    if b:
        return a / b
    return math.copysign(math.inf, a) * math.copysign(1.0, b) if a else math.nan


def _power(a: float, b: float) -> float:
    """A power as of doubles, which may be infinite or no number."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf if a > 0 or b % 2 == 0 else -math.inf
    except ValueError:
        return math.inf if a == 0 else math.nan


_BINARY: Mapping[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "||": (10, lambda a, b: a or b),
    "&&": (15, lambda a, b: a and b),
    "==": (20, operator.eq),
    "!=": (20, operator.ne),
    "<": (20, operator.lt),
    ">": (20, operator.gt),
    "<=": (20, operator.le),
    ">=": (20, operator.ge),
    "+": (30, operator.add),
    "-": (30, operator.sub),
    "*": (60, operator.mul),
    "/": (60, _quotient),
    "%": (60, math.fmod),
    "^": (100, _power),
    "**": (100, _power),
    "??": (500, lambda a, b: b if a is None else a),
}
"""Sign, how tightly it binds, and what it does."""
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_UNARY_POWER = 50
_MOST_DEPTH = 64


def _flat(*values: Any) -> list[float]:
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def _count(*values: Any) -> float:
    return float(sum(1 for one in _flat(*values) if one))


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "max": lambda *values: max(_flat(*values)),
    "min": lambda *values: min(_flat(*values)),
    "sum": lambda *values: math.fsum(_flat(*values)),
    "mean": lambda *values: statistics.fmean(_flat(*values)),
    "median": lambda *values: statistics.median(_flat(*values)),
    "abs": abs,
    "ceil": lambda value: float(math.ceil(value)),
    "floor": lambda value: float(math.floor(value)),
    "round": lambda value: math.copysign(math.floor(abs(value) + 0.5), value),
    "int": lambda value: float(int(value)),
    "float": float,
    "len": lambda value: float(len(value)),
    "count": _count,
}
_CONSTANTS: Mapping[str, Any] = {"true": True, "false": False, "nil": None}
_Node = Callable[[Mapping[str, float]], Any]


class FormulaFailed(Exception):
    """A formula has no number as its result."""


class Formula:
    """A formula that can be computed. Raises ValueError, written "problem; remedy", if it is none."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        """`names`: of the triggers."""
        self._tokens, self._at, self._names = _split(text), 0, names
        self._root = self._expression(0, 0)
        if self._at < len(self._tokens):
            raise ValueError(
                tr(
                    "{tokens!r} is not expected in the formula; write an operator before it",
                    tokens=self._tokens[self._at],
                )
            )

    def __call__(self, values: Mapping[str, float]) -> float:
        """The value, which may be infinite or nan; raises FormulaFailed if the formula has none."""
        try:
            value = self._root(values)
        except (ArithmeticError, TypeError, ValueError, IndexError) as error:
            raise FormulaFailed(str(error)) from error
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise FormulaFailed(tr("{value!r} is not a number", value=value))
        return float(value)

    # -- reading ------------------------------------------------------------------------------

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1] if self._at <= len(self._tokens) else ""

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise ValueError(tr("the formula lacks a {sign!r}; write for example max([first, second]) / 2", sign=sign))

    def _expression(self, least: int, depth: int) -> _Node:
        if depth > _MOST_DEPTH:
            raise ValueError(tr("the formula is nested too deeply; split it"))
        left = self._operand(depth)
        while self._peek() in _BINARY and _BINARY[self._peek()][0] >= least:
            sign = self._next()
            power, apply = _BINARY[sign]
            tighter = power if sign in ("^", "**") else power + 1
            left = _binary(sign, apply, left, self._expression(tighter, depth + 1))
        if least == 0 and self._peek() == "?":
            self._next()
            then = self._expression(0, depth + 1)
            self._expect(":")
            left = _choice(left, then, self._expression(0, depth + 1))
        return left

    def _operand(self, depth: int) -> _Node:
        token = self._next()
        if token in ("-", "+", "!"):
            inner = self._expression(_UNARY_POWER, depth + 1)
            return _unary(token, inner)
        if token == "(":
            inner = self._expression(0, depth + 1)
            self._expect(")")
            return inner
        if token == "[":
            return _list_of(self._items("]", depth))
        if token and (token[0].isdigit() or token[0] == "."):
            return _constant(float(token))
        if token in _FUNCTIONS and self._peek() == "(":
            self._next()
            return _call(_FUNCTIONS[token], self._items(")", depth))
        if token in _CONSTANTS:
            return _constant(_CONSTANTS[token])
        if token in self._names:
            return operator.itemgetter(token)
        raise ValueError(
            tr(
                "the formula does not know {token!r}; use names of triggers, numbers and functions",
                token=token or tr("its end"),
            )
        )

    def _items(self, closing: str, depth: int) -> list[_Node]:
        found: list[_Node] = []
        while self._peek() != closing:
            found.append(self._expression(0, depth + 1))
            if self._peek() != closing:
                self._expect(",")
        self._next()
        return found


def _split(text: str) -> list[str]:
    found, at = [], 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(
                tr(
                    "{strip!r} is not understood in a formula; use numbers, names and operators",
                    strip=text[at:].strip()[:20],
                )
            )
        found.append(_WORDS.get(token[0].strip(), token[0].strip()))
        at = token.end()
    return found


def _binary(sign: str, apply: Callable[[Any, Any], Any], left: _Node, right: _Node) -> _Node:
    if sign == "&&":
        return lambda values: left(values) and right(values)
    if sign == "||":
        return lambda values: left(values) or right(values)
    return lambda values: apply(left(values), right(values))


def _unary(sign: str, inner: _Node) -> _Node:
    apply: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "!": operator.not_}
    return lambda values: apply[sign](inner(values))


def _choice(condition: _Node, then: _Node, other: _Node) -> _Node:
    return lambda values: then(values) if condition(values) else other(values)


def _list_of(items: list[_Node]) -> _Node:
    return lambda values: [item(values) for item in items]


def _call(function: Callable[..., Any], items: list[_Node]) -> _Node:
    return lambda values: function(*(item(values) for item in items))


def _constant(value: Any) -> _Node:
    return lambda values: value
