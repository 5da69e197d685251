"""States of zones and the rates at which their dead nodes are tainted.

Source: Kubernetes 1.36, pkg/controller/nodelifecycle/node_lifecycle_controller.go, handleDisruption and
ComputeZoneState.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np


class ZoneState(StrEnum):
    """How much of a zone is down."""

    NORMAL = "Normal"
    PARTIAL = "PartialDisruption"
    FULL = "FullDisruption"


@dataclass(frozen=True)
class ZoneSettings:
    """Flags of the controller manager; rates in nodes per second."""

    eviction_rate: float = 0.1
    secondary_rate: float = 0.01
    unhealthy_share: float = 0.55
    large_cluster_size: int = 50


@dataclass
class ZoneRates:
    """What one look at all zones led to."""

    states: dict[str, ZoneState] = field(default_factory=dict)
    new_rates: dict[str, float] = field(default_factory=dict)
    """Zones whose rate is set in this look."""
    all_taints_removed: bool = False
    """Everything is down now: evictions stop."""
    probe_times_reset: bool = False
    """Something is up again."""


def zone_state(nodes: int, not_ready: int, settings: ZoneSettings) -> ZoneState:
    """State of a zone; Unknown and False both count as not ready."""
    if not_ready == nodes and nodes > 0:
        return ZoneState.FULL
    if not_ready > 2 and np.float32(not_ready) / np.float32(nodes) >= np.float32(settings.unhealthy_share):
        return ZoneState.PARTIAL
    return ZoneState.NORMAL


def taint_rate(state: ZoneState, nodes: int, settings: ZoneSettings) -> float:
    """Nodes of a zone that get the NoExecute taint per second."""
    if state is not ZoneState.PARTIAL:
        return settings.eviction_rate
    return settings.secondary_rate if nodes > settings.large_cluster_size else 0.0


def zone_rates(
    before: Mapping[str, ZoneState], counts: Mapping[str, tuple[int, int]], settings: ZoneSettings
) -> ZoneRates:
    """States and rates after a look. `counts`: per zone its nodes and those that are not ready."""
    out = ZoneRates({zone: zone_state(nodes, down, settings) for zone, (nodes, down) in counts.items()})
    all_down = all(state is ZoneState.FULL for state in out.states.values())
    were_down = all(before.get(zone) is ZoneState.FULL for zone in counts)
    if all_down:
        if not were_down:
            out.all_taints_removed = True
            out.new_rates = dict.fromkeys(counts, 0.0)
        return out
    out.probe_times_reset = were_down
    out.new_rates = {
        zone: taint_rate(state, counts[zone][0], settings)
        for zone, state in out.states.items()
        if were_down or before.get(zone) is not state
    }
    return out
