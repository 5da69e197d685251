"""Requests that share the cores equally: percentiles against exact ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.workloads.latency.sharing import stretched
from tests.planner.workloads.latency.exact_sharing import SharedCores
from tests.planner.workloads.latency.queues import mean_wait


def tail(kinds, t):
    return float((kinds.share * np.exp(-t / kinds.mean)).sum())


def percentile(kinds, percent):
    low, high = 0.0, float(kinds.mean.max()) * 20.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if tail(kinds, middle) > 1.0 - percent / 100.0 else (low, middle)
    return high


@pytest.mark.parametrize("servers", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("rho", [0.5, 0.7, 0.8, 0.9, 0.95])
def test_percentiles_are_within_five_percent_of_exact_ones(servers, rho):
    exact, kinds = SharedCores(servers, rho), stretched(np.array(mean_wait(servers, rho)))
    assert exact.moments()[0] == pytest.approx(1.0 + mean_wait(servers, rho), rel=1e-6)
    for percent in (50, 90, 95, 99):
        assert percentile(kinds, percent) == pytest.approx(exact.percentile(percent), rel=0.05)


@pytest.mark.parametrize("rho", [0.1, 0.5, 0.9, 0.99])
def test_one_server_has_the_exact_mean_and_variance(rho):
    kinds = stretched(np.array(mean_wait(1, rho)))
    mean, second = float((kinds.share * kinds.mean).sum()), float((kinds.share * 2.0 * kinds.mean**2).sum())
    assert mean == pytest.approx(1.0 / (1.0 - rho), rel=1e-9)
    assert second - mean**2 == pytest.approx((2.0 + rho) / (2.0 - rho) / (1.0 - rho) ** 2, rel=1e-5)


@given(st.floats(0.0, 1e9))
def test_kinds_are_a_distribution_with_the_mean_of_the_queue(wait):
    kinds = stretched(np.array(wait))
    assert (kinds.share > 0.0).all() and (kinds.mean > 0.0).all()
    assert float(kinds.share.sum()) == pytest.approx(1.0, rel=1e-9)
    assert float((kinds.share * kinds.mean).sum()) == pytest.approx(1.0 + wait, rel=1e-9)


@given(st.floats(0.0, 1e4), st.floats(1e-3, 1.0))
def test_longer_waits_never_lower_a_percentile(wait, more):
    short, long = stretched(np.array(wait)), stretched(np.array(wait + more))
    for percent in (90, 95, 99):
        assert percentile(long, percent) >= percentile(short, percent) * (1.0 - 1e-9)


def test_without_waits_the_response_is_the_service():
    for percent in (50, 90, 95, 99):
        assert percentile(stretched(np.array(0.0)), percent) == pytest.approx(-math.log1p(-percent / 100.0), rel=1e-5)


def test_many_waits_at_once_are_each_alone():
    waits = np.array([0.0, 0.3, 4.0, 99.0])
    together = stretched(waits)
    for column, wait in enumerate(waits):
        alone = stretched(wait)
        assert together.share[:, column] == pytest.approx(alone.share, rel=1e-12)
        assert together.mean[:, column] == pytest.approx(alone.mean, rel=1e-12)
