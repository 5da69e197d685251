"""Robust estimates: near the truth, and inside their intervals as often as these say."""

import numpy as np
import pytest

from planner.measured.calibration.regression import line_fit, median_estimate, slope_estimate


def _lasting(random, count, correlation):
    """Errors of deviation 1, each of which keeps a part of the one before."""
    errors = np.zeros(count)
    for at in range(1, count):
        errors[at] = correlation * errors[at - 1] + random.normal(0, np.sqrt(1 - correlation**2))
    return errors


def observed(seed, count=400, correlation=0.7, outliers=0.05):
    """Use over load with errors of 10 % that go on for a while, and some steps that cost far more."""
    random = np.random.default_rng(seed)
    load = 100 + 60 * np.sin(np.arange(count) / 40) + random.normal(0, 5, count)
    pods = np.maximum(5, np.round(load / 25))
    errors = 0.1 * _lasting(random, count, correlation)
    use = 0.03 * load * (1 + errors) + 0.05 * pods
    use[random.random(count) < outliers] *= 1.5
    return np.column_stack((load, pods)), use


@pytest.mark.parametrize(("count", "correlation"), [(80, 0.0), (120, 0.6), (120, 0.85), (400, 0.7)])
def test_the_line_is_inside_its_interval_for_95_of_100_seeds(count, correlation):
    fits = [line_fit(*observed(seed, count, correlation)) for seed in range(100)]
    for number, truth in enumerate((0.03, 0.05)):
        inside = sum(fit[number].low <= truth <= fit[number].high for fit in fits)
        assert inside >= 92, f"number {number}"


def test_the_line_is_near_the_truth():
    assert np.median([abs(line_fit(*observed(seed))[0].value / 0.03 - 1) for seed in range(40)]) < 0.05


def test_a_slope_is_inside_its_interval_although_its_errors_go_on():
    hours = np.arange(200.0)
    inside = 0
    for seed in range(60):
        errors = _lasting(np.random.default_rng(seed), len(hours), 0.9)
        slope = slope_estimate(hours, 100 + 0.5 * hours + 20 * errors)
        inside += slope.low <= 0.5 <= slope.high
    assert inside >= 54


def test_outliers_do_not_carry_the_line_away():
    causes, effect = observed(1, correlation=0.0, outliers=0.0)
    calm = line_fit(causes, effect)[0].value
    effect[::20] *= 10
    assert line_fit(causes, effect)[0].value == pytest.approx(calm, rel=0.1)
    least_squares = np.linalg.lstsq(causes, effect, rcond=None)[0][0]
    assert abs(least_squares / calm - 1) > 0.2


def test_neighbours_that_are_alike_widen_the_interval_of_a_median():
    random = np.random.default_rng(3)
    free = random.normal(10, 1, 1000)
    alike = np.repeat(free[:50], 20)
    wide, narrow = median_estimate(alike), median_estimate(free)
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    assert median_estimate(alike, independent=True).high < wide.high


def test_the_interval_of_a_slope_tells_growth_from_chance():
    hours = np.arange(100.0)
    noise = np.random.default_rng(4).normal(0, 5, 100)
    grown, still = slope_estimate(hours, 100 + 0.5 * hours + noise), slope_estimate(hours, 100 + noise)
    assert grown.low > 0 and grown.low < 0.5 < grown.high
    assert still.low < 0 < still.high
