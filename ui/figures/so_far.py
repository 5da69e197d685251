"""What is added up over the rows of a running simulation, so that news cost no more the longer it has gone on."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ui.runs.run_data import RunData

Floats = NDArray[np.float64]


class Workloads:
    """The workloads that have a series, with where it is."""

    def __init__(self, run: RunData, series: str, workloads: Sequence[str]) -> None:
        rows = run.of_subjects(series)
        self.names = tuple(name for name in workloads if name in rows)
        self.columns = np.array([rows[name] for name in self.names], np.intp)


class SoFar:
    """Sums and extremes of the first rows of a run. Rows that come are added, fewer rows are looked at anew."""

    def __init__(self, run: RunData) -> None:
        self._run, self.names = run, run.names
        self._highest_end = self._missed_end = 0

    def is_of(self, run: RunData) -> bool:
        """Whether these are sums of that run, with the series that it has by now."""
        return run is self._run and run.names is self.names

    @cached_property
    def latency(self) -> Workloads:
        """Those that serve requests."""
        serving = [item.name for item in self._run.plan.workloads if item.traffic is not None]
        return Workloads(self._run, "latency_p95_ms", serving)

    @cached_property
    def longest_ms(self) -> Floats:
        """What no latency of theirs exceeds."""
        bounds = self._run.latency_bounds
        return np.array([bounds.longest_ms(name) for name in self.latency.names])

    @cached_property
    def objectives(self) -> Workloads:
        """Those with an SLO."""
        having = [item.name for item in self._run.plan.workloads if item.traffic is not None and item.slo is not None]
        return Workloads(self._run, "slo_missed_ratio", having)

    def newest_latency(self, end: int) -> Floats:
        """The p95 of each of `latency` in the last of the first `end` rows, of which there is at least one."""
        return self._run.across(self.latency.columns, end - 1)

    def highest_latency(self, end: int) -> Floats:
        """The highest p95 of each of `latency`; below 0 where nothing was served."""
        if end < self._highest_end or not self._highest_end:
            self._highest_end, self._highest = 0, np.full(len(self.latency.names), -1.0)
        new = self._run.parts(self.latency.columns, self._highest_end, end)
        self._highest, self._highest_end = np.fmax(self._highest, np.fmax.reduce(new, axis=1, initial=-1.0)), end
        return self._highest

    def missed(self, end: int) -> tuple[Floats, NDArray[np.intp]]:
        """Per workload of `objectives`: the sum of the shares of time in which it missed its SLO, and of how many."""
        if end < self._missed_end or not self._missed_end:
            count = len(self.objectives.names)
            self._missed_end, self._missed, self._known = 0, np.zeros(count), np.zeros(count, np.intp)
        new = self._run.parts(self.objectives.columns, self._missed_end, end)
        is_known = ~np.isnan(new)  # the first row is older than the first load step
        self._missed = self._missed + np.where(is_known, new, 0.0).sum(axis=1)
        self._known, self._missed_end = self._known + is_known.sum(axis=1), end
        return self._missed, self._known
