"""Reduction keeps every peak and dip, whatever the order of arrival."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.plots.curves.envelope import Envelope

VALUES = st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), min_size=1, max_size=400)


def filled(values, cuts=()):
    envelope = Envelope()
    for part in np.split(np.array(values), sorted(cuts)):
        envelope.append(part)
    return envelope, np.arange(len(values), dtype=float)


@given(VALUES, st.integers(1, 60), st.data())
def test_the_smallest_and_largest_values_in_view_are_drawn(values, pixels, data):
    envelope, times = filled(values)
    start = data.draw(st.integers(0, len(values) - 1))
    end = data.draw(st.integers(start, len(values) - 1))
    drawn = envelope.window(times, start, end, pixels)
    inside = np.array(values)[start : end + 1]
    if np.isfinite(inside).any():
        assert np.fmin.reduce(drawn.y) <= np.fmin.reduce(inside)
        assert np.fmax.reduce(drawn.y) >= np.fmax.reduce(inside)
        assert np.isin(drawn.y[np.isfinite(drawn.y)], values).all()


@given(VALUES, st.integers(1, 60))
def test_at_most_about_two_points_per_pixel_are_drawn(values, pixels):
    envelope, times = filled(values)
    drawn = envelope.window(times, 0, len(values), pixels)
    # A last incomplete bucket is drawn value by value.
    assert len(drawn.x) == len(drawn.y) <= 2 * pixels + 2 * len(values) / pixels + 2


@given(VALUES, st.lists(st.integers(0, 400), max_size=5), st.integers(1, 60))
def test_values_may_arrive_in_chunks_of_any_size(values, cuts, pixels):
    whole, times = filled(values)
    parts, _ = filled([])
    for part in np.split(np.array(values), sorted(min(cut, len(values)) for cut in cuts)):
        parts.append(part)
        parts.window(times, 0, len(parts), pixels)
    expected, got = whole.window(times, 0, len(values), pixels), parts.window(times, 0, len(values), pixels)
    np.testing.assert_array_equal(expected.x, got.x)
    np.testing.assert_array_equal(expected.y, got.y)


@given(VALUES, st.integers(1, 60))
def test_times_are_increasing(values, pixels):
    envelope, times = filled(values)
    assert (np.diff(envelope.window(times, 0, len(values), pixels).x) > 0).all()


def test_a_single_peak_among_a_hundred_thousand_values_is_kept():
    values = np.zeros(100_000)
    values[61_803] = 7.0
    envelope, times = filled(values)
    drawn = envelope.window(times, 0, 100_000, 800)
    assert drawn.y.max() == 7.0
    assert len(drawn.x) <= 1700


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param(10, 13, [10, 11, 12, 13], id="borders on values"),
        pytest.param(10.5, 12.5, [10, 11, 12, 13], id="one beyond either end, so that the line reaches the edge"),
        pytest.param(98, 300, [98, 99], id="past the end"),
    ],
)
def test_few_values_are_drawn_as_they_are(start, end, expected):
    envelope, times = filled(np.arange(100.0))
    assert envelope.window(times, start, end, 100).y.tolist() == expected


def test_without_values_nothing_is_drawn():
    assert len(Envelope().window(np.empty(0), 0, 10, 100).x) == 0
