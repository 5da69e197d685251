"""Histograms of use: buckets, ageing, merging."""

import numpy as np
import pytest

from planner.vpa.recommender.histograms import CPU_BUCKETS, EPOCH_US, MEMORY_BUCKETS, Histograms

DAY_US = 86_400_000_000
START_US = EPOCH_US + 20_000 * DAY_US


def a_histogram(*samples: tuple[float, int], rows: int = 1) -> Histograms:
    """CPU samples of weight 1: cores, and days after the start."""
    made = Histograms(CPU_BUCKETS, DAY_US, rows)
    for cores, days in samples:
        made.add(np.array([0]), np.array([cores]), 1.0, np.array([START_US + days * DAY_US]))
    return made


@pytest.mark.parametrize(
    ("buckets", "value", "end"),
    [
        pytest.param(CPU_BUCKETS, 0.008, 0.01, id="the first bucket ends at its size"),
        pytest.param(CPU_BUCKETS, 0.012, 0.0205, id="the second is 5 % wider"),
        pytest.param(MEMORY_BUCKETS, 12e6, 20.5e6, id="memory begins with 10 MB"),
        pytest.param(CPU_BUCKETS, 5000.0, 1021.109408904865, id="the last bucket reads as its start"),
    ],
)
def test_a_percentile_reads_as_the_end_of_its_bucket(buckets, value, end):
    made = Histograms(buckets, DAY_US, 1)
    made.add(np.array([0]), np.array([value]), 1.0, np.array([START_US]))
    assert made.percentiles((0.5,))[0, 0] == pytest.approx(end, rel=1e-9)


def test_both_schemes_have_176_buckets():
    assert (CPU_BUCKETS.count, MEMORY_BUCKETS.count) == (176, 176)


def test_a_sample_weighs_half_as_much_as_one_a_half_life_later():
    made = a_histogram((0.1, 0), (1.0, 1))
    low, high = made.percentiles((0.33, 0.34))[:, 0]
    assert low < 0.2 < high


def test_an_empty_histogram_has_percentile_0():
    made = Histograms(CPU_BUCKETS, DAY_US, 2)
    assert made.percentiles((0.5, 0.9)).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert made.is_empty(np.array([0, 1])).all()


def test_what_was_subtracted_is_gone():
    made = a_histogram((0.1, 0), (1.0, 0))
    made.subtract(np.array([0]), np.array([1.0]), 1.0, np.array([START_US]))
    assert made.percentiles((1.0,)) == a_histogram((0.1, 0)).percentiles((1.0,))


def test_merging_counts_both_whatever_their_age():
    made = a_histogram((0.1, 0), rows=2)
    made.add(np.array([1]), np.array([1.0]), 1.0, np.array([START_US + 200 * DAY_US]))
    both = made.merged(np.array([0, 1]), np.array([0, 0]), 1)
    assert both.percentiles((0.01,))[0, 0] > 0.9, "200 half-lives leave nothing of the old sample"


def test_each_group_has_what_its_rows_have_together():
    draws, groups = np.random.default_rng(2), np.array([2, 0, 2, 1, 0, 2])
    rows, cores = draws.integers(0, 6, 300), draws.random(300)
    times_us = START_US + draws.integers(0, DAY_US, 300)
    parts, whole = Histograms(CPU_BUCKETS, DAY_US, 6), Histograms(CPU_BUCKETS, DAY_US, 3)
    parts.add(rows, cores, 1.0, times_us)
    whole.add(groups[rows], cores, 1.0, times_us)
    shares = (0.1, 0.5, 0.9, 0.99)
    assert parts.merged(np.arange(6), groups, 3).percentiles(shares).tolist() == whole.percentiles(shares).tolist()
    turned = parts.merged(np.arange(6)[::-1], np.arange(6), 6)
    assert turned.percentiles(shares).tolist() == parts.percentiles(shares)[:, ::-1].tolist()


def test_a_checkpoint_brings_the_percentiles_back():
    made = a_histogram(*[(0.01 * cores, cores % 7) for cores in range(1, 60)])
    weights, total = made.checkpoint(0)
    other = Histograms(CPU_BUCKETS, DAY_US, 1)
    other.load(0, weights, total, int(made.reference_us[0]))
    shares = (0.1, 0.5, 0.9)
    assert other.percentiles(shares)[:, 0] == pytest.approx(made.percentiles(shares)[:, 0], rel=0.06)
