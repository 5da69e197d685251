"""Which labels and nodes selectors choose, the odd ones among them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.matching.selectors import (
    expression_is_legal,
    expression_matches,
    field_is_legal,
    named_nodes,
    node_matches,
    selector_matches,
)
from planner.plan.model.pods.placement import LabelSelector, NodeSelectorRequirement, NodeSelectorTerm

OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
ODD_SIGNS = st.sampled_from(["", "+", "-", "0", "x", " "])


def part(operator, *values, key="n"):
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def names(operator, *values):
    return NodeSelectorTerm(match_fields=(part(operator, *values, key="metadata.name"),))


@pytest.mark.parametrize(
    ("expression", "label", "matches"),
    [
        (part("In", "5", "6"), "5", True),
        (part("In", "5"), None, False),
        (part("NotIn", "5"), None, True),
        (part("NotIn", "5"), "5", False),
        (part("Exists"), "", True),
        (part("DoesNotExist"), None, True),
        (part("Gt", "5"), "6", True),
        (part("Gt", "5"), "5", False),
        (part("Gt", "5"), "+6", True),
        (part("Gt", "5"), "006", True),
        (part("Gt", "5"), "6.0", False),
        (part("Gt", "5"), "1_0", False),
        (part("Gt", "5"), "", False),
        (part("Gt", "5"), None, False),
        (part("Lt", "5"), "-9223372036854775808", True),
        (part("Lt", "5"), "-9223372036854775809", False),
    ],
)
def test_an_expression_compares_a_label(expression, label, matches):
    assert expression_matches(expression, {} if label is None else {"n": label}) is matches


@pytest.mark.parametrize(
    ("expression", "as_label", "as_field"),
    [
        (part("In"), False, False),
        (part("In", "a"), True, True),
        (part("In", "a", "b"), True, False),
        (part("Exists"), True, False),
        (part("Exists", "-"), False, False),
        (part("Gt", "a"), False, False),
        (part("Gt", "1", "2"), False, False),
        (part("In", "a", key="a/b/c"), False, True),
        (part("In", "not a label value"), False, True),
    ],
)
def test_what_kubernetes_would_refuse_is_not_legal(expression, as_label, as_field):
    assert expression_is_legal(expression) is as_label
    assert field_is_legal(expression) is as_field


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        pytest.param([names("In", "a")], ("a",), id="a name is a short-cut"),
        pytest.param([names("In")], (), id="no name leaves no node"),
        pytest.param([names("NotIn", "a")], None, id="an exclusion is none"),
        pytest.param([names("In", "a"), NodeSelectorTerm()], None, id="one term without a name turns it off"),
        pytest.param(
            [NodeSelectorTerm(match_fields=(*names("In", "a").match_fields, *names("In", "b").match_fields))],
            (),
            id="two names in one term exclude each other",
        ),
    ],
)
def test_only_names_that_are_listed_narrow_the_search(terms, found):
    assert named_nodes(terms) == found


@pytest.mark.parametrize(
    ("terms", "matches"),
    [
        ((), True),
        ((NodeSelectorTerm(),), False),
        ((NodeSelectorTerm(match_expressions=(part("Exists", "-"),)), names("In", "a")), True),
        ((names("In", "b"),), False),
    ],
)
def test_one_term_suffices_and_an_empty_one_chooses_no_node(terms, matches):
    assert node_matches({"zone": "a"}, terms, {"zone": "a", "n": "5"}, "a") is matches
    assert not node_matches({"zone": "b"}, terms, {"zone": "a", "n": "5"}, "a")


def test_an_empty_selector_chooses_all_and_an_illegal_one_none():
    assert selector_matches(LabelSelector(), {})
    assert not selector_matches(LabelSelector(match_expressions=(part("In"),)), {"n": "5"})


@given(st.sampled_from(OPERATORS[:4]), st.lists(st.sampled_from("abc"), max_size=2), st.none() | st.sampled_from("abc"))
def test_an_operator_and_its_opposite_never_agree(operator, values, label):
    opposite = {"In": "NotIn", "NotIn": "In", "Exists": "DoesNotExist", "DoesNotExist": "Exists"}[operator]
    labels = {} if label is None else {"n": label}
    one, other = part(operator, *values), part(opposite, *values)
    assert expression_is_legal(one) == expression_is_legal(other)
    if expression_is_legal(one):
        assert expression_matches(one, labels) != expression_matches(other, labels)


@given(ODD_SIGNS, st.integers(-(10**20), 10**20), st.integers(-1000, 1000))
def test_at_most_one_of_greater_and_less_holds(sign, have, limit):
    labels = {"n": f"{sign}{have}"}
    greater, less = (expression_matches(part(operator, str(limit)), labels) for operator in ("Gt", "Lt"))
    assert not (greater and less)
