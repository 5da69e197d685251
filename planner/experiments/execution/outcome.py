"""What is kept of a run: its figures and a few series, small enough to travel between processes."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.experiments.execution.breaks import Break
from planner.record.result import Figure, RunResult

MOST_POINTS = 240
_KEPT = ("nodes_ready_count", "pods_pending_count", "cpu_requested_cores", "cpu_allocatable_cores", "cpu_used_cores")
_KEPT_OF_WORKLOADS = ("replicas_ready_count[", "latency_p95_ms[", "offered_rps[")
_MOST_SERIES = 40
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PackedSeries:
    """Series at a few moments, in single precision, compressed."""

    names: tuple[str, ...] = ()
    time_us: tuple[int, ...] = ()
    content: bytes = field(default=b"", repr=False)

    def table(self) -> Floats:
        """One row per name, one column per moment; not a number where there was no value."""
        values = np.frombuffer(zlib.decompress(self.content), "<f4") if self.content else np.zeros(0)
        return values.reshape(len(self.names), len(self.time_us)).astype(np.float64)


@dataclass(frozen=True)
class RunOutcome:
    """One cell of an experiment: a plan, a seed, and what came of it."""

    plan_digest: str
    seed: int
    version: str
    """Of the program that ran it."""
    digest: str
    """Of the run: `RunResult.digest()`."""
    until_us: int
    figures: Mapping[str, Figure]
    """Latencies within their bounds: what times out has waited as long as it could."""
    slo_missed: tuple[str, ...] = ()
    series: PackedSeries = PackedSeries()
    breaks: tuple[Break, ...] = ()
    """The first one first."""
    problem: str = ""
    """Why the run ended before its time; its figures do not count then."""


def packed_series(result: RunResult) -> PackedSeries:
    """The series that an experiment shows, at up to MOST_POINTS moments."""
    rows = len(result.time_us)
    names = [name for name in result.series if name in _KEPT or name.startswith(_KEPT_OF_WORKLOADS)][:_MOST_SERIES]
    if not rows or not names:
        return PackedSeries()
    chosen = np.unique(np.linspace(0, rows - 1, min(rows, MOST_POINTS)).round().astype(np.int64))
    values = np.stack([result.series[name][chosen] for name in names]).astype("<f4")
    return PackedSeries(tuple(names), tuple(result.time_us[chosen].tolist()), zlib.compress(values.tobytes(), 6))
