"""What a request costs more or less than its mean: on busy nodes, and at pods that serve more or less.

Neighbours slow a core down beyond the shares of the scheduler (SMT siblings, caches, memory bandwidth), and CPU per
request often falls with the rate (batching, polling). docs/model.md, "CPU".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.demand import Demand

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_GRAIN = 64
"""Factors come in so many steps of 1, so that pods that are nearly alike stay one group."""


class CostOfLoad:
    """Factors on the CPU of a request, by position of the service; often there are none."""

    def __init__(self, demands: Sequence[Demand]) -> None:
        self._lost = np.array([one.interference for one in demands])
        self._curves = [one.cost_curve for one in demands]
        self.has_curves = any(self._curves)
        self.has_interference = bool(self._lost.any())

    @property
    def acts(self) -> bool:
        """Whether any request may cost other than its mean."""
        return self.has_curves or self.has_interference

    def by_rate(self, pod_rates: Floats) -> Floats:
        """Factors by what reaches a pod of each service, per second."""
        found = np.ones(len(pod_rates))
        for position, curve in enumerate(self._curves):
            if curve:
                rates, factors = zip(*((point.pod_rate, point.factor) for point in curve), strict=True)
                found[position] = np.interp(pod_rates[position], rates, factors)
        return found

    def factors(self, position: Ints, by_rate: Floats, others_busy: Floats) -> Floats:
        """Factors of pods of these services; `others_busy`: share of the node's CPU that other pods use."""
        speed = 1.0 - self._lost[position] * np.clip(others_busy, 0.0, 1.0)
        return np.maximum(1.0, np.rint(by_rate[position] / speed * _GRAIN)) / _GRAIN
