"""Options of a scale-up: written and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.record.options import Option, options_code, read_options


@pytest.mark.parametrize(("options", "code"), [
    ((), ""),
    ((Option("blue", 2, 4),), "blue:2:4"),
    ((Option("blue", 2, 4, {"least-waste": 0.5, "price": 12.0}), Option("green", 1, 4)),
     "blue:2:4:least-waste=0.5,price=12 green:1:4"),
])  # fmt: skip
def test_options_are_written_as_one_word_each(options, code):
    assert options_code(options) == code
    assert read_options(code) == options


_names = st.from_regex(r"[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?", fullmatch=True)
_eighths = st.integers(-(10**6), 10**6).map(lambda count: count / 8)
_scores = st.dictionaries(st.sampled_from(["least-waste", "price", "priority", "most-pods"]), _eighths)


@given(st.lists(st.builds(Option, _names, st.integers(1, 10**6), st.integers(0, 10**6), _scores)))
def test_what_was_written_is_read_again(options):
    assert read_options(options_code(options)) == tuple(options)
