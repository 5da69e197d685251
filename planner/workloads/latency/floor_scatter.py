"""Latency floors that vary: what their scatter adds to quantiles of response times.

Deviations from the mean add like independent ones: their squares add, each with its sign.
"""

import numpy as np

from planner.workloads.latency.free_response import LEVELS
from planner.workloads.latency.mmc import Floats
from planner.workloads.latency.sizes.request_sizes import gamma_levels

_LEAST_CV = 0.01


def with_scatter(levels_s: Floats, mean_s: Floats, floor_s: Floats, cv: Floats) -> Floats:
    """Rows of LEVELS of responses of this mean, with floors of this mean and variability."""
    own = levels_s - mean_s
    both = own * np.abs(own) + squares(floor_s, cv)
    return np.asarray(np.maximum(mean_s + np.sign(both) * np.sqrt(np.abs(both)), 0.0))


def squares(floor_s: Floats, cv: Floats) -> Floats:
    """Rows of LEVELS of floors less their mean, squared, with the sign that they had before."""
    other = floor_s * np.asarray(np.where(cv > _LEAST_CV, gamma_levels(LEVELS, np.maximum(cv, _LEAST_CV)) - 1.0, 0.0))
    return np.asarray(other * np.abs(other))
