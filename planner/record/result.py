"""The result of a run: series, decisions, and one row per workload, group, node and pod; its digest."""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.errors import RunStopped
from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.bottleneck import Bottleneck
from planner.record.decisions import Decision, Details
from planner.record.history import ClusterHistory
from planner.record.series import SeriesStore


@dataclass(frozen=True)
class Figure:
    """One key figure with its unit."""

    value: float
    unit: str


Row = Mapping[str, Any]
"""One line of a table of the report; None where something did not happen."""


@dataclass(frozen=True)
class RunResult:
    """Everything a run leaves behind. Read-only."""

    plan_name: str
    seed: int
    until_us: int
    time_us: NDArray[np.int64]
    series: SeriesStore
    """Name (as in timeseries.csv) to values, one per time."""
    decisions: Sequence[Decision]
    figures: Mapping[str, Figure]
    workloads: tuple[Row, ...] = ()
    node_groups: tuple[Row, ...] = ()
    nodes: tuple[Row, ...] = ()
    pods: Sequence[Row] = ()
    costs: tuple[Row, ...] = ()
    statuses: tuple[AutoscalerStatus, ...] = ()
    """What the Cluster Autoscaler says of itself, whenever that changed."""
    slo_missed: tuple[str, ...] = ()
    """Workloads whose SLO was missed."""
    bottlenecks: tuple[Bottleneck, ...] = ()
    """What limits services at their busiest moments."""
    stopped: RunStopped | None = field(default=None, compare=False)
    history: ClusterHistory | None = field(default=None, compare=False, repr=False)
    """Nodes and pods over time; None for a run that did not begin."""

    def digest(self) -> str:
        """64 hex digits over all series and decisions; equal runs have equal digests."""
        state = hashlib.sha256()
        state.update(struct.pack("<qq", self.seed, self.until_us))
        state.update(self.time_us.astype("<i8").tobytes())
        for name, values in self.series.items():
            _update(state, name)
            state.update(values.astype("<f8").tobytes())
        for decision in self.decisions:
            _update(state, f"{decision.time_us}|{decision.actor}|{decision.verdict}|{decision.repeats}")
            _update(state, f"{decision.subject}|{decision.target}")
            _update(state, _details_code(decision.details))
            for name in decision.others:
                _update(state, name)
        return state.hexdigest()


_MAPS = (dict, MappingProxyType)


def _details_code(details: Details | None) -> str:
    """Kind and fields; maps in the order of their keys, however they were filled."""
    if details is None:
        return ""
    fields = [sorted(field.items()) if isinstance(field, _MAPS) else field for field in details]
    return f"{type(details).__name__}{tuple(fields)!r}"


def _update(state: Any, text: str) -> None:
    data = text.encode()
    state.update(struct.pack("<q", len(data)))
    state.update(data)
