"""Numbers of answers as people read them."""

import numpy as np
import pytest

from planner.experiments.answers.figure_sense import natural_range
from planner.experiments.answers.numbers import mean_amount, mean_text, number, with_interval
from planner.experiments.statistics.estimates import MeanEstimate, mean_interval
from planner.record.text.latency_bounds import LatencyBounds


def exactly(value):
    return MeanEstimate(value, value, value, 2, "constant")


@pytest.mark.parametrize(("value", "text"), [
    (0.0, "0"), (2.5601, "2.56"), (9978.4, "9978"), (123456.7, "123457"), (0.000123456, "0.0001235"),
    (-0.5, "-0.5"), (float("inf"), "unbounded"), (100.0, "100"),
])  # fmt: skip
def test_numbers_have_four_digits(value, text):
    assert number(value) == text


def test_an_interval_is_written_behind_its_mean():
    assert with_interval(MeanEstimate(2.0, 1.5, 2.5, 9)) == "2 (1.5 to 2.5)"
    assert with_interval(exactly(2.0)) == "2"
    assert with_interval(MeanEstimate(2.411, 2.4, 2.45, 9), "USD") == "$2.41 ($2.40 to $2.45)"


def test_one_run_has_a_mean_without_an_interval():
    assert with_interval(mean_interval(np.array([2.5]))) == "2.5"


def test_an_interval_ends_where_its_figure_does():
    bounds = LatencyBounds({"shop": 10_000.0}, 3_600_000_000)
    wide = MeanEstimate(9_000.0, -500.0, 18_500.0, 4)
    for name, ends in (
        ("latency_p95_worst[shop]", (0.0, 10_000.0)), ("latency_p95_worst_at[shop]", (0.0, 18_500.0)),
        ("pending_pod_time", (0.0, 18_500.0)), ("latency_p95_worst[other]", (0.0, 18_500.0)),
    ):  # fmt: skip
        found = wide.within(*natural_range(name, bounds))
        assert (found.low, found.mean, found.high) == (ends[0], 9_000.0, ends[1])
    share = MeanEstimate(0.9, 0.7, 1.1, 4).within(*natural_range("slo_attainment[shop]", bounds))
    assert (share.low, share.high) == (0.7, 1.0)


def test_a_latency_that_no_run_has_measured_is_called_beyond_its_time_out():
    bounds = LatencyBounds({"shop": 10_000.0}, 3_600_000_000)
    assert mean_text("latency_p95_worst[shop]", exactly(10_000.0), "ms", bounds) == "≥ 10 s (time-out)"
    assert mean_amount("latency_p95_worst[shop]", exactly(9_000.0), "ms", bounds) == "9000 ms"
