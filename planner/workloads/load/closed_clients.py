"""Closed clients: each sends its next request only after the response to the one before and a while of thinking.

N clients whose requests take T and who think for Z send N / (Z + T) requests per second (Little's law over the whole
cycle), so a slow service gets less load and a backlog never exceeds the clients.
"""

from collections.abc import Callable

import numpy as np

from planner.workloads.load.demand import Floats

Held = Callable[[Floats], Floats]
"""Requests at the pods at the end of a step, by the rate that reaches each workload in it."""
_ROUNDS = 60
_PRECISION = 1e-9


def closed_rates(clients: Floats, outside_s: Floats, most: Floats, held_after: Held) -> Floats:
    """Rates at which the clients of each workload are all accounted for: thinking, on the way or at a pod.

    `outside_s`: think time and all else that a request spends away from the CPU. `most`: what pods could serve and take
    in at most, per second. Bisection: requests at pods never fall with the rate.
    """
    low = np.zeros(len(clients))
    with np.errstate(divide="ignore", invalid="ignore"):
        high = np.where(clients > 0.0, np.minimum(most, clients / outside_s), 0.0)
    for _ in range(_ROUNDS):
        rate = 0.5 * (low + high)
        too_many = rate * outside_s + held_after(rate) > clients
        low, high = np.where(too_many, low, rate), np.where(too_many, rate, high)
        if (high - low <= _PRECISION * high).all():
            break
    return 0.5 * (low + high)
