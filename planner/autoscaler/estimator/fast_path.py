"""Fast bin packing: the batch that saves most comes last and is extrapolated from one full node."""

import math
from collections.abc import Sequence
from typing import Protocol

from planner.scheduler.topology.pod_terms import compile_terms
from planner.state.resources import CPU, MEMORY, Amounts
from planner.state.specs import HOSTNAME_LABEL, PodSpec


class _Batch(Protocol):
    @property
    def count(self) -> int: ...
    @property
    def container_cpu_milli(self) -> int: ...
    @property
    def container_memory_bytes(self) -> int: ...
    @property
    def spec(self) -> PodSpec | None: ...


def order_for_fast_path(
    order: Sequence[int], batches: Sequence[_Batch], capacity: Amounts
) -> tuple[list[int], int | None]:
    """The order with the suitable batch of the largest saving moved to the end, and that batch.

    Equal savings: the later one (Cluster Autoscaler 1.36.1, flag `fastpath-binpacking-enabled`).
    """
    best, best_saving = None, -1
    for at in order:
        spec = batches[at].spec
        if spec is not None and not _is_suitable(spec):
            continue
        saving = _saving(batches[at], capacity)
        if saving >= best_saving:
            best, best_saving = at, saving
    if best is None:
        return list(order), None
    return [at for at in order if at != best] + [best], best


def _is_suitable(spec: PodSpec) -> bool:
    """No spread constraint, and no anti-affinity over anything but single nodes."""
    return not spec.placement.spread_constraints and all(
        term.topology_key == HOSTNAME_LABEL for term in spec.placement.required_anti_affinity
    )


def _saving(batch: _Batch, capacity: Amounts) -> int:
    """Pods that need not be simulated: all but those of one average node, which counts whole: upstream divides by the
    capacity here, not by what is allocatable."""
    nodes = max(
        1,
        batch.count if batch.spec is not None and _repels_itself(batch.spec) else 0,
        _nodes_for(batch.count * _cores(batch.container_cpu_milli), _cores(int(capacity[CPU]))),
        _nodes_for(batch.count * float(batch.container_memory_bytes), float(capacity[MEMORY])),
    )
    return batch.count - batch.count // nodes


def _repels_itself(spec: PodSpec) -> bool:
    terms = compile_terms(spec).anti_affinity
    return any(term.key == HOSTNAME_LABEL and term.matches(spec, {}) for term in terms)


def _cores(milli: int) -> float:
    """As upstream converts a quantity, which decides where the division comes out whole."""
    return milli * 0.001 if milli % 1000 else float(milli // 1000)


def _nodes_for(requested: float, capacity: float) -> int:
    return math.ceil(requested / capacity) if capacity > 0 else 0
