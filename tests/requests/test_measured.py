"""Measured services against the simulation of requests, with their stated parameters."""

import math

import pytest

from tests.requests.loads import open_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Class, Work

SHOP = Work((Class(100 / 101, 0.0105, 0.2), Class(1 / 101, 0.1, 0.2)))
"""A PHP shop: requests of 10.5 ms of CPU, and for every hundred of them one of 100 ms."""
POINTS = [
    (math.inf, 2, 10.3, 12.8, 14.8), (math.inf, 4, 10.3, 12.6, 14.9), (2.0, 5, 11.7, 15.4, 18.5),
    (0.5, 5, 10.9, 15.0, 78.0), (0.1, 5, 10.7, 93.0, 598.0),
]  # fmt: skip


@pytest.mark.parametrize(("limit", "rate", "p50", "p90", "p99"), POINTS)
def test_a_shop_of_eight_processes_under_quotas(limit, rate, p50, p90, p99):
    """Evenly spaced requests; the clocks of load generator and kernel drift apart, and the kernel ticks every 4 ms."""
    law = PodLaw(limit, workers=8, tick_s=0.004)
    found = open_load(law, rate * 1.0007, SHOP, 12_000, arrivals_cv=0.0)
    assert 1000 * found.percentile_s(50) == pytest.approx(p50, rel=0.15)
    assert 1000 * found.percentile_s(90) == pytest.approx(p90, rel=0.15)
    # Of so few requests the share that is slower than some time repeats to 0.1 points.
    assert 0.6 * 1000 * found.percentile_s(98.9) < p99 < 1.4 * 1000 * found.percentile_s(99.1)


def test_the_median_of_calm_requests_does_not_depend_on_the_limit():
    medians = [
        open_load(PodLaw(limit, workers=8, tick_s=0.004), 5.0035, SHOP, 4_000, arrivals_cv=0.0).percentile_s(50)
        for limit in (math.inf, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1)
    ]
    assert max(medians) < 1.05 * min(medians)


@pytest.mark.parametrize(("rate", "mean"), [(3.02, 0.139), (5.19, 0.229), (7.44, 0.423)])
def test_a_single_threaded_service_under_open_load(rate, mean):
    found = open_load(PodLaw(1.0, workers=1), rate, Work.of(0.1, 1.0), 60_000)
    assert found.mean_s == pytest.approx(mean, rel=0.15)


@pytest.mark.parametrize(("limit", "most"), [(2.0, 1.19), (3.0, 1.24)])
def test_a_classifier_on_one_thread_saturates_at_what_one_core_can_do(limit, most):
    """1.22 requests per second and core: a second or third core is of no use to it."""
    found = open_load(PodLaw(limit, workers=1), 3.0, Work.of(1 / 1.22, 0.2), 500)
    assert found.throughput == pytest.approx(most, rel=0.05)
