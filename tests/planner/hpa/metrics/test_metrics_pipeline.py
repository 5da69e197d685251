"""When a sample is visible, and to whom."""

import numpy as np

from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples


def test_a_sample_is_visible_after_the_delay_and_replaces_the_older_one():
    samples = UsageSamples(delay_us=5)
    samples.record(10, 15, np.array([0, 2]), np.array([100, 300]))
    samples.reserve(4)
    assert samples.time_us[2] == NEVER_US
    samples.advance(15)
    assert samples.time_us[:4].tolist() == [10, NEVER_US, 10, NEVER_US]
    samples.record(25, 15, np.array([2]), np.array([400]))
    samples.advance(30)
    assert samples.usage_milli[:3].tolist() == [100, 0, 400]
    assert samples.take_changed().tolist() == [0, 2]
    assert samples.take_changed().tolist() == []


def test_without_delay_a_sample_is_visible_at_once_and_rows_grow():
    samples = UsageSamples()
    samples.record(10, 15, np.array([500]), np.array([7]))
    assert (samples.time_us[500], samples.window_us[500], samples.usage_milli[500]) == (10, 15, 7)
    samples.reserve(2_000)
    assert len(samples.time_us) >= 2_000 and samples.usage_milli[500] == 7


def test_a_failing_api_loses_its_samples_even_those_under_way():
    samples = UsageSamples(delay_us=5)
    samples.record(10, 15, np.array([0]), np.array([100]))
    samples.advance(15)
    samples.record(25, 15, np.array([0]), np.array([200]))
    samples.set_answering(False)
    samples.advance(40)
    assert (samples.is_answering, samples.time_us[0], samples.losses) == (False, NEVER_US, 1)
    samples.set_answering(True)
    samples.record(40, 15, np.array([0]), np.array([300]))
    samples.advance(45)
    assert (samples.is_answering, samples.usage_milli[0], samples.losses) == (True, 300, 1)
