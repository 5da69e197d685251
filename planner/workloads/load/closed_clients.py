"""Closed clients: each sends its next request only after the response to the one before and a while of thinking.

N clients whose requests take T and who think for Z send N / (Z + T) requests per second (Little's law over the whole
cycle), so a slow service gets less load and a backlog never exceeds the clients.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.units import US_PER_S
from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.load.step.load_step import requests_held
from planner.workloads.served_workload import ServedWorkload

Held = Callable[[Floats], Floats]
"""Requests at the pods at the end of a step, by the rate that reaches each workload in it."""
_ROUNDS = 90
_HALVE_EVERY = 3
_PRECISION = 1e-9


def closed_rates(clients: Floats, outside_s: Floats, most: Floats, start: Floats, held_after: Held) -> Floats:
    """Rates at which the clients of each workload are all accounted for: thinking, on the way or at a pod.

    `outside_s`: think time and all else that a request spends away from the CPU. `most`: what pods could serve and take
    in at most, per second. `start`: a guess, such as the rates before. Requests at pods never fall with the rate, so
    there is one such rate; it is sought along chords (the Illinois method), with a halving every few rounds, as the
    requests at a full pod make bends and small steps.
    """

    def excess(rate: Floats) -> Floats:
        return rate * outside_s + held_after(rate) - clients

    low = np.zeros(len(clients))
    with np.errstate(divide="ignore", invalid="ignore"):
        high = np.where(clients > 0.0, np.minimum(most, clients / outside_s), 0.0)
    found = np.clip(start, low, high)
    value = excess(found)
    seeking = np.abs(value) > _PRECISION * clients
    if not seeking.any():
        return found
    below, above = excess(low), excess(high)
    found = np.where(seeking, np.where(above <= 0.0, high, np.where(below >= 0.0, low, found)), found)
    seeking &= (below < 0.0) & (above > 0.0)
    was_over = np.zeros(len(clients))
    for number in range(1, _ROUNDS):
        over = np.sign(value)
        # An end that is kept twice weighs half, so that the next chord ends beyond the root.
        below = np.where(over > 0.0, np.where(was_over > 0.0, 0.5 * below, below), value)
        above = np.where(over > 0.0, value, np.where(was_over < 0.0, 0.5 * above, above))
        low, high = np.where(over > 0.0, (low, found), (found, high))
        was_over = over
        seeking &= (np.abs(value) > _PRECISION * clients) & (high - low > _PRECISION * high)
        if not seeking.any():
            break
        part = 0.5 if number % _HALVE_EVERY == 0 else below / np.where(seeking, below - above, 1.0)
        found = np.where(seeking, low + part * (high - low), found)
        value = excess(found)
    return found


class ClosedWorkloads:
    """Workloads whose profile counts clients."""

    def __init__(self, items: Sequence[ServedWorkload]) -> None:
        clients = [None if item.traffic is None else item.traffic.clients for item in items]
        self._is: NDArray[np.bool_] = np.array([one is not None for one in clients], np.bool_)
        # A pod counts requests on their latency floor as its own, unless it refuses what it cannot serve at once.
        self._outside_s = (
            np.array(
                [
                    0.0
                    if one is None
                    else (one.think_time + item.demand.latency_floor * (item.demand.queue_limit == 0))
                    for one, item in zip(clients, items, strict=True)
                ]
            )
            / US_PER_S
        )
        self._latest: Floats = np.zeros(len(items))
        """Requests per second in the latest step."""
        self._some = bool(self._is.any())

    def __bool__(self) -> bool:
        return self._some

    def present(self, rates: Floats) -> Floats:
        """Requests per second of all workloads, from their profiles."""
        return np.where(self._is, self._latest, rates) if self else rates

    def rates(self, part: Ints, rate: Floats, added: Floats, pods: ServingPods, dt_s: Floats) -> Floats:
        """Requests per second of the workloads at `part`, of which `rate` is the number of clients where closed."""
        closed, groups, held = self._is[part], pods.groups(part), pods.held(part)
        if not closed.any():
            return rate
        could = np.bincount(groups.service, groups.capacity_rate * groups.weight, minlength=len(part))

        def held_after(tried: Floats) -> Floats:
            return requests_held(groups, np.where(closed, tried, rate) + added, held, dt_s)

        clients = np.where(closed, rate, 0.0)
        most = could + clients / dt_s
        found = closed_rates(clients, self._outside_s[part], most, self._latest[part], held_after)
        self._latest[part] = found
        return np.where(closed, found, rate)
