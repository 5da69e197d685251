"""Formulas of scaling modifiers."""

import math

import pytest

from planner.plan.values.formula import Formula, FormulaFailed

VALUES = {"a": 6.0, "b": 3.0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(a + b)/2", 4.5),
        ("a - b - 1", 2),
        ("2 ** 3 ** 2", 512),
        ("-a ** 2", -36),
        ("a > 5 ? 10 : 1", 10),
        ("a > 5 && b > 5 ? 10 : b < 4 || a == 1 ? 7 : 1", 7),
        ("not (a > 5) ? 1 : 2", 2),
        ("max([a, b])", 6),
        ("min(a, b) + sum([a, b])", 12),
        ("ceil(b / 2) + floor(2.7) + abs(-1) + round(2.5)", 8),
        ("a % 4", 2),
        ("a / (b - 3)", math.inf),
        ("a ** 1000 ** 10", math.inf),
        ("(b - 3) / (b - 3)", math.nan),
        ("(-a) ** 0.5", math.nan),
    ],
)
def test_a_formula_has_a_value(text, value):
    assert Formula(text, frozenset(VALUES))(VALUES) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("text", ["a +", "(a", "a b", "c", "max(a", "a $ b", "", "(" * 200 + "a"])
def test_a_text_that_is_no_formula_is_refused_with_a_remedy(text):
    with pytest.raises(ValueError, match=";"):
        Formula(text, frozenset(VALUES))


@pytest.mark.parametrize("text", ["a > 1", "max([])", "a % 0"])
def test_a_formula_without_a_number_fails(text):
    with pytest.raises(FormulaFailed):
        Formula(text, frozenset(VALUES))(VALUES)
