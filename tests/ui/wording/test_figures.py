"""Digits and units."""

import math

import pytest

from planner.language.translation import in_language
from ui.figures.change import Judgement, change_of
from ui.wording.figures import cores_text, count_text, latency_text, money_text, percent_text, span_text


@pytest.mark.parametrize(("text", "expected"), [
    (percent_text(0.987), "98.7 %"), (percent_text(1.0), "100 %"), (percent_text(0.9996), "99.96 %"),
    (percent_text(0.99996), "99.996 %"), (percent_text(0.0), "0 %"), (percent_text(None), "–"),
    (latency_text(182.4), "182 ms"), (latency_text(10_178.0), "10.2 s"), (latency_text(None), "–"),
    (count_text(1204.0), "1,204"), (count_text(None), "–"),
    (money_text(5.939, "USD"), "$5.94"), (money_text(12_345.6, "EUR"), "€12,346"), (money_text(None, "USD"), "–"),
    (span_text(41.2), "41 s"), (span_text(2.5), "2.5 s"), (span_text(195), "3m 15s"), (span_text(7800), "2h 10m"),
    (span_text(180), "3m"), (span_text(7200), "2h"),
    (span_text(6_900), "1h 55m"), (latency_text(math.inf), "no answer"), (span_text(None), "–"),
])  # fmt: skip
def test_values_have_sensible_digits_and_units(text, expected):
    assert text == expected


@pytest.mark.parametrize(("value", "before", "more_is_better", "verdict", "text"), [
    (2.0, 1.0, True, Judgement.BETTER, "▲ 1 better"), (2.0, 1.0, False, Judgement.WORSE, "▲ 1 worse"),
    (1.0, 2.0, True, Judgement.WORSE, "▼ 1 worse"), (1.0, 2.0, False, Judgement.BETTER, "▼ 1 better"),
    (1.0, 1.0, True, Judgement.SAME, "= baseline"),
])  # fmt: skip
def test_a_difference_says_its_direction_and_its_meaning_without_colour(
    qapp, value, before, more_is_better, verdict, text
):
    change = change_of(value, before, "1", more_is_better=more_is_better)
    assert (change.text, change.verdict) == (text, verdict)


def test_cores_are_counted_in_the_language_of_the_reader():
    assert cores_text(2.5) == "2.5 cores"
    with in_language("ko"):
        assert cores_text(2.5) == "2.5코어"
