from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner import units


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1", 1),
        ("250m", Fraction(1, 4)),
        ("1.5", Fraction(3, 2)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("-3", -3),
        ("+3", 3),
        ("1e3", 1000),
        ("1E-3", Fraction(1, 1000)),
        ("2k", 2000),
        ("2M", 2_000_000),
        ("1Ki", 1024),
        ("1.5Gi", 3 << 29),
        ("1E", 10**18),
        ("100n", Fraction(1, 10**7)),
        ("7u", Fraction(7, 10**6)),
    ],
)
def test_quantities_mean_what_kubernetes_says(text, value):
    assert units.parse_quantity(text) == value


_NO_QUANTITIES = ["", " ", "m", "1 Gi", "1gi", "1Kb", "0x10", "1e", "--1", "1,5", "NaN", "inf", "9" * 41]


@pytest.mark.parametrize("text", _NO_QUANTITIES)
def test_what_is_no_quantity_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="250m"):
        units.parse_quantity(text)


@pytest.mark.parametrize(("text", "milli"), [("0.0001", 1), ("250m", 250), ("2", 2000), ("1500u", 2), ("0", 0)])
def test_cpu_is_rounded_up_to_milli(text, milli):
    assert units.parse_cpu_milli(text) == milli


@pytest.mark.parametrize(("text", "count"), [("1m", 1), ("512Mi", 512 << 20), ("1.1", 2), ("1e3", 1000)])
def test_bytes_are_rounded_up_to_whole_ones(text, count):
    assert units.parse_count(text) == count


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("0", 0),
        ("0s", 0),
        ("90s", 90_000_000),
        ("10m", 600_000_000),
        ("1h30m", 5_400_000_000),
        ("250ms", 250_000),
        ("2d", 172_800_000_000),
        ("1.5s", 1_500_000),
        ("0.0001ms", 1),
    ],
)
def test_durations_are_microseconds(text, us):
    assert units.parse_duration_us(text) == us


@pytest.mark.parametrize("text", ["", "90", "s", "-5s", "5 s", "1h 30m", "1w", "1e3s", "5S", "9" * 50 + "s"])
def test_what_is_no_duration_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="1h30m"):
        units.parse_duration_us(text)


@given(st.integers(0, 10**12))
def test_cpu_is_read_back_as_written(milli):
    assert units.parse_cpu_milli(units.format_cpu(milli)) == milli


@given(st.integers(0, 1 << 62))
def test_bytes_are_read_back_as_written(count):
    assert units.parse_count(units.format_bytes(count)) == count


@given(st.integers(0, 400 * units.US_PER_DAY))
def test_durations_are_read_back_as_written(us):
    assert units.parse_duration_us(units.format_duration(us)) == us


@pytest.mark.parametrize(
    ("us", "text"),
    [(0, "0s"), (5_400_000_000, "1h30m"), (90_000_000, "1m30s"), (250_000, "250ms"), (1, "0.001ms")],
)
def test_durations_are_written_shortly(us, text):
    assert units.format_duration(us) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (1, "1"), (1024, "1Ki"), (1536, "1536"), (512 << 20, "512Mi"), (3 << 30, "3Gi")]
)
def test_bytes_are_written_in_the_largest_whole_unit(count, text):
    assert units.format_bytes(count) == text


@pytest.mark.parametrize(
    ("us", "text"),
    [(9_200_000, "9.2s"), (69_200_000, "1m9.2s"), (60_200_000, "1m0.2s"), (200_000, "200ms"), (5_400_000_000, "1h30m")],
)
def test_durations_are_spelled_as_go_does(us, text):
    assert units.format_duration(us) == text
    assert units.parse_duration_us(text) == us
