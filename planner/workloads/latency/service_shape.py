"""Service that is not exponential, as one or two exponential parts with the same mean and variability.

First come first served (`queue`) lets the shape of service show in the latency; processor sharing does not.
"""

import numpy as np

from planner.workloads.latency.mixture import PodLatency
from planner.workloads.latency.mmc import Amounts

_LEAST_CV = 0.01


def shaped(pods: PodLatency, cv: Amounts) -> tuple[PodLatency, PodLatency]:
    """`pods` with service of variability `cv`: a fixed part below 1, two kinds of requests above (balanced means).

    The second kind has no weight where one is enough.
    """
    kept = np.clip(cv, _LEAST_CV, 1.0)
    fixed_s = (1.0 - kept) * pods.service_s
    spread = np.sqrt(np.maximum(np.square(cv) - 1.0, 0.0) / (np.square(cv) + 1.0))
    share = 0.5 * (1.0 + np.where(spread > 0.0, spread, 1.0))
    one, other = 0.5 / share, 0.5 / np.maximum(1.0 - share, 1e-300)
    common, factor = np.greater(cv, 1.0), np.where(np.greater(cv, 1.0), one, kept)
    first = pods._replace(
        weight=pods.weight * share,
        fixed_s=pods.fixed_s + fixed_s,
        service_s=pods.service_s * factor,
        decay=pods.decay * factor,
        latest_start_s=pods.latest_start_s + fixed_s,
    )
    second = np.where(common, other, 1.0)
    return first, pods._replace(
        weight=pods.weight * (1.0 - share), service_s=pods.service_s * second, decay=pods.decay * second
    )
