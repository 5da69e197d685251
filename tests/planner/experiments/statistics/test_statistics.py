"""Intervals against their textbooks, and against what they promise."""

import math

import numpy as np
import pytest

from planner.experiments.statistics.best import compared_with_best, equicoordinate_point
from planner.experiments.statistics.estimates import MeanEstimate, mean_interval
from planner.experiments.statistics.influence import influences
from planner.experiments.statistics.paired import DifferenceVerdict, paired_difference
from planner.experiments.statistics.proportions import wilson_interval
from planner.experiments.statistics.quantiles import band_of, quantile_interval
from planner.experiments.statistics.stopping import next_count


def test_an_even_sample_has_the_interval_of_student():
    """Mean 10.5, deviation 5.916, t = 2.0930 for 19 degrees of freedom."""
    found = mean_interval(np.arange(1.0, 21.0))
    assert found.mean == 10.5
    assert found.half_width == pytest.approx(2.0930 * math.sqrt(35.0) / math.sqrt(20), rel=1e-4)


def test_a_skewed_sample_has_the_longer_side_where_its_tail_is():
    found = mean_interval(np.exp(np.linspace(-2.5, 2.5, 30)))
    assert found.method == "bootstrap"
    assert found.high - found.mean > 1.2 * (found.mean - found.low)


def test_equal_values_are_exact_and_one_value_says_nothing_of_its_spread():
    assert mean_interval(np.full(7, 0.1)) == MeanEstimate(0.1, 0.1, 0.1, 7, "constant")
    assert mean_interval(np.array([0.1])).half_width == math.inf


@pytest.mark.parametrize("draw", [
    pytest.param(lambda rng, n: rng.normal(1.0, 1.0, n), id="normal"),
    pytest.param(lambda rng, n: rng.gamma(4.0, 0.25, n), id="skewed a little"),
])  # fmt: skip
def test_intervals_hold_the_true_mean_as_often_as_they_say(draw):
    rng = np.random.default_rng(5)
    hits = [found.low <= 1.0 <= found.high for found in (mean_interval(draw(rng, 20)) for _ in range(400))]
    assert 0.92 <= np.mean(hits) <= 0.98


def test_pairs_are_compared_by_their_differences():
    luck = np.random.default_rng(1).normal(0.0, 10.0, 20)
    found = paired_difference(luck, luck + 1.0 + np.linspace(-0.1, 0.1, 20))
    assert found.verdict is DifferenceVerdict.HIGHER
    assert found.estimate.half_width < 0.1
    assert found.correlation > 0.99


def test_a_plan_and_itself_differ_by_exactly_nothing():
    luck = np.random.default_rng(1).normal(0.0, 10.0, 20)
    found = paired_difference(luck, luck.copy())
    assert (found.verdict, found.estimate.low, found.estimate.high) == (DifferenceVerdict.SAME, 0.0, 0.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("few", [10, 30])
def test_what_differs_by_rounding_alone_is_no_difference(few):
    """Sums in another order: one figure varies by its last digit, and two plans differ by that."""
    values = np.where(np.arange(few) % 2, 1.0, np.nextafter(1.0, 2.0))
    assert mean_interval(values).half_width < 1e-15
    assert paired_difference(values, values[::-1]).verdict is DifferenceVerdict.SAME
    assert paired_difference(values, np.nextafter(values, 2.0)).verdict is DifferenceVerdict.SAME


def test_more_comparisons_have_wider_intervals():
    a, b = np.random.default_rng(2).normal(0.0, 1.0, (2, 30))
    assert paired_difference(a, b, 0.95, 5).estimate.half_width > paired_difference(a, b).estimate.half_width


def test_the_interval_of_wilson():
    """Wilson 1927: 0 of 20 gives 0 to 0.1611."""
    found = wilson_interval(0, 20)
    assert (found.mean, found.low) == (0.0, pytest.approx(0.0, abs=1e-12))
    assert found.high == pytest.approx(0.1611, abs=1e-4)


def test_a_quantile_lies_between_order_statistics():
    """Of 20 values, the 6th and the 15th bound the median with 95.9 %."""
    found = quantile_interval(np.arange(1.0, 21.0), 0.5)
    assert (found.value, found.low, found.high) == (10.0, 6.0, 15.0)
    assert quantile_interval(np.arange(1.0, 6.0), 0.05).low == -math.inf


@pytest.mark.parametrize(
    ("others", "degrees", "point"), [(1, 10, 1.812), (2, 10, 2.151), (4, 20, 2.304), (3, 15, 2.24)]
)
def test_the_critical_points_of_the_comparison_with_the_best(others, degrees, point):
    """Dunnett 1955, one-sided, 95 %."""
    assert equicoordinate_point(0.95, others, degrees) == pytest.approx(point, abs=5e-3)


def test_the_best_of_several_plans_is_told_from_the_others():
    luck = np.random.default_rng(3).normal(0.0, 10.0, 20)
    noise = np.random.default_rng(4).normal(0.0, 0.1, (3, 20))
    cheap, alike, dear = compared_with_best(np.array([[1.0], [1.01], [3.0]]) + luck + noise, lowest=True)
    assert dear.low == 0.0 and dear.high > 1.8
    assert cheap.low < 0.0 < cheap.high and alike.low < 0.0 < alike.high


def test_the_best_is_found_as_often_as_promised():
    rng, hits = np.random.default_rng(7), 0
    for _ in range(200):
        table = np.array([[0.0], [0.3], [0.5], [1.0]]) + rng.normal(0.0, 1.0, (4, 12))
        found = compared_with_best(table, lowest=False)
        true = [-1.0, -0.7, -0.5, 0.5]
        hits += all(one.low <= value <= one.high for one, value in zip(found, true, strict=True))
    assert hits >= 0.95 * 200 - 8


def test_a_band_holds_nine_in_ten_at_every_moment_and_leaves_out_what_is_missing():
    series = np.arange(100.0)[:, None] * np.array([1.0, 2.0, np.nan])
    series[0, 1] = np.nan
    found = band_of(series)
    assert (found.low[0], found.middle[0], found.high[0]) == (4.0, 49.0, 94.0)
    assert found.high[1] == 190.0 and np.isnan(found.middle[2])


def test_seeds_are_added_with_the_square_of_what_is_missing_and_within_the_budget():
    wide = MeanEstimate(100.0, 98.0, 102.0, 10)
    assert next_count([(wide, 100.0)], 0.02, 200) == 10
    assert next_count([(wide, 100.0)], 0.016, 200) == 16
    assert next_count([(wide, 100.0)], 0.001, 200) == 20
    assert next_count([(wide, 100.0)], 0.001, 15) == 15
    assert next_count([(MeanEstimate(0.0, 0.0, 0.0, 10, "constant"), 0.0)], 0.02, 200) == 10


def test_the_input_that_moves_a_figure_comes_first():
    rng = np.random.default_rng(9)
    load, boot = rng.normal(size=(2, 40))
    found = influences({"boot": boot, "load": load}, np.exp(load) + 0.1 * boot)
    assert [one.path for one in found] == ["load", "boot"]
    assert found[0].share > 0.9
    assert influences({"load": load}, np.ones(40)) == ()
