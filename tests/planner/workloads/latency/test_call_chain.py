"""Percentiles along calls against sums of sampled responses."""

import numpy as np
import pytest

from planner.workloads.latency import sharing
from planner.workloads.latency.gamma import DEVIATES, gamma_quantile
from tests.planner.workloads.latency.queues import mean_wait

SAMPLES = 300_000


def one_server(rho, shares_cores, generator):
    """Variance and sampled responses of a one-server pod, in service times."""
    if not shares_cores:
        return (1 - rho) ** -2, generator.exponential(1 / (1 - rho), SAMPLES)
    wait = mean_wait(1, rho)
    kinds = sharing.stretched(np.array(wait))
    of = generator.choice(len(kinds.share), SAMPLES, p=kinds.share)
    return float(sharing.variance(wait)), generator.exponential(1.0, SAMPLES) * kinds.mean[of]


@pytest.mark.parametrize(("shares_cores", "p50", "p90", "p99"), [(False, 0.04, 0.02, 0.03), (True, 0.15, 0.13, 0.06)])
@pytest.mark.parametrize(("own", "called", "faster"), [(0.5, 0.5, 1), (0.8, 0.5, 1), (0.9, 0.3, 1), (0.5, 0.5, 10)])
def test_the_gamma_distribution_of_a_chain_of_two(shares_cores, p50, p90, p99, own, called, faster):
    generator = np.random.default_rng(1)
    first, one = one_server(own, shares_cores, generator)
    second, other = one_server(called, shares_cores, generator)
    mean, variance = 1 / (1 - own) + 1 / (1 - called) / faster, first + second / faster**2
    for percent, most in ((50, p50), (90, p90), (95, p99), (99, p99)):
        real = np.percentile(one + other / faster, percent)
        assert float(gamma_quantile(mean, variance, DEVIATES[percent])) == pytest.approx(real, rel=most)
