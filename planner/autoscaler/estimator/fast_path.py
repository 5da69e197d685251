"""Fast bin packing: the batch that saves most comes last and is extrapolated from one full node."""

from collections.abc import Sequence
from typing import Protocol

from planner.state.resources import CPU, MEMORY, Amounts


class _Batch(Protocol):
    @property
    def count(self) -> int: ...
    @property
    def container_cpu_milli(self) -> int: ...
    @property
    def container_memory_bytes(self) -> int: ...


def order_for_fast_path(
    order: Sequence[int], batches: Sequence[_Batch], allocatable: Amounts
) -> tuple[list[int], int | None]:
    """The order with the batch of the largest saving moved to the end, and that batch.

    Equal savings: the later one (spec/cluster-autoscaler.md section 5, `fastpath-binpacking-enabled`).
    """
    best, best_saving = None, -1
    for at in order:
        saving = _saving(batches[at], allocatable)
        if saving >= best_saving:
            best, best_saving = at, saving
    if best is None:
        return list(order), None
    return [at for at in order if at != best] + [best], best


def _saving(batch: _Batch, allocatable: Amounts) -> int:
    """Pods that need not be simulated: all but those of one average node."""
    nodes = max(
        1,
        _nodes_for(batch.count * batch.container_cpu_milli, int(allocatable[CPU])),
        _nodes_for(batch.count * batch.container_memory_bytes, int(allocatable[MEMORY])),
    )
    return batch.count - batch.count // nodes


def _nodes_for(requested: int, capacity: int) -> int:
    return -(-requested // capacity) if capacity > 0 else 0
