"""Formulas of scaling modifiers."""

import math

import pytest

from planner.plan.values.formula.formula import Formula, FormulaFailed

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
        ("int(a) % 4", 2),
        ("-int(a) % 4", -2),
        ("-b ** 2", -9),
        ("1 < b <= 3 ? 7 : 1", 7),
        ("1_000 + 7 / 2", 1003.5),
        ("let most = max(a, b); most * 2", 12),
        ("count([a > 5, b > 5])", 1),
        ("count([a, b], # > 2) + len(filter([a, b, 1], {# > 2}))", 4),
        ("sum([a, b], # > 3 ? # : 0)", 6),
        ("sum(map([a, b], # * (#index + 1)))", 12),
        ("[a, b, 0.5] | filter(# in [a, 0.5]) | min()", 0.5),
        ("any([a, b], # > 5) && !all([a, b], # > 5) && one([a, b], # == 3) && none([a], # < 0) ? 4 : 1", 4),
        ("(find([b, a], # > 5) ?? 0) + (findIndex([b, a], # > 5) ?? 0)", 7),
        ("reduce([a, b, 2], #acc * #)", 36),
        ("reduce([a, b], #acc + #index, 10)", 11),
        ("reduce([a, b], #acc + reduce([1, 2], #acc + #), 0)", 6),
        ("[a, b][-1] ?? 1", 3),
        ("9223372036854775807 + int(a)", -9223372036854775803),
        ("a / (b - 3)", math.inf),
        ("a ** 1000 ** 10", math.inf),
        ("(b - 3) / (b - 3)", math.nan),
        ("(-a) ** 0.5", math.nan),
    ],
)
def test_a_formula_has_a_value(text, value):
    assert Formula(text, frozenset(VALUES))(VALUES) == pytest.approx(value, nan_ok=True)


REFUSED = [
    "a +", "(a", "a b", "c", "max(a", "a $ b", "", "(" * 200 + "a", "b", "max()", "12abc", "a ?? b + 1",
    "# + 1", "map([a], #acc)", "let a = 1; b", "upper(a)", "sum(a, b)", "9223372036854775808",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_that_is_no_formula_is_refused_with_a_remedy(text):
    with pytest.raises(ValueError, match=";"):
        Formula(text, frozenset(VALUES) - {text})


@pytest.mark.parametrize(
    "text", ["a > 1", "[a, b]", "a % 4", "1.0 % 2", "a ? 1 : 2", "a > 1 + true", "filter([a], # + 1)[0]"]
)
def test_values_of_the_wrong_kind_are_refused(text):
    with pytest.raises(ValueError, match=";"):
        Formula(text, frozenset(VALUES))


@pytest.mark.parametrize("text", ["max([])", "1 % 0", "[a, b][2]", "find([a], # > 0) + 1", "nil ?? first([true])"])
def test_a_formula_that_fails_when_all_triggers_say_minus_one_is_refused(text):
    with pytest.raises(ValueError, match="-1"):
        Formula(text, frozenset(VALUES))


@pytest.mark.parametrize("text", ["1 % (int(a) - 6)", "[a, b][int(a)]", "find([a, b], # < 0) * 1"])
def test_a_formula_may_fail_for_the_values_of_a_moment(text):
    with pytest.raises(FormulaFailed):
        Formula(text.replace("int(a)]", "a > 0 ? 6 : 0]"), frozenset(VALUES))(VALUES)
