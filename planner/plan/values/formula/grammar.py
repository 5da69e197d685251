"""Reads a formula from left to right; what it computes takes only values of the right kinds.

Source: github.com/expr-lang/expr 1.17.6, parser/parser.go and checker/checker.go. Problems are ValueErrors, written
"problem; remedy".
"""

from collections.abc import Mapping
from typing import NoReturn

from planner.language.translation import tr
from planner.plan.values.formula.closures import CLOSURES, REDUCE, REDUCE_POINTERS, over, reduced
from planner.plan.values.formula.functions import FUNCTIONS
from planner.plan.values.formula.kinds import ANY, DOUBLE, NOTHING, TRUTH, WHOLE, ValueKind, element_of, may_be
from planner.plan.values.formula.nodes import (
    POINTERS,
    FormulaNode,
    binary,
    both,
    called,
    choice,
    constant,
    element,
    listed,
    named,
    signed,
    with_name,
)
from planner.plan.values.formula.operators import COMPARISONS, OPERATORS, RIGHT_FIRST, SIGN_BINDS
from planner.plan.values.formula.tokens import is_name, is_number, number, tokens_of

_MOST_DEPTH = 64
_CONSTANTS: Mapping[str, tuple[object, ValueKind]] = {
    "true": (True, TRUTH),
    "false": (False, TRUTH),
    "nil": (None, NOTHING),
}
_LET, _PIPE, _IN, _NOT = "let", "|", "in", "!"


