"""Amounts of money as text."""

import pytest

from planner.plan.model.pricing import CostSettings
from planner.plan.values.money import in_currency, money_text, same_currency


@pytest.mark.parametrize(("amount", "currency", "text"), [
    pytest.param(5.939, "USD", "$5.94", id="the sign of a known code in front"),
    pytest.param(12_345.6, "eur", "€12,346", id="no cents from a thousand on"),
    pytest.param(0.0123, "$", "$0.0123", id="small amounts with four digits"),
    pytest.param(0.0, "£", "£0.00", id="nothing"),
    pytest.param(-0.00004, "USD", "$0.00", id="less than is shown"),
    pytest.param(12.5, "CHF", "12.50 CHF", id="a code without a sign behind"),
    pytest.param(-3.0, "USD", "-$3.00", id="minus before the sign"),
    pytest.param(-3.0, "kr", "-3.00 kr", id="letters behind"),
])  # fmt: skip
def test_amounts_are_written_as_people_read_them(amount, currency, text):
    assert money_text(amount, currency) == text


def test_numbers_that_are_written_already_get_the_currency():
    assert in_currency("0.192", "USD") == "$0.192"


@pytest.mark.parametrize(("one", "other", "expected"), [
    ("USD", "$", True), ("usd", "USD", True), ("EUR", "$", False), ("JPY", "CNY", False), ("CHF", "chf", True),
])  # fmt: skip
def test_a_code_and_its_sign_mean_the_same(one, other, expected):
    assert same_currency(one, other) is same_currency(other, one) is expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=1+1",
        "U S",
        "12",
        "-",
        "ABCDEFGHI",
        "a,b",
        "\x1b[2J",
        "a\x00",
        "\x7f",
        "<b>",
        "\u202eUSD",
        "a\u200b",
        "&lt",
    ],
)
def test_what_is_no_currency_is_refused(text):
    with pytest.raises(ValueError):
        CostSettings(currency=text)


@pytest.mark.parametrize("text", ["USD", "€", "R$", "kr.", "zł", "元", "د.إ", "रु", "CA$"])
def test_codes_and_signs_of_any_country_are_currencies(text):
    assert CostSettings(currency=text).currency == text
