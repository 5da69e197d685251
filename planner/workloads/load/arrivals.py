"""Noise of discrete requests: how many arrive in a step, and how much CPU they need together.

docs/model.md, "From load to requests at a pod". Nothing is set by hand: it follows from the rate (Poisson arrivals; see
`recorded_arrivals.py` for series of counts) and from the variability of a request's CPU. Over a window w the work of a
stream of rate r varies by sqrt((1 + cv^2) / (r w)), relative to its mean.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws, Keys
from planner.plan.model.traffic import LoadProfile
from planner.units import US_PER_S
from planner.workloads.load.recorded_arrivals import RecordedArrivals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
RatesAhead = Callable[[Ints], Floats]
"""Rates at moments to come: a row a moment, a column a workload."""
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
        self,
        cv: Floats,
        profiles: Sequence[LoadProfile | None],
        workload_keys: Sequence[int],
        draws: Draws,
        rates_ahead: RatesAhead | None = None,
    ) -> None:
        """`cv`: standard deviation of a request's CPU over its mean. `rates_ahead`: where rates follow from time alone.

        Then the factors of many steps are found together, which costs little more than those of one.
        """
        self._recorded = RecordedArrivals(profiles)
        self._rates_ahead = None if self._recorded else rates_ahead
        self._ahead: list[Floats] = []
        """Factors of the steps that are drawn together, if each takes as long as the first of them."""
        self._ahead_from_us = self._ahead_dt_us = 0
        self._square = cv**2
        self._keys = np.array(workload_keys, np.uint64)
        self._chance = draws.of("load/arrivals")
        self._normal, self._work = draws.of("load/many arrivals"), draws.of("load/work of arrivals")
        self._step = 0
        self._drawn: tuple[Floats, Floats, Floats] = (np.zeros((0, len(cv))),) * 3
        """Of the steps that are drawn together: chances, deviates of many arrivals and of their work."""
        self.factors = np.ones(len(cv))

    def advance(self, expecting: Callable[[], Floats], now_us: int, dt_us: int) -> None:
        """The step to come; `expecting` says how many requests are expected in it."""
        at = self._step % _DRAWN_AT_ONCE
        if at == 0:
            self._draw()
            self._look_ahead(now_us, dt_us)
        self._step += 1
        if self._ahead and dt_us == self._ahead_dt_us and now_us == self._ahead_from_us + at * dt_us:
            self.factors = self._ahead[at]
            return
        expected = expecting()
        wanted, share = self._recorded.step(now_us, dt_us, expected)
        self.factors, arrived = self._arrive(expected, wanted, share, tuple(drawn[at] for drawn in self._drawn))
        self._recorded.arrived(expected, arrived, share)

    def _look_ahead(self, now_us: int, dt_us: int) -> None:
        """The factors of all steps that were drawn."""
        if self._rates_ahead is None:
            return
        self._ahead_from_us, self._ahead_dt_us = now_us, dt_us
        expected = self._rates_ahead(now_us + dt_us * np.arange(_DRAWN_AT_ONCE)) * (dt_us / US_PER_S)
        self._ahead = list(self._arrive(expected, expected, np.zeros(expected.shape), self._drawn)[0])

    def _arrive(
        self, expected: Floats, wanted: Floats, share: Floats, drawn: tuple[Floats, ...]
    ) -> tuple[Floats, Floats]:
        """Factors and numbers of requests of one step, or of many in rows."""
        factors, arrived = np.ones(expected.shape), expected.copy()
        some = np.nonzero((expected > 0.0) & (wanted < _NO_NOISE))
        if not len(some[0]):
            return factors, arrived
        mean, part = wanted[some], share[some]
        chance, normal, work = (column[some] for column in drawn)
        count = np.maximum(0.0, np.rint(mean + np.sqrt(mean) * normal))
        few = np.flatnonzero(mean <= _FEW)
        if len(few):
            count[few] = poisson(mean[few], chance[few])
        if np.count_nonzero(part):  # a binomial number varies less than a Poisson one, by what cannot come later
            count = np.where(part > 0.0, mean + np.sqrt(1.0 - part) * (count - mean), count)
        log_variance = np.log1p(self._square[some[-1]] / np.maximum(count, 1.0))
        spread = np.exp(np.sqrt(log_variance) * work - 0.5 * log_variance)
        factors[some] = count * spread / expected[some]
        arrived[some] = count
        return factors, arrived

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