class FormulaReader:
    """One reading of a formula."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        """`names`: of the triggers, all of them doubles."""
        self._tokens, self._at, self._depth = tokens_of(text), 0, 0
        self._names: dict[str, ValueKind] = dict.fromkeys(sorted(names), DOUBLE)
        self._triggers = names
        self._pointers: list[dict[str, ValueKind]] = []

    def root(self) -> FormulaNode:
        """The whole formula."""
        found = self._expression(0)
        if self._at < len(self._tokens):
            raise ValueError(
                tr(
                    "{tokens!r} is not expected in the formula; write an operator before it",
                    tokens=self._tokens[self._at],
                )
            )
        return found

    # -- tokens -------------------------------------------------------------------------------

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _takes(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._at += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise ValueError(tr("the formula lacks a {sign!r}; write for example max([first, second]) / 2", sign=sign))

    # -- expressions --------------------------------------------------------------------------

    def _expression(self, least: int) -> FormulaNode:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise ValueError(tr("the formula is nested too deeply; split it"))
        found = self._let() if least == 0 and self._takes(_LET) else self._operation(least)
        self._depth -= 1
        return found

    def _let(self) -> FormulaNode:
        name = self._next()
        if not is_name(name) or name in self._names or name in FUNCTIONS or name in CLOSURES or name in _CONSTANTS:
            raise ValueError(tr("{name!r} cannot be the name after let; write for example let most = 5;", name=name))
        self._expect("=")
        given = self._expression(0)
        self._expect(";")
        self._names[name] = given.kind
        body = self._expression(0)
        del self._names[name]
        return with_name(name, given, body)

    def _operation(self, least: int) -> FormulaNode:
        left, before = self._operand(), ""
        while True:
            sign, is_not = self._peek(), False
            if sign == _NOT and self._peek(1) == _IN:
                sign, is_not = _IN, True
            if sign == _PIPE and least == 0:
                self._at += 1
                left = self._postfix(self._call(self._next(), left))
            elif sign in OPERATORS and OPERATORS[sign].binds >= least:
                self._at += 1 + is_not
                if before == "??" and sign != "??":
                    raise ValueError(tr("?? stands beside {sign!r}; put one of them into parentheses", sign=sign))
                left = self._chain(left, sign) if sign in COMPARISONS else self._pair(sign, left)
                left = self._signed(_NOT, left) if is_not else left
            else:
                break
            before = sign
        while least == 0 and self._takes("?"):
            left = self._choice(left)
        return left

    def _pair(self, sign: str, left: FormulaNode) -> FormulaNode:
        binds = OPERATORS[sign].binds
        return self._joined(sign, left, self._expression(binds if sign in RIGHT_FIRST else binds + 1))

    def _chain(self, left: FormulaNode, sign: str) -> FormulaNode:
        """Comparisons one after the other hold if all of them do: 1 < a < 5."""
        found: FormulaNode | None = None
        while True:
            right = self._expression(OPERATORS[sign].binds + 1)
            here = self._joined(sign, left, right)
            found, left = here if found is None else both(found, here), right
            if self._peek() not in COMPARISONS:
                return found
            sign = self._next()

    def _joined(self, sign: str, left: FormulaNode, right: FormulaNode) -> FormulaNode:
        found = binary(sign, left, right)
        if found is None and sign == "%":
            raise ValueError(
                tr("% takes whole numbers only, which values of triggers are not; write for example int(first) % 10")
            )
        return found or self._refuse(sign)

    def _choice(self, condition: FormulaNode) -> FormulaNode:
        if not may_be(condition.kind, TRUTH):
            raise ValueError(tr("what is before ? is no condition; write for example first > 5 ? first : 1"))
        then = self._expression(0)
        self._expect(":")
        return choice(condition, then, self._expression(0))

    def _signed(self, sign: str, inner: FormulaNode) -> FormulaNode:
        return signed(sign, inner) or self._refuse(sign)

    def _refuse(self, what: str) -> NoReturn:
        raise ValueError(
            tr("{what!r} does not take what the formula gives it; give it numbers, a list or a condition", what=what)
        )

    # -- operands -----------------------------------------------------------------------------

    def _operand(self) -> FormulaNode:
        token = self._next()
        if token in SIGN_BINDS:
            return self._postfix(self._signed(token, self._expression(SIGN_BINDS[token])))
        if token == "(":
            found = self._expression(0)
            self._expect(")")
            return self._postfix(found)
        if token == "[":
            return self._postfix(listed(self._items("]")))
        if token == "#" and self._pointers:
            return self._postfix(self._pointer())
        if is_number(token):
            value = number(token)
            return constant(value, DOUBLE if isinstance(value, float) else WHOLE)
        if token in _CONSTANTS:
            return constant(*_CONSTANTS[token])
        if is_name(token) and self._peek() == "(":
            return self._postfix(self._call(token, None))
        if token in self._names:
            return self._postfix(named(token, self._names[token]))
        raise ValueError(
            tr(
                "the formula does not know {token!r}; use names of triggers, numbers and functions",
                token=token or tr("its end"),
            )
        )

    def _postfix(self, base: FormulaNode) -> FormulaNode:
        while self._takes("["):
            index = self._expression(0)
            self._expect("]")
            base = element(base, index) or self._refuse("[]")
        return base

    def _pointer(self) -> FormulaNode:
        name = "#" + (self._next() if is_name(self._peek()) and self._peek() != _IN else "")
        kind = self._pointers[-1].get(name)
        return FormulaNode(POINTERS[name], kind) if kind is not None else self._refuse(name)

    def _items(self, closing: str) -> list[FormulaNode]:
        found: list[FormulaNode] = []
        while self._peek() != closing:
            found.append(self._expression(0))
            if self._peek() != closing:
                self._expect(",")
        self._next()
        return found

    # -- calls --------------------------------------------------------------------------------

    def _call(self, name: str, piped: FormulaNode | None) -> FormulaNode:
        """A function; `piped`: its first argument, where that stands before it."""
        self._expect("(")
        if name not in self._triggers:
            if name in CLOSURES or name == REDUCE:
                return self._closure(name, piped)
            if name in FUNCTIONS:
                arguments = ([] if piped is None else [piped]) + self._items(")")
                kind = FUNCTIONS[name].result([one.kind for one in arguments])
                return called(FUNCTIONS[name].apply, kind, arguments) if kind is not None else self._refuse(name)
        known = ", ".join(sorted([*FUNCTIONS, *CLOSURES, REDUCE], key=str.lower))
        raise ValueError(tr("there is no function {name!r} in formulas; use {known}", name=name, known=known))

    def _closure(self, name: str, piped: FormulaNode | None) -> FormulaNode:
        items = piped if piped is not None else self._expression(0)
        if not (items.kind is ANY or items.kind.is_list):
            self._refuse(name)
        may_end = name != REDUCE and CLOSURES[name].may_stand_alone
        if may_end and (self._takes(")") or (self._peek(1) == ")" and self._takes(",") and self._takes(")"))):
            return over(CLOSURES[name], items, None) or self._refuse(name)
        if piped is None:
            self._expect(",")
        body = self._body(items, REDUCE_POINTERS if name == REDUCE else CLOSURES[name].pointers or {})
        begin = self._expression(0) if name == REDUCE and self._takes(",") and self._peek() != ")" else None
        self._takes(",")
        self._expect(")")
        found = reduced(items, body, begin) if name == REDUCE else over(CLOSURES[name], items, body)
        return found or self._refuse(name)

    def _body(self, items: FormulaNode, pointers: Mapping[str, ValueKind]) -> FormulaNode:
        """What is computed for each element; braces around it may stand there or not."""
        has_braces = self._takes("{")
        self._pointers.append({"#": element_of(items.kind), **pointers})
        found = self._expression(0)
        self._pointers.pop()
        if has_braces:
            self._expect("}")
        return found
