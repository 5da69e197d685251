"""Mean waits of queues whose requests are not exponential, relative to those of M/M/m."""

import numpy as np

from planner.workloads.latency.mmc import Amounts, Counts, Floats


def wait_stretch(servers: Counts, rho: Amounts, cv: Amounts, arrival_cv2: Amounts = 1.0) -> Floats:
    """Mean wait, first come first served, over that of exponential service.

    Allen-Cunneen for cv >= 1. Below, the wait goes with cv^2 from the one of constant service (Cosmetatos) to that of
    exponential service; for one server this is Pollaczek-Khinchine, exact.
    """
    cv2 = np.square(cv)
    more = (arrival_cv2 + cv2) / (np.asarray(arrival_cv2) + 1.0)
    less = cv2 + (1.0 - cv2) * constant_service_stretch(servers, rho)
    return np.where(np.not_equal(arrival_cv2, 1.0) | np.greater_equal(cv, 1.0), more, less)


def constant_service_stretch(servers: Counts, rho: Amounts) -> Floats:
    """Wait of M/D/m over that of M/M/m (Cosmetatos 1976); never above 1."""
    servers, rho = np.asarray(servers), np.maximum(rho, 1e-300)
    more = (1.0 - rho) * (servers - 1) * (np.sqrt(4.0 + 5.0 * servers) - 2.0) / (16.0 * servers * rho)
    return np.asarray(np.minimum(1.0, 0.5 * (1.0 + more)))
