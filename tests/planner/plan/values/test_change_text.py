"""The grammar of changes and of uncertain numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.values.change_text import (
    Item,
    parse_change,
    parse_path,
    parse_uncertain,
    path_text,
    value_of,
    value_text,
)


@pytest.mark.parametrize(("text", "steps"), [
    ("nodeGroups[general].maxSize", ("nodeGroups", Item("general"), "maxSize")),
    ('labels["a]=b"].x', ("labels", Item("a]=b"), "x")),
    ("a[0][1]", ("a", Item("0"), Item("1"))),
])  # fmt: skip
def test_a_path_is_read_and_written(text, steps):
    assert parse_path(text) == steps
    assert parse_path(path_text(steps)) == steps


@pytest.mark.parametrize(("text", "value"), [
    ("a = 40", 40), ("a = 2.5", 2.5), ("a = 250m", "250m"), ("a = true", True), ('a = "40"', "40"), ("a = null", None),
    ("a = NaN", "NaN"), ("a = b = c", "b = c"),
])  # fmt: skip
def test_a_value_is_json_or_else_text(text, value):
    assert parse_change(text).value == value


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_the_text_of_a_value_stands_for_it(value):
    assert value_of(value_text(value)) == value


@pytest.mark.parametrize(("text", "problem"), [
    ("maxSize", "is not a change"), ("= 4", "the path is empty"), ("a =", "is not a change"),
    ("a b = 4", "is not a path"), ("[0] = 4", "is not a path"),
])  # fmt: skip
def test_what_is_no_change_is_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_change(text)


@pytest.mark.parametrize(("text", "problem"), [
    ("load = 4", "is not a distribution"), ("load ~ gauss(1, 2)", "choose one of normal"),
    ("load ~ normal(1)", "takes 2 numbers and has 1"), ("load ~ samples()", "has no numbers"),
])  # fmt: skip
def test_what_is_no_distribution_is_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        parse_uncertain(text)


def test_a_distribution_keeps_its_numbers_as_they_were_written():
    found = parse_uncertain("nodeGroups[general].provisioningDelay ~ normal( 2m, 20s )")
    assert (found.kind, found.numbers) == ("normal", ("2m", "20s"))
