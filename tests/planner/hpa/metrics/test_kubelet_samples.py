"""Samples taken at different times: when a pod is first served, over which window, and how old they are."""

import numpy as np
import pytest

from planner.engine.draws import Draws, key_within
from planner.hpa.metrics.kubelet_samples import KubeletSamples
from planner.units import US_PER_S

PODS = np.arange(400)


def served(resolution_s, use=lambda second: 100, until_s=600, start_s=3):
    """Scrapes by second, of pods that all start at `start_s` and use `use(second)` in each second."""
    kubelets = KubeletSamples(
        10 * US_PER_S, resolution_s * US_PER_S, Draws(1), lambda pods: key_within(1, pods.astype(np.uint64))
    )
    started_us = np.full(len(PODS), start_s * US_PER_S)
    found = {}
    for second in range(start_s + 1, until_s + 1):
        usage = np.full(len(PODS), use(second))
        kubelets.advance(second * US_PER_S, PODS, usage, started_us)
        if second % resolution_s == 0:
            found[second] = kubelets.scrape(PODS, started_us)
    return found


def test_steady_use_is_measured_exactly_whatever_the_moments():
    last = served(15)[600]
    assert set(last.usage_milli.tolist()) == {100}
    assert len(last.pods) == len(PODS)


def test_use_is_served_in_whole_milli_cpu_upwards():
    usage = served(15, use=lambda second: 100 if second % 2 else 101)[600].usage_milli
    assert set(usage.tolist()) == {101}


@pytest.mark.parametrize(("resolution_s", "mean_s"), [(15, 17), (60, 57)])
def test_windows_are_the_distance_of_the_two_newest_distinct_samples(resolution_s, mean_s):
    """Mean windows of the specification's table."""
    windows = served(resolution_s)[600].window_us / US_PER_S
    assert windows.min() >= 10
    assert float(windows.mean()) == pytest.approx(mean_s, abs=4)


def test_samples_are_up_to_twenty_seconds_old_at_a_scrape():
    age_s = 600 - served(15)[600].time_us / US_PER_S
    assert 0 <= age_s.min() and 10 < age_s.max() <= 20


@pytest.mark.parametrize(("resolution_s", "median_s"), [(15, (17, 27)), (60, (35, 58))])
def test_the_first_sample_comes_some_seconds_after_the_start(resolution_s, median_s):
    """The specification's simulated table: median 22 s and 45 s."""
    first = {}
    for start in range(3, 3 + resolution_s, 4):
        for second, answer in served(resolution_s, until_s=200, start_s=start).items():
            for pod in answer.pods.tolist():
                first.setdefault((start, pod), second - start)
    assert median_s[0] <= float(np.median(list(first.values()))) <= median_s[1]


def test_a_step_of_use_shows_gradually():
    answers = served(15, use=lambda second: 100 if second <= 300 else 500)
    assert set(answers[300].usage_milli.tolist()) == {100}
    mixed = answers[315].usage_milli
    assert (mixed > 100).any() and (mixed < 500).any()
    assert set(answers[360].usage_milli.tolist()) == {500}
