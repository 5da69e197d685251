"""Rates over a window: what young pods show, what an old one shows, and how gaps at the ends are bridged."""

import numpy as np
import pytest

from planner.hpa.metrics.counter_rates import CounterRates
from planner.hpa.metrics.kubelet_samples import Taken
from planner.units import US_PER_S

ONE = np.zeros(1, np.int64)


def rate(samples, now_s, window_s=60):
    """The rate of one pod whose counter, in core seconds, is scraped at these seconds; None without two scrapes."""
    rates = CounterRates(window_s * US_PER_S)
    for second, total in samples:
        counted = np.array([round(total * 1000 * US_PER_S)])
        rates.scrape(round(second * US_PER_S), Taken(ONE, ONE, counted))
    found = rates.query(now_s * US_PER_S)
    return int(found.usage_milli[0]) / 1000 if len(found.pods) else None


@pytest.mark.parametrize(
    ("samples", "shown"),
    [
        pytest.param([(at, 0.5 * at) for at in range(0, 601, 10)], 0.5, id="steady use is exact"),
        pytest.param([(at, 0.5 * (at - 570)) for at in (570, 580, 590, 600)], 0.25, id="30 s old: half of it"),
        pytest.param([(at, 0.5 * (at - 580)) for at in (590, 600)], 0.5 * 15 / 60, id="half a distance more"),
        pytest.param([(590, 5.0)], None, id="one scrape"),
        pytest.param([(500, 5.0), (510, 10.0)], None, id="scrapes before the window"),
        pytest.param([(590, 5.0), (595, 5.0)], 0.0, id="the same sample scraped twice"),
        pytest.param([(545, 100.0), (570, 110.0), (595, 120.0)], 0.4, id="gaps shorter than 1.1 distances are bridged"),
        pytest.param([(575, 100.0), (580, 102.0), (585, 104.0)], 0.4 * 15 / 60, id="others by half a distance"),
        pytest.param([(at, 0.2 * at if at < 570 else 114 + 0.8 * (at - 570)) for at in range(0, 601, 10)], 0.56,
                     id="a step shows in proportion to the samples it has"),
    ],
)  # fmt: skip
def test_a_rate_is_the_increase_over_the_whole_window(samples, shown):
    assert rate(samples, 600) == (None if shown is None else pytest.approx(shown, abs=0.0011))


def test_a_scrape_outside_the_window_no_longer_counts():
    samples = [(at, float(at)) for at in range(0, 301, 10)]
    assert rate(samples, 300) == pytest.approx(1.0) and rate(samples, 370) is None


def test_pods_are_told_apart():
    rates = CounterRates(60 * US_PER_S)
    for second in range(0, 61, 10):
        time_us = np.full(2, second * US_PER_S)
        rates.scrape(second * US_PER_S, Taken(np.array([3, 7]), time_us, time_us * np.array([100, 300])))
    found = rates.query(60 * US_PER_S)
    assert (found.pods.tolist(), found.usage_milli.tolist()) == ([3, 7], [100, 300])


def test_a_busy_pod_shows_what_it_used_on_average_though_its_kubelet_samples_at_odd_times():
    """With the times of the samples themselves a long gap at the end counts by half a distance only: 4 % too little."""
    chance, seen = np.random.default_rng(1), []
    for _ in range(300):
        samples = np.cumsum(chance.uniform(10, 20, 20))
        rates, phase = CounterRates(60 * US_PER_S), chance.uniform(0, 5)
        for second in np.arange(40 + phase, 200, 5):
            newest = samples[samples <= second][-1]
            rates.scrape(round(second * US_PER_S), Taken(ONE, ONE, np.array([round(100 * newest * US_PER_S)])))
        seen.append(int(rates.query(200 * US_PER_S).usage_milli[0]))
    assert np.mean(seen) == pytest.approx(100.0, abs=2.0)
