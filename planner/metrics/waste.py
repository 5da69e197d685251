"""What was paid for and not used, over a whole run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.metrics.cost import resources_price
from planner.plan.model.pricing import CostSettings

Series = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Waste:
    """A kind of waste, averaged over the rows of a run: CPU in cores, memory in bytes."""

    kind: str
    cores: float
    memory_bytes: float

    def money(self, hours: float, worth: CostSettings) -> float:
        """What it was worth over that many hours."""
        per_hour = resources_price(self.cores, self.memory_bytes, worth.core_price_per_hour, worth.gib_price_per_hour)
        return hours * per_hour


def waste_of(series: Series, reserves: Mapping[str, tuple[float, float]]) -> Iterator[Waste]:
    """Slack (allocatable, not requested), over-request (requested, not used) and what reserves hold.

    `reserves`: cores and bytes of a pause pod by the name of its reserve. Their requests are no over-request. Memory
    is over-requested only where the plan says how much memory pods use.
    """
    allocatable, requested = series.get("cpu_allocatable_cores"), series.get("cpu_requested_cores")
    used = series.get("cpu_used_cores")
    if allocatable is None or requested is None or used is None or not len(allocatable):
        return
    memory_slack = series["memory_allocatable_bytes"] - series["memory_requested_bytes"]
    yield Waste("slack", _mean(allocatable - requested), _mean(memory_slack))
    held_cores, held_bytes = 0.0, 0.0
    for name, (cores, size) in reserves.items():
        pods = series.get(f"replicas_ready_count[{name}]")
        if pods is not None:
            held_cores += float(pods.mean()) * cores
            held_bytes += float(pods.mean()) * size
    memory_used = series.get("memory_used_bytes")
    over_bytes = 0.0
    if memory_used is not None and not np.isnan(memory_used).any():
        over_bytes = max(0.0, _mean(series["memory_requested_bytes"] - memory_used) - held_bytes)
    yield Waste("over_request", max(0.0, _mean(requested - used) - held_cores), over_bytes)
    if reserves:
        yield Waste("reserve", held_cores, held_bytes)


def _mean(values: NDArray[np.float64]) -> float:
    """Mean of a difference; use above the request is not negative waste."""
    return float(np.maximum(values, 0.0).mean())
