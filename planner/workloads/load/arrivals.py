"""Noise of discrete requests: how many arrive in a step, and how much CPU they need together.

docs/model.md, "From load to requests at a pod". Nothing is set by hand: it follows from the rate (Poisson arrivals; see
`recorded_arrivals.py` for series of counts) and from the variability of a request's CPU. Over a window w the work of a
stream of rate r varies by sqrt((1 + cv^2) / (r w)), relative to its mean.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws, Keys
from planner.plan.model.traffic import LoadProfile
from planner.workloads.load.recorded_arrivals import RecordedArrivals

Floats = NDArray[np.float64]
_DRAWN_AT_ONCE = 64
_NO_NOISE = 1e6
"""So many requests in a step vary by a thousandth: as good as nothing."""
_FEW = 30.0
"""Up to this mean the Poisson distribution is looked up term by term; beyond it is nearly normal."""


class DiscreteArrivals:
    """Factors on the rates of many workloads for the step to come, of mean 1.

    The work of a request that needs twice the mean counts as two: so CPU follows the requests served, to the last bit.
    """

    def __init__(
        self, cv: Floats, profiles: Sequence[LoadProfile | None], workload_keys: Sequence[int], draws: Draws
    ) -> None:
        """`cv`: standard deviation of a request's CPU over its mean."""
        self._recorded = RecordedArrivals(profiles)
        self._square = cv**2
        self._keys = np.array(workload_keys, np.uint64)
        self._chance = draws.of("load/arrivals")
        self._normal, self._work = draws.of("load/many arrivals"), draws.of("load/work of arrivals")
        self._step = 0
        self._drawn: tuple[Floats, Floats, Floats] = (np.zeros((0, len(cv))),) * 3
        """Of the steps that are drawn together: chances, deviates of many arrivals and of their work."""
        self.factors = np.ones(len(cv))

    def advance(self, expected: Floats, now_us: int, dt_us: int) -> None:
        """The step to come, in which so many requests are expected."""
        at = self._step % _DRAWN_AT_ONCE
        if at == 0:
            self._draw()
        self._step += 1
        self.factors = np.ones(len(expected))
        wanted, share = self._recorded.step(now_us, dt_us, expected)
        rows = np.flatnonzero((expected > 0.0) & (wanted < _NO_NOISE))
        if not len(rows):
            return
        chance, normal, work = (drawn[at, rows] for drawn in self._drawn)
        mean, part = wanted[rows], share[rows]
        count = np.maximum(0.0, np.rint(mean + np.sqrt(mean) * normal))
        few = np.flatnonzero(mean <= _FEW)
        if len(few):
            count[few] = poisson(mean[few], chance[few])
        if np.count_nonzero(part):  # a binomial number varies less than a Poisson one, by what cannot come later
            count = np.where(part > 0.0, mean + np.sqrt(1.0 - part) * (count - mean), count)
        log_variance = np.log1p(self._square[rows] / np.maximum(count, 1.0))
        spread = np.exp(np.sqrt(log_variance) * work - 0.5 * log_variance)
        self.factors[rows] = count * spread / expected[rows]
        arrived = expected.copy()
        arrived[rows] = count
        self._recorded.arrived(expected, arrived, share)

    def _draw(self) -> None:
        """The draws of many steps: together they cost little more than those of one."""
        first: Keys = np.arange(self._step + 1, self._step + 1 + _DRAWN_AT_ONCE, dtype=np.uint64)
        steps = first[:, np.newaxis]
        self._drawn = (
            self._chance.uniform(self._keys, steps),
            self._normal.normal(self._keys, steps),
            self._work.normal(self._keys, steps),
        )


def poisson(mean: Floats, chance: Floats) -> Floats:
    """The least number whose cumulative Poisson probability exceeds `chance`; for means up to a few dozen."""
    term = np.exp(-mean)
    total, count = term.copy(), np.zeros(len(mean))
    for number in range(1, 200):
        below = total <= chance
        if not below.any():
            break
        count[below] = number
        term = term * mean / number
        total = total + term
    return count
