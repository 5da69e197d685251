"""Response times of requests that share the cores of a pod equally (processor sharing).

Nobody waits for a turn; a request is stretched by those beside it. Its mean is that of M/M/m with the same load. Its
distribution is taken as that of exponential service demand times an independent stretch, gamma distributed with
variance w / (2 + w), where w is the mean wait of the same queue in service times. For one server mean and variance of
the response are then exact ((2 + rho) / (2 - rho) times those of an exponential one, Coffman, Muntz, Trotter 1970);
percentiles are within 5 % of exact ones up to rho 0.95 (tests/planner/workloads/test_sharing.py).
The gamma distribution stands as the three values of its Gaussian quadrature, so that a response is one of three
exponential ones. Source: spec/load-latency-cost.md section 3, "Calm".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

KINDS = 3
_LEAST_VARIANCE = 1e-6
_THIRDS = 2.0 * np.pi / 3.0 * np.arange(KINDS)


class Stretched(NamedTuple):
    """Kinds of requests, along a first axis of KINDS before the axes of the waits; shares sum to 1."""

    share: Floats
    mean: Floats
    """Mean of the exponential response, in service times."""


def stretched(wait: Floats) -> Stretched:
    """Responses under sharing where first come first served would wait `wait` service times on average."""
    variance = np.maximum(wait / (2.0 + wait), _LEAST_VARIANCE)
    middle = 1.0 + 2.0 * variance
    # The roots of g^3 - 3 c g^2 + 3 c (1 + v) g - c (1 + v), c = 1 + 2 v: three cosines (Viete).
    angle = np.arccos(np.sqrt(variance / middle)) / 3.0
    roots = middle + 2.0 * np.sqrt(variance * middle) * np.cos(angle - _THIRDS.reshape((KINDS,) + (1,) * np.ndim(wait)))
    first, second, third = roots
    share = np.stack([
        _share(variance, first, second, third),
        _share(variance, second, third, first),
        _share(variance, third, first, second),
    ])  # fmt: skip
    return Stretched(share, roots * (1.0 + wait))


def _share(variance: Floats, own: Floats, one: Floats, other: Floats) -> Floats:
    """Weight of the value `own`: mean 1 and the variance fix E[(g - one)(g - other)]."""
    return np.asarray((variance + (1.0 - one) * (1.0 - other)) / ((own - one) * (own - other)))
