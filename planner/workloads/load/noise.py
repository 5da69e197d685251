"""Noise on top of load profiles: factors of mean 1 whose logarithm is a stationary AR(1) process in time.

docs/model.md, "From load to requests at a pod". The fresh deviates of a workload's steps are numbered and keyed by the
workload: its noise depends on the seed and on the lengths of its steps, and on no other workload.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws, Keys
from planner.plan.model.traffic import Noise

Floats = NDArray[np.float64]
_DRAWN_AT_ONCE = 64


class NoiseProcesses:
    """Noise of many workloads."""

    def __init__(self, noises: Sequence[Noise], workload_keys: Sequence[int], draws: Draws) -> None:
        self._rows = np.array([row for row, noise in enumerate(noises) if noise.cv > 0.0], np.int64)
        varied = [noises[row] for row in self._rows]
        self._draws, self._keys = (
            draws.of("load/noise"),
            np.array([workload_keys[row] for row in self._rows], np.uint64),
        )
        self._sigma = np.sqrt(np.log1p(np.array([noise.cv for noise in varied]) ** 2))
        self._half_square = 0.5 * self._sigma**2
        self._correlation_us = np.array([noise.correlation_time for noise in varied], np.float64)
        self._dt_us, self._shares = 0, self._shares_after(0)
        self._deviate = self._draws.normal(self._keys)
        self._fresh, self._step = np.zeros((0, len(varied))), 0
        self.factors = np.ones(len(noises))
        """The latest factor of each."""

    def __bool__(self) -> bool:
        return len(self._rows) > 0

    def advance(self, dt_us: int) -> None:
        """Factors `dt_us` later."""
        if not len(self._rows):
            return
        at = self._step % _DRAWN_AT_ONCE
        if at == 0:
            steps: Keys = np.arange(self._step + 1, self._step + 1 + _DRAWN_AT_ONCE, dtype=np.uint64)
            self._fresh = self._draws.normal(self._keys, steps[:, np.newaxis])
        self._step += 1
        if dt_us != self._dt_us:
            self._dt_us, self._shares = dt_us, self._shares_after(dt_us)
        kept, renewed = self._shares
        self._deviate = kept * self._deviate + renewed * self._fresh[at]
        factors = self.factors.copy()
        factors[self._rows] = np.exp(self._sigma * self._deviate - self._half_square)
        self.factors = factors

    def _shares_after(self, dt_us: int) -> tuple[Floats, Floats]:
        """Shares of the deviates before and of fresh ones in those `dt_us` later."""
        correlated = self._correlation_us > 0.0
        kept = np.where(correlated, np.exp(-dt_us / np.where(correlated, self._correlation_us, 1.0)), 0.0)
        return kept, np.sqrt(1.0 - kept * kept)
