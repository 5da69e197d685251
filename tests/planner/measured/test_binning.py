"""Samples of any spacing as values of equal steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.measured.binning import cleaned, means, rates

NAN = np.nan


def series(*pairs):
    times, values = zip(*pairs, strict=True)
    return np.array(times, dtype=float), np.array(values, dtype=float)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        pytest.param([(0, 10), (60, 70), (120, 190)], [1, 2], id="what was counted in a step"),
        pytest.param([(0, 0), (90, 90), (120, 180)], [1, 2], id="samples between the ends of steps"),
        pytest.param([(0, 100), (60, 160), (120, 30)], [1, 0.5], id="a counter that begins anew at 0"),
        pytest.param([(30, 0), (60, 30), (120, 90)], [0.5, 1], id="a first step that is covered in part"),
        pytest.param([(0, 5), (60, 5), (120, 5)], [0, 0], id="a counter at rest"),
        pytest.param([(0, 0), (60, 60), (720, 720), (780, 780)], [1, *[NAN] * 11, 1], id="a gap"),
        pytest.param([(0, 7)], [], id="a single sample says nothing of a rate"),
    ],
)
def test_a_counter_becomes_rates(samples, expected):
    times_s, totals = series(*samples)
    np.testing.assert_allclose(rates(times_s, totals, 60).values, expected)


@given(
    grown=st.lists(st.floats(0, 1e6), min_size=2, max_size=40),
    spacing=st.integers(1, 200),
    step_s=st.sampled_from([15, 60, 300]),
)
def test_rates_add_up_to_what_was_counted(grown, spacing, step_s):
    totals = np.cumsum(grown)
    bins = rates(np.arange(len(totals)) * float(spacing), totals, step_s)
    assert np.nansum(bins.values) * step_s == pytest.approx(totals[-1] - totals[0], rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    ("samples", "holds", "expected"),
    [
        pytest.param([(15, 1), (30, 2), (60, 3), (75, 9)], False, [2, 9], id="the mean of a step"),
        pytest.param([(15, 1), (30, 2), (60, 3), (75, 9)], True, [3, 9], id="the last one of a step"),
        pytest.param([(60, 4), (300, 5)], True, [4, 4, 4, 4, 5], id="a number holds until the next sample"),
        pytest.param([(60, 4), (120, 4), (180, 4), (1200, 5)], True, [*[4] * 8, *[NAN] * 11, 5], id="not beyond a gap"),
    ],
)
def test_a_gauge_becomes_values_of_steps(samples, holds, expected):
    times_s, values = series(*samples)
    np.testing.assert_allclose(means(times_s, values, 60, holds=holds).values, expected)


def test_samples_are_put_in_order_and_of_several_at_a_time_the_last_one_counts():
    clean = cleaned(*series((60, 2), (0, 1), (60, 3), (120, NAN)))
    assert (list(clean.times_s), list(clean.values)) == ([0, 60], [1, 3])
    assert (clean.duplicates, clean.disordered) == (1, True)
