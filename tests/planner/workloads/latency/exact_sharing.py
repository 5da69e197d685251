"""The exact response of M/M/m under processor sharing: one tagged request among a changing number of others.

While it is there it leaves at rate min(1, m / (n + 1)), each of the n others at the same rate, and new ones arrive.
"""

import math

import numpy as np


class SharedCores:
    """Response of a request that shares `servers` cores, in service times."""

    def __init__(self, servers, rho):
        count = int(servers + 30 / (1 - rho) + 30)
        others = np.arange(count)
        share = np.minimum(1.0, servers / (others + 1.0))
        self.leaves, self.fewer = share, others * share
        self.more = np.full(count, servers * rho)
        self.more[-1] = 0.0
        chance = np.ones(count)
        for n in range(1, count):
            chance[n] = chance[n - 1] * servers * rho / min(n, servers)
        self.met = chance / chance.sum()
        self._weights = self._tails_by_jump()

    def moments(self):
        """Mean and variance."""
        rates = np.diag(self.more + self.fewer + self.leaves)
        rates -= np.diag(self.more[:-1], 1) + np.diag(self.fewer[1:], -1)
        first = np.linalg.solve(rates, np.ones(len(rates)))
        mean = self.met @ first
        return mean, self.met @ np.linalg.solve(rates, 2.0 * first) - mean * mean

    def _tails_by_jump(self):
        """Uniformisation: chance to be still there after so many jumps."""
        self._speed = float((self.more + self.fewer + self.leaves).max())
        stay = self._speed - self.more - self.fewer - self.leaves
        there, tails = np.ones(len(self.met)), []
        while not tails or tails[-1] > 1e-4:
            tails.append(self.met @ there)
            moved = self.more * np.r_[there[1:], 0.0] + self.fewer * np.r_[0.0, there[:-1]]
            there = (moved + stay * there) / self._speed
        return np.array(tails)

    def tail(self, t):
        """P(response > t) for t > 0."""
        jumps = np.arange(len(self._weights))
        log_factorial = np.cumsum(np.log(np.maximum(jumps, 1)))
        chance = np.exp(jumps * math.log(self._speed * t) - self._speed * t - log_factorial)
        return float(chance @ self._weights)

    def percentile(self, percent):
        """Response that so many per cent of the requests do not exceed."""
        late, low, high = 1.0 - percent / 100.0, 0.0, 1.0
        while self.tail(high) > late:
            low, high = high, 2.0 * high
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.tail(middle) > late else (low, middle)
        return high
