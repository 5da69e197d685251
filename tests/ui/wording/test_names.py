"""Names for labels of one line."""

import pytest

from ui.wording.names import one_line, short_name


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("<h1>Shop</h1>", "<h1>Shop</h1>"),
        ("a\u202egnp.exe", "a gnp.exe"),
        ("two\r\nlines\x07", "two lines"),
        ("\u2066isolated\u2069", "isolated"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_would_turn_or_break_a_line_is_left_out(given, shown):
    assert one_line(given) == shown == short_name(given)


def test_a_very_long_name_is_cut():
    assert short_name("x" * 10_000) == "x" * 59 + "…"
