"""Messages from the run's thread to the window: plain data, in order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.api import RunResult
from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.decisions import Decision
from planner.record.history import ClusterHistory
from ui.runs.failure import RunFailure


@dataclass(frozen=True)
class RunStarted:
    """The names of the series are known; the pods of the start are placed next."""

    names: tuple[str, ...]
    until_us: int


@dataclass(frozen=True)
class RunChunk:
    """What is new since the last chunk."""

    done_us: int
    event_count: int
    time_us: NDArray[np.int64]
    values: NDArray[np.float64]
    """One row per series name, one column per new time."""
    decisions: tuple[Decision, ...]
    repeats: tuple[tuple[int, Decision], ...]
    """Rows of earlier decisions that were repeated, as they are now."""
    statuses: tuple[AutoscalerStatus, ...] = ()
    history: ClusterHistory | None = None
    """All nodes and pods up to now; comes now and then, and only while it is wanted."""


@dataclass(frozen=True)
class RunPaused:
    """A step is done; the run waits."""


@dataclass(frozen=True)
class RunFinished:
    """The run ended, or was stopped; the result holds what it recorded."""

    result: RunResult


@dataclass(frozen=True)
class RunFailed:
    """The run broke off without a result."""

    failure: RunFailure


Message = RunStarted | RunChunk | RunPaused | RunFinished | RunFailed
