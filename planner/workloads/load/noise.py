"""Noise on top of load profiles: factors of mean 1 whose logarithm is a stationary AR(1) process in time.

docs/model.md, "From load to requests at a pod".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.engine.streams import Streams
from planner.plan.model.traffic import Noise

Floats = NDArray[np.float64]
_DRAWN_AT_ONCE = 64


class NoiseProcesses:
    """Noise of many workloads, each from a generator of its own; one without variation never asks for it."""

    def __init__(self, noises: Sequence[Noise], purposes: Sequence[str], streams: Streams) -> None:
        """`purposes`: the stream of each."""
        self._rows = np.array([row for row, noise in enumerate(noises) if noise.cv > 0.0], np.int64)
        varied = [noises[row] for row in self._rows]
        self._generators = [streams[purposes[row]] for row in self._rows]
        self._sigma = np.sqrt(np.log1p(np.array([noise.cv for noise in varied]) ** 2))
        self._half_square = 0.5 * self._sigma**2
        self._correlation_us = np.array([noise.correlation_time for noise in varied], np.float64)
        self._dt_us, self._shares = 0, self._shares_after(0)
        self._deviate = np.array([generator.standard_normal() for generator in self._generators])
        self._fresh, self._next = np.zeros((0, len(varied))), 0
        self.factors = np.ones(len(noises))
        """The latest factor of each."""

    def advance(self, dt_us: int) -> None:
        """Factors `dt_us` later."""
        if not len(self._rows):
            return
        if self._next == len(self._fresh):
            drawn = [generator.standard_normal(_DRAWN_AT_ONCE) for generator in self._generators]
            self._fresh, self._next = np.array(drawn).T, 0
        if dt_us != self._dt_us:
            self._dt_us, self._shares = dt_us, self._shares_after(dt_us)
        kept, renewed = self._shares
        self._deviate = kept * self._deviate + renewed * self._fresh[self._next]
        self._next += 1
        factors = self.factors.copy()
        factors[self._rows] = np.exp(self._sigma * self._deviate - self._half_square)
        self.factors = factors

    def _shares_after(self, dt_us: int) -> tuple[Floats, Floats]:
        """Shares of the deviates before and of fresh ones in those `dt_us` later."""
        correlated = self._correlation_us > 0.0
        kept = np.where(correlated, np.exp(-dt_us / np.where(correlated, self._correlation_us, 1.0)), 0.0)
        return kept, np.sqrt(1.0 - kept * kept)
